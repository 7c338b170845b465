-- What is written waits in a list until it is put into a GIN index, and every search reads the whole list. At 4 MB, the
-- default, that is 0.3 s after a first crawl; a short list costs a fifth more when files are written.

ALTER INDEX file_chunk_terms SET (gin_pending_list_limit = 256);  -- kB
ALTER INDEX drive_file_index_name_terms SET (gin_pending_list_limit = 256);
SELECT gin_clean_pending_list('file_chunk_terms'), gin_clean_pending_list('drive_file_index_name_terms');
