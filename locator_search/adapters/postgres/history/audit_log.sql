-- name: enter
-- One question or opening, once in ten minutes; what is older than it is kept for goes.
WITH old AS (
    DELETE FROM audit_entry WHERE at < now() - make_interval(days => %(days)s)
)
INSERT INTO audit_entry (person, kind, surface, question, file_id, file_name)
SELECT %(person)s, %(kind)s, %(surface)s, %(question)s, %(file_id)s,
       COALESCE((SELECT concat_ws('/', NULLIF(folder_path, ''), file_name) FROM file_state
                 WHERE file_id = %(file_id)s), '')
WHERE NOT EXISTS (
    SELECT FROM audit_entry
    WHERE at > now() - interval '10 minutes' AND person = %(person)s AND kind = %(kind)s
      AND surface = %(surface)s AND question = %(question)s AND file_id = %(file_id)s)

-- name: entries
-- What is kept, from a time on where it is given, oldest first, as the fields of AuditEntry.
SELECT at, person, kind, surface, question, file_id, file_name FROM audit_entry
WHERE at >= now() - make_interval(days => %(days)s) AND (%(since)s::timestamptz IS NULL OR at >= %(since)s)
ORDER BY at
