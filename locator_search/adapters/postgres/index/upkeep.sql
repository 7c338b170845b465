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

-- name: forget_runs
-- Runs that ended long ago leave the history of crawls.
DELETE FROM crawl_run WHERE finished_at < %(before)s

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

-- name: clear_embeddings
-- Takes the embeddings out of the index, which belongs to another model from now on. Words go on finding the files, all
-- of which are due.
WITH codes AS (DELETE FROM embedding_code),
     files AS (UPDATE drive_file_index SET embedding = NULL, embedding_model = %(model)s),
     chunks AS (UPDATE file_chunk SET embedding = NULL WHERE embedding IS NOT NULL),
     profile AS (UPDATE index_profile SET embedding_model = %(model)s, calibration = NULL, calibrated_files = NULL,
                        calibrated_at = NULL, background = NULL, background_chunks = NULL, updated_at = now())
UPDATE file_state SET stand_in = 'unavailable', attempts = 0, next_try_at = now(), updated_at = now()
WHERE state = 'indexed'
