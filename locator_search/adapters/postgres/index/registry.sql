-- name: record_listed
-- A listed file, new or with what its source says of it now. It keeps its state; one that was gone is `pending`. The
-- terms of another name or place are forgotten.
INSERT INTO file_state (file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location,
                        size, owner, last_editor, drive, parent_ids, root_id, access_key, seen_at)
VALUES (%(file_id)s, %(file_name)s, %(source)s, %(mime_type)s, %(modified_at)s, %(revision)s, %(link)s,
        %(folder_path)s, %(location)s, %(size)s, %(owner)s, %(last_editor)s, %(drive)s, %(parent_ids)s, %(root_id)s,
        %(access_key)s, %(seen_at)s)
ON CONFLICT (file_id) DO UPDATE SET
    file_name = EXCLUDED.file_name, source = EXCLUDED.source, mime_type = EXCLUDED.mime_type,
    modified_at = EXCLUDED.modified_at, revision = EXCLUDED.revision, link = EXCLUDED.link,
    folder_path = EXCLUDED.folder_path, location = EXCLUDED.location, size = EXCLUDED.size, owner = EXCLUDED.owner,
    last_editor = EXCLUDED.last_editor, drive = EXCLUDED.drive,
    parent_ids = EXCLUDED.parent_ids, root_id = EXCLUDED.root_id, access_key = EXCLUDED.access_key,
    missing_since = NULL,
    state = CASE WHEN file_state.state = 'out_of_scope' THEN 'pending' ELSE file_state.state END,
    name_terms = CASE WHEN (file_state.file_name, file_state.folder_path) = (EXCLUDED.file_name, EXCLUDED.folder_path)
                 THEN file_state.name_terms END,
    seen_at = GREATEST(file_state.seen_at, EXCLUDED.seen_at)

-- name: keep_readers
-- A list of readers, kept once for all files that have it, with those it lets in until a time, NULL where none.
INSERT INTO access_list (access_key, principals, ending, ends)
VALUES (%(access_key)s, %(readers)s, %(ending)s, %(ends)s) ON CONFLICT DO NOTHING

-- name: set_state
-- What became of a file; a failure counts one more attempt at its revision, anything else resets the count. NULL and ''
-- keep what the row has.
UPDATE file_state SET
    state = %(state)s,
    reason = %(reason)s,
    done_revision = COALESCE(%(revision)s, done_revision),
    pipeline_version = COALESCE(NULLIF(%(pipeline_version)s, ''), pipeline_version),
    content_hash = COALESCE(%(content_hash)s, content_hash),
    attempts = CASE
        WHEN %(state)s <> 'failed' THEN 0
        WHEN done_revision IS DISTINCT FROM COALESCE(%(revision)s, done_revision) THEN 1
        ELSE attempts + 1
    END,
    next_try_at = %(next_try_at)s,
    stand_in = '',
    updated_at = now()
WHERE file_id = %(file_id)s

-- name: try_again
-- Files of some roots in some states, with one reason where it is given, or one of them, are due, as failed ones are.
UPDATE file_state SET state = 'failed', next_try_at = %(now)s, stand_in = ''
WHERE state = ANY(%(states)s) AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
  AND (%(reason)s::text IS NULL OR split_part(reason, ':', 1) = %(reason)s)
  AND (%(file)s::text IS NULL OR file_id = %(file)s)
RETURNING file_id

-- name: postpone
-- An indexed file waits for a model until another time.
UPDATE file_state SET attempts = %(attempts)s, next_try_at = %(next_try_at)s
WHERE file_id = %(file_id)s AND state = 'indexed'

-- name: ask_models_again
-- Indexed files that wait for a model are due. What an outage left is asked for by every crawl; what a model refused,
-- before its time, only when a person wants all done again, and only so often, because every answer that is of no use
-- is paid.
WITH asked AS (
    UPDATE model_refusal SET next_try_at = %(now)s WHERE %(refused)s AND attempts < %(most)s
)
UPDATE file_state SET next_try_at = %(now)s
WHERE state = 'indexed' AND (stand_in = 'unavailable' OR (%(refused)s AND stand_in = 'refused' AND attempts < %(most)s))

-- name: mark_gone
-- Files are no longer at their source.
UPDATE file_state SET state = 'out_of_scope', reason = 'gone', next_try_at = NULL, updated_at = now()
WHERE file_id = ANY(%(files)s)

-- name: mark_missing
-- Files were not in a listing; those that were missed before keep that time.
UPDATE file_state SET missing_since = %(since)s WHERE file_id = ANY(%(files)s) AND missing_since IS NULL

-- name: partition_keys
-- The partitions of the named files, of all for NULL: id and key.
SELECT file_id, partition_key FROM file_state
WHERE partition_key IS NOT NULL AND (%(files)s::text[] IS NULL OR file_id = ANY(%(files)s))

-- name: files_of_partitions
-- The files that partitions stand for: key and id.
SELECT partition_key, file_id FROM file_state WHERE partition_key = ANY(%(keys)s)

-- name: to_rename
-- Files whose partition still has their id for a key.
SELECT file_id FROM file_state WHERE partition_key = file_id ORDER BY file_id LIMIT %(limit)s

-- name: enter_partitions
-- The keys of the partitions that files have from now on.
UPDATE file_state SET partition_key = entered.key
FROM unnest(%(files)s::text[], %(keys)s::text[]) AS entered (file_id, key)
WHERE file_state.file_id = entered.file_id

-- name: unmatched
-- Those of some marks that no file has with which nothing is to be done. An index alone answers.
SELECT unnest(%(marks)s::uuid[])
EXCEPT
SELECT mark FROM file_state
WHERE mark = ANY(%(marks)s::uuid[]) AND (next_try_at IS NULL OR next_try_at > %(now)s)

-- name: number
-- How many files of some roots, of all for NULL, are known.
SELECT count(*) FROM file_state WHERE %(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)

-- name: ids_behind
-- The ids of files of some roots, of all for NULL, in their order, behind one.
SELECT file_id FROM file_state
WHERE file_id > %(after)s AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
ORDER BY file_id LIMIT %(limit)s

-- name: settled
-- How many files of some roots, of all for NULL, speak of their present revision, by state and reason; of those named
-- alone unless NULL.
SELECT state, reason, count(*) FROM file_state
WHERE done_revision = revision AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
  AND (%(files)s::text[] IS NULL OR file_id = ANY(%(files)s))
GROUP BY state, reason

-- name: failures
-- Files of some roots, of all for NULL, whose present revision failed, without some, as the fields of FileRef and
-- KnownFile.
SELECT file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location, size, owner,
       last_editor, drive, parent_ids, root_id,
       (SELECT principals FROM access_list WHERE access_list.access_key = file_state.access_key) AS readers,
       state, reason, done_revision, pipeline_version, attempts, next_try_at, content_hash, missing_since
FROM file_state
WHERE state = 'failed' AND done_revision = revision AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
  AND NOT file_id = ANY(%(without)s)
ORDER BY folder_path, file_name

-- name: known
-- The named files as the fields of FileRef and KnownFile.
SELECT file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location, size, owner,
       last_editor, drive, parent_ids, root_id,
       (SELECT principals FROM access_list WHERE access_list.access_key = file_state.access_key) AS readers,
       state, reason, done_revision, pipeline_version, attempts, next_try_at, content_hash, missing_since
FROM file_state WHERE file_id = ANY(%(files)s)

-- name: due
-- Files of some roots with something to be done now, as the fields of FileRef and KnownFile. Two indexes answer this
-- without touching files that have nothing to be done: one holds those that wait, the other finds any pipeline but the
-- present one.
SELECT file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location, size, owner,
       last_editor, drive, parent_ids, root_id,
       (SELECT principals FROM access_list WHERE access_list.access_key = file_state.access_key) AS readers,
       state, reason, done_revision, pipeline_version, attempts, next_try_at, content_hash, missing_since
FROM file_state
WHERE file_id IN (
    SELECT file_id FROM file_state
    WHERE waits AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
      AND (next_try_at IS NULL OR next_try_at <= %(now)s OR done_revision IS DISTINCT FROM revision)
      AND NOT (state = 'out_of_scope' AND missing_since IS NOT NULL)
    UNION ALL
    SELECT file_id FROM file_state
    WHERE pipeline_version < %(version)s AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
    UNION ALL
    SELECT file_id FROM file_state
    WHERE pipeline_version > %(version)s AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
)
ORDER BY file_id LIMIT %(limit)s

-- name: extent
-- How many files some roots have, how many of them wait, and the newest time before the oldest of those. Nobody waits
-- for files that may not be read, for those that in the end are tried once a day, and for models of indexed ones.
WITH listed AS (
    SELECT modified_at, waits AND NOT (
        done_revision = revision AND (
            state IN ('no_access', 'indexed')
            OR state = 'failed' AND (attempts >= %(most)s OR starts_with(reason, 'killed:'))
        )
    ) AS waits
    FROM file_state WHERE %(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)
), oldest AS (
    SELECT COALESCE(min(modified_at) FILTER (WHERE waits), 'infinity') AS waiting FROM listed
)
SELECT count(*), count(*) FILTER (WHERE waits), max(modified_at) FILTER (WHERE modified_at < oldest.waiting)
FROM listed, oldest

-- name: coverage
-- How many files of some roots are in each state for each reason, most first, then by name.
SELECT state, reason, count(*) FROM file_state WHERE %(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2

-- name: unnamed
-- Files without text whose names are to be analysed, and that nobody else is at.
SELECT file_id, file_name, folder_path FROM file_state
WHERE name_terms IS NULL AND state NOT IN ('indexed', 'out_of_scope')
FOR UPDATE SKIP LOCKED

-- name: name
-- The terms and the period of a name.
UPDATE file_state
SET name_terms = %(name_terms)s, name_weights = %(name_weights)s, document_period = %(document_period)s
WHERE file_id = %(file_id)s
