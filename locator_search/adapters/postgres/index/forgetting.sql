-- name: under_way
-- Whether files are being worked on: they have paid for what no row names yet.
SELECT EXISTS (SELECT FROM file_state WHERE state = 'pending' OR done_revision IS DISTINCT FROM revision)

-- name: schemas
-- The schemas that hold an index.
SELECT schemaname FROM pg_catalog.pg_tables WHERE tablename = 'contribution_document' ORDER BY 1

-- name: begin_needed
-- A table for the keys of what is needed; gone at the end of the transaction.
CREATE TEMPORARY TABLE IF NOT EXISTS needed (key text) ON COMMIT DROP;
TRUNCATE needed

-- name: end_needed
-- The table is complete.
ANALYZE needed

-- name: need_contents
-- Contents of the files of a schema that may be read, and of its contributions.
INSERT INTO needed
SELECT content_hash FROM file_state WHERE content_hash IS NOT NULL AND state NOT IN ('no_access', 'out_of_scope')
UNION ALL SELECT content_hash FROM contribution_document

-- name: need_answers
-- Answers that summaries were made from, and those that files wait for.
INSERT INTO needed
SELECT summary_key FROM drive_file_index WHERE summary_key IS NOT NULL
UNION ALL SELECT key FROM model_batch_file

-- name: need_embeddings
-- Embeddings of the files and chunks of a schema, as `MemoisedEmbedder` and `embed_file` name and put together what is
-- embedded.
INSERT INTO needed
SELECT encode(sha256(convert_to(E'document\n' || text, 'UTF8')), 'hex') FROM file_chunk
UNION ALL
SELECT encode(sha256(convert_to(concat(E'document\n', summary, E'\n', array_to_string(keywords, ' '), E'\n', file_name),
                                'UTF8')), 'hex')
FROM drive_file_index

-- name: keep_texts
-- Extracted texts that are needed again are no longer marked as unused.
UPDATE extracted_text SET unused_since = NULL
WHERE unused_since IS NOT NULL AND content_hash IN (SELECT key FROM needed)

-- name: mark_texts
-- Extracted texts that nothing needs are marked as unused; while files are worked on, those older than a day.
UPDATE extracted_text AS kept SET unused_since = %(now)s
WHERE unused_since IS NULL AND (created_at < %(now)s::timestamptz - interval '1 day' OR NOT %(under_way)s)
  AND NOT EXISTS (SELECT FROM needed WHERE needed.key = kept.content_hash)

-- name: forget_texts
-- Extracted texts that have been unused for long enough.
DELETE FROM extracted_text WHERE unused_since <= %(before)s

-- name: keep_answers
-- Summaries that are needed again are no longer marked as unused.
UPDATE model_answer SET unused_since = NULL WHERE unused_since IS NOT NULL AND key IN (SELECT key FROM needed)

-- name: mark_answers
-- Summaries that nothing needs are marked as unused; while files are worked on, those older than a day.
UPDATE model_answer AS kept SET unused_since = %(now)s
WHERE unused_since IS NULL AND task = 'summarise'
  AND (created_at < %(now)s::timestamptz - interval '1 day' OR NOT %(under_way)s)
  AND NOT EXISTS (SELECT FROM needed WHERE needed.key = kept.key)

-- name: forget_answers
-- Summaries that have been unused for long enough.
DELETE FROM model_answer WHERE unused_since <= %(before)s

-- name: forget_refusals
-- Refusals that no file waits for and that are old enough.
DELETE FROM model_refusal AS kept
WHERE updated_at <= %(before)s AND NOT EXISTS (SELECT FROM needed WHERE needed.key = kept.key)

-- name: forget_answers_to_people
-- Answers to questions of people that are old enough.
DELETE FROM model_answer WHERE task <> 'summarise' AND created_at <= %(before_for_people)s

-- name: keep_embeddings
-- Embeddings that are needed again are no longer marked as unused.
UPDATE text_embedding SET unused_since = NULL WHERE unused_since IS NOT NULL AND key IN (SELECT key FROM needed)

-- name: mark_embeddings
-- Embeddings that nothing needs are marked as unused; while files are worked on, those older than a day.
UPDATE text_embedding AS kept SET unused_since = %(now)s
WHERE unused_since IS NULL AND (created_at < %(now)s::timestamptz - interval '1 day' OR NOT %(under_way)s)
  AND NOT EXISTS (SELECT FROM needed WHERE needed.key = kept.key)

-- name: forget_embeddings
-- Embeddings that have been unused for long enough.
DELETE FROM text_embedding WHERE unused_since <= %(before)s
