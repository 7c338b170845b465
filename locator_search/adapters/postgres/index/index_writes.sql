-- name: wait_for_all_writers
-- Locks all files against other writers until this transaction ends.
SELECT pg_advisory_xact_lock(%(locks)s, -1)

-- name: be_one_of_many
-- Waits for those who locked all files, and lets nobody lock all of them until this transaction ends.
SELECT pg_advisory_xact_lock_shared(%(locks)s, -1)

-- name: wait_for_writers
-- Locks each of some files against other writers until this transaction ends. All take their locks in one order, so
-- that none wait in a circle.
SELECT pg_advisory_xact_lock(%(locks)s, number) FROM (
    SELECT DISTINCT (hashtextextended(current_schema() || '/' || file_id, 0) & 2147483647)::integer AS number
    FROM unnest(%(files)s::text[]) AS ids (file_id) ORDER BY number
) AS numbers

-- name: remove_chunks
-- Deletes the chunks of files; returns their terms and lengths, as this transaction and no other removed them.
DELETE FROM file_chunk WHERE file_id = ANY(%(files)s) RETURNING terms, length

-- name: take_out
-- Deletes what the index holds of files; returns as `remove_chunks`.
WITH files AS (DELETE FROM drive_file_index WHERE file_id = ANY(%(files)s))
DELETE FROM file_chunk WHERE file_id = ANY(%(files)s) RETURNING terms, length

-- name: totals
-- Number of chunks and of the occurrences of terms in them.
SELECT chunks, total_length FROM index_total

-- name: mark_indexed
-- The state of a file that is in the index now.
INSERT INTO file_state (file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location,
                        size, owner, root_id, seen_at, state, reason, done_revision, pipeline_version, parser_version,
                        content_hash, stand_in, attempts, next_try_at)
VALUES (%(file_id)s, %(file_name)s, %(source)s, %(mime_type)s, %(modified_at)s, %(revision)s, %(link)s,
        %(folder_path)s, %(location)s, %(size)s, %(owner)s, %(root_id)s, now(), 'indexed', %(reason)s, %(revision)s,
        %(pipeline_version)s, %(parser_version)s, %(content_hash)s, %(stand_in)s, %(attempts)s, %(next_try_at)s)
ON CONFLICT (file_id) DO UPDATE SET
    state = 'indexed', reason = EXCLUDED.reason, done_revision = EXCLUDED.done_revision,
    pipeline_version = EXCLUDED.pipeline_version, parser_version = EXCLUDED.parser_version,
    content_hash = EXCLUDED.content_hash, stand_in = EXCLUDED.stand_in, attempts = EXCLUDED.attempts,
    next_try_at = EXCLUDED.next_try_at, name_terms = NULL, name_weights = NULL, document_period = NULL,
    updated_at = now()

-- name: refresh
-- Another revision of a file whose content, name, type and folder are those of the index; changes no row where they are
-- not.
WITH refreshed AS (
    UPDATE drive_file_index SET drive_modified_at = %(modified_at)s, revision = %(revision)s, link = %(link)s,
           location = %(location)s, size = %(size)s, owner = %(owner)s
    WHERE file_id = %(file_id)s AND content_hash = %(content_hash)s AND file_name = %(file_name)s
      AND folder_path = %(folder_path)s AND mime_type = %(mime_type)s
    RETURNING file_id
)
UPDATE file_state SET done_revision = %(revision)s, attempts = 0, next_try_at = NULL, updated_at = now()
FROM refreshed WHERE file_state.file_id = refreshed.file_id

-- name: held
-- Those of the files that the index holds something of.
SELECT file_id FROM drive_file_index WHERE file_id = ANY(%(files)s)
UNION SELECT file_id FROM file_chunk WHERE file_id = ANY(%(files)s)

-- name: forget
-- Deletes files from the index and the registry; returns how many were in one of them.
WITH unindexed AS (DELETE FROM drive_file_index WHERE file_id = ANY(%(files)s) RETURNING file_id),
     unlisted AS (DELETE FROM file_state WHERE file_id = ANY(%(files)s) RETURNING file_id)
SELECT count(*) FROM (TABLE unindexed UNION TABLE unlisted) AS gone
