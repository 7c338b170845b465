-- Who edited a file last, and the shared drive it lies in, where its source says so.
ALTER TABLE file_state ADD COLUMN last_editor text;
ALTER TABLE file_state ADD COLUMN drive text;
