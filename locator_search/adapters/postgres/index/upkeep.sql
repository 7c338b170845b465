-- name: row_counts
-- One JSON object: rows by table.
SELECT jsonb_build_object(
    'drive_file_index', (SELECT count(*) FROM drive_file_index),
    'file_chunk', (SELECT count(*) FROM file_chunk),
    'file_state', (SELECT count(*) FROM file_state),
    'extracted_text', (SELECT count(*) FROM extracted_text),
    'model_answer', (SELECT count(*) FROM model_answer),
    'search_log', (SELECT count(*) FROM search_log)
)

-- name: server
-- Version of the server, bytes of the database.
SELECT current_setting('server_version'), pg_database_size(current_database())

-- name: last_run
-- When work that is done now and then was done last.
SELECT finished_at FROM upkeep_run WHERE name = %(name)s

-- name: note_run
-- It is done now.
INSERT INTO upkeep_run (name, finished_at) VALUES (%(name)s, %(now)s)
ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at

-- name: forget_embeddings
-- The remembered embeddings of a model.
DELETE FROM text_embedding WHERE model = %(model)s

-- name: forget_width
-- The length of a model's embeddings.
DELETE FROM embedding_width WHERE model = %(model)s

-- name: count_files
-- Number of indexed files.
SELECT count(*) FROM drive_file_index

-- name: clear_index
-- Empties the index. What was extracted and answered stays remembered: building the index again reads and pays nothing
-- twice.
TRUNCATE drive_file_index, file_chunk, embedding_code, file_document, keyword_term;
UPDATE keyword_total SET chunks = 0, total_length = 0;
DELETE FROM index_profile;
UPDATE file_state SET state = 'pending', reason = '', done_revision = NULL, attempts = 0, next_try_at = NULL,
       updated_at = now()
WHERE state = 'indexed'
