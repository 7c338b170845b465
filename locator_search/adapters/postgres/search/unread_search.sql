-- name: unread_like
-- Files whose text is not in the index and whose name or folder holds some of the terms, as the fields of FileRef with
-- state, reason, the time of the next try, whether that has come, and the share of the question they hold; best first.
-- `search/scope.sql` has the same filters.
SELECT s.file_id, s.file_name, s.source, s.mime_type, s.modified_at, s.revision, s.link, s.folder_path, s.location,
       s.size, s.owner, s.parent_ids, s.root_id, s.state, s.reason, s.next_try_at,
       s.state = 'pending' OR s.done_revision IS DISTINCT FROM s.revision
           OR COALESCE(s.next_try_at <= now(), false) AS is_due,
       LEAST(1, -(s.name_weights <#> %(held)s)) AS share
FROM file_state AS s
WHERE s.state NOT IN ('indexed', 'out_of_scope') AND s.name_terms && %(decisive)s::text[]
  AND NOT EXISTS (SELECT FROM drive_file_index AS f WHERE f.file_id = s.file_id)
  AND (%(modified_after)s::timestamptz IS NULL OR s.modified_at >= %(modified_after)s)
  AND (%(modified_before)s::timestamptz IS NULL OR s.modified_at < %(modified_before)s)
  AND (%(period_start)s::date IS NULL
       OR s.document_period && daterange(%(period_start)s::date, %(period_end)s::date)
          AND upper(s.document_period) - lower(s.document_period) <= %(longest_period)s
       OR %(by_change)s AND s.document_period IS NULL
          AND s.modified_at >= %(period_start)s::date::timestamp AT TIME ZONE %(time_zone)s::text
          AND s.modified_at < %(period_end)s::date::timestamp AT TIME ZONE %(time_zone)s::text)
  AND (%(mime_types)s::text[] IS NULL OR s.mime_type = ANY (%(mime_types)s)
       OR lower(substring(s.file_name FROM '\.([^.]+)$')) = ANY (%(suffixes)s::text[]))
  AND (%(folders)s::text[] IS NULL OR EXISTS (
      SELECT FROM unnest(%(folders)s) AS folder WHERE starts_with(s.folder_path || '/', folder)))
  AND (%(owners)s::text[] IS NULL OR s.owner = ANY (%(owners)s))
  AND (%(editors)s::text[] IS NULL OR s.last_editor = ANY (%(editors)s))
  AND (%(drives)s::text[] IS NULL OR s.drive = ANY (%(drives)s))
  AND %(keywords)s::text[] IS NULL
  AND (%(names)s::text[] IS NULL OR regexp_split_to_array(
      regexp_replace(s.file_name, '\.[^.]*$', ''), '[][_\s　・【】「」（）()]+') @> %(names)s)
  AND (%(file_ids)s::text[] IS NULL OR s.file_id = ANY (%(file_ids)s))
  AND (%(reader)s::text[] IS NULL
       OR s.access_key IN (SELECT access_key FROM access_now WHERE principals && %(reader)s))
ORDER BY s.name_weights <#> %(held)s, s.modified_at DESC, s.file_id LIMIT %(limit)s

-- name: coverage
-- How many files are listed, and of how many the text is in the index, of those that the reader may read.
WITH readable AS (
    SELECT file_id, state FROM file_state
    WHERE %(reader)s::text[] IS NULL
       OR access_key IN (SELECT access_key FROM access_now WHERE principals && %(reader)s)
), counted AS (
    SELECT count(*) AS listed, count(*) FILTER (WHERE state = 'indexed') AS indexed
    FROM readable WHERE state <> 'out_of_scope'
)
SELECT listed, indexed + (
    SELECT count(*) FROM readable AS s JOIN drive_file_index AS f USING (file_id)
    WHERE s.state IN ('pending', 'failed', 'skipped', 'no_access')
) FROM counted
