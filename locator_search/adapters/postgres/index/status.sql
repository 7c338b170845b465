-- name: figures
-- Figures of the index and of what models cost, as fields of IndexStatus.
SELECT (SELECT count(*) FROM file_chunk) AS chunks,
       (SELECT max(indexed_at) FROM drive_file_index) AS newest_indexed_at,
       (SELECT embedding_model FROM index_profile) AS embedding_model,
       COALESCE(sum(calls), 0)::bigint AS model_calls,
       COALESCE(sum(input_tokens + output_tokens), 0)::bigint AS tokens,
       COALESCE(sum(cost), 0)::float8 AS cost_usd,
       (SELECT count(*) FROM drive_file_index WHERE metadata @> %(stand_in)s) AS stand_in_summaries,
       (SELECT count(*) FROM drive_file_index WHERE embedding IS NULL) AS without_embeddings,
       (SELECT count(*) FROM drive_file_index) AS files
FROM model_usage

-- name: last_sync
-- The last completed crawl of some roots as the fields of SyncState. What an earlier version left in `global` counts
-- until any roots have a row of their own.
SELECT drive_modified_at, mode, started_at, finished_at, listed FROM drive_sync_state
WHERE finished_at IS NOT NULL AND (id = %(id)s OR NOT EXISTS (
    SELECT FROM drive_sync_state WHERE id <> %(global)s AND finished_at IS NOT NULL))
ORDER BY id = %(id)s DESC LIMIT 1

-- name: files_in
-- Files of some roots in some states that the reader may read, newest first, as the fields of FileRef and KnownFile.
SELECT file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location, size, owner,
       parent_ids, root_id, state, reason, done_revision, pipeline_version, attempts, next_try_at, content_hash,
       missing_since
FROM file_state
WHERE state = ANY(%(states)s) AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
  AND (%(reader)s::text[] IS NULL
       OR access_key IN (SELECT access_key FROM access_now WHERE principals && %(reader)s))
ORDER BY updated_at DESC, file_id LIMIT %(limit)s

-- name: stories
-- Files of some roots that the reader may read, with all words in name or folder, or one of them, as the fields of
-- FileRef, KnownFile and FileStory; those first that are not searched.
SELECT s.file_id, s.file_name, s.source, s.mime_type, s.modified_at, s.revision, s.link, s.folder_path, s.location,
       s.size, s.owner, s.parent_ids, s.root_id, s.state, s.reason, s.done_revision, s.pipeline_version, s.attempts,
       s.next_try_at, s.content_hash, s.missing_since, s.seen_at, s.updated_at AS tried_at, s.partition_key,
       f.indexed_at, (SELECT count(*) FROM file_chunk AS c WHERE c.file_id = s.file_id) AS chunks,
       (SELECT COALESCE(sum(length(text)), 0)::bigint FROM file_chunk AS c WHERE c.file_id = s.file_id) AS characters,
       f.file_id IS NOT NULL AND NOT f.metadata @> %(by_model)s AS by_model
FROM file_state AS s LEFT JOIN drive_file_index AS f USING (file_id)
WHERE (%(file)s::text IS NULL OR s.file_id = %(file)s)
  AND NOT EXISTS (
      SELECT FROM unnest(%(words)s::text[]) AS word
      WHERE strpos(lower(normalize(s.folder_path || '/' || s.file_name, NFKC)), word) = 0)
  AND (%(roots)s::text[] IS NULL OR s.root_id = ANY(%(roots)s))
  AND (%(reader)s::text[] IS NULL
       OR s.access_key IN (SELECT access_key FROM access_now WHERE principals && %(reader)s))
ORDER BY s.state = 'indexed', s.file_name, s.file_id LIMIT %(limit)s

-- name: latest
-- How many files of some roots were done within the last minute, the seconds since the first of that minute was done or
-- listed, the names of the last five that were indexed, and how many files wait for a batch of a model.
WITH latest AS (
    SELECT file_id, file_name, state, updated_at FROM file_state
    WHERE updated_at > now() - interval '1 minute' AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
      AND (%(reader)s::text[] IS NULL
           OR access_key IN (SELECT access_key FROM access_now WHERE principals && %(reader)s))
)
SELECT count(*) FILTER (WHERE state <> 'pending'), extract(epoch FROM now() - min(updated_at))::float,
       ARRAY(SELECT file_name FROM latest WHERE state = 'indexed' ORDER BY updated_at DESC, file_name LIMIT 5),
       (SELECT count(*) FROM file_state WHERE waits AND state = 'pending' AND reason = 'batch'
           AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)))
FROM latest

-- name: record_run
-- What a run did.
INSERT INTO crawl_run (run_id, sync_id, root_ids, started_at, finished_at, indexed, skipped, failed, removed,
                       model_calls, tokens, cost_usd, states)
VALUES (%(run_id)s, %(id)s, coalesce(%(roots)s::text[], '{}'), %(started_at)s, %(finished_at)s, %(indexed)s,
        %(skipped)s, %(failed)s, %(removed)s, %(model_calls)s, %(tokens)s, %(cost_usd)s, %(states)s)
ON CONFLICT (run_id) DO NOTHING

-- name: runs
-- The last runs over any of some roots, newest first, as the fields of CrawlRun.
SELECT run_id, started_at, finished_at, states, indexed, skipped, failed, removed, model_calls, tokens, cost_usd,
       sync_id = %(id)s AS same_roots
FROM crawl_run WHERE sync_id = %(id)s OR root_ids && %(roots)s::text[] ORDER BY finished_at DESC, run_id LIMIT %(limit)s

-- name: text_lengths
-- Characters of text of those of the files that are indexed.
SELECT file_id, sum(length(text))::bigint FROM file_chunk WHERE file_id = ANY(%(files)s) GROUP BY file_id

-- name: finish_sync
-- A completed crawl; `drive_modified_at` never moves backward.
INSERT INTO drive_sync_state (id, drive_modified_at, mode, started_at, finished_at, listed, last_full_at)
VALUES (%(id)s, %(drive_modified_at)s, %(mode)s, %(started_at)s, %(finished_at)s, %(listed)s,
        CASE WHEN %(mode)s = 'full' THEN %(finished_at)s::timestamptz END)
ON CONFLICT (id) DO UPDATE SET
    drive_modified_at = GREATEST(drive_sync_state.drive_modified_at, EXCLUDED.drive_modified_at),
    mode = EXCLUDED.mode, started_at = EXCLUDED.started_at, finished_at = EXCLUDED.finished_at,
    listed = EXCLUDED.listed, last_full_at = COALESCE(EXCLUDED.last_full_at, drive_sync_state.last_full_at)

-- name: inspect
-- Damage that no constraint of the tables excludes, as the fields of IndexHealth.
WITH vectors AS (
    SELECT embedding FROM drive_file_index WHERE embedding IS NOT NULL
    UNION ALL SELECT embedding FROM file_chunk WHERE embedding IS NOT NULL
)
SELECT
    (SELECT count(*) FROM drive_file_index),
    (SELECT count(*) FROM file_state WHERE state = 'indexed'
        AND NOT EXISTS (SELECT FROM drive_file_index WHERE drive_file_index.file_id = file_state.file_id)),
    (SELECT count(*) FROM drive_file_index
        WHERE NOT EXISTS (SELECT FROM file_state WHERE file_state.file_id = drive_file_index.file_id)),
    (SELECT count(*) FROM vectors WHERE abs(vector_norm(embedding) - 1) > 0.001),
    (SELECT COALESCE(array_agg(DISTINCT vector_dims(embedding)), '{}') FROM vectors),
    (SELECT COALESCE(array_agg(DISTINCT embedding_model), '{}') FROM drive_file_index)
