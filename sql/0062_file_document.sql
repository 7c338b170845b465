-- Which files are one document: its copies, the same text in other file types, its versions. Counts are counts of
-- documents. A file without a row is a document of its own; rows of files that were indexed before this table are made
-- by the next crawl, from the text that is kept of them.

CREATE TABLE file_document (
    file_id      text PRIMARY KEY REFERENCES drive_file_index ON DELETE CASCADE,
    text_key     text NOT NULL,  -- equal for equal texts (text/same_text.py), else that of the bytes
    whereabouts  text NOT NULL,  -- folder and title without version marks: what versions of one document share
    document_key text NOT NULL   -- equal for the files of one document
);
CREATE INDEX file_document_text ON file_document (text_key);
CREATE INDEX file_document_whereabouts ON file_document (whereabouts);
CREATE INDEX file_document_document ON file_document (document_key);
