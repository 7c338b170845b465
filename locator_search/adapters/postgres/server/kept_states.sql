-- name: hold
-- One process at a time keeps a state of this name; until this session ends.
SELECT pg_advisory_lock(hashtextextended(%(schema)s, 0))

-- name: states
-- The states that are kept as the fields of KeptState, newest first. A copy that was interrupted has no comment.
SELECT substr(nspname, length(%(prefix)s) + 1) AS name, (told ->> 'kept_at')::timestamptz AS kept_at,
       (told ->> 'documents')::integer AS documents,
       (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
        WHERE relnamespace = place AND relkind = 'r') AS bytes
FROM (
    SELECT nspname, oid AS place, obj_description(oid, 'pg_namespace')::jsonb AS told
    FROM pg_namespace WHERE starts_with(nspname, %(prefix)s)
) AS kept
WHERE told IS NOT NULL
ORDER BY kept_at DESC, name

-- name: begin
-- This transaction sees one state of all tables.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ

-- name: columns
-- The columns of a table that hold what was written to them.
SELECT attname FROM pg_attribute
WHERE attrelid = %(table)s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum

-- name: clear
-- Takes out what the migrations put into a table.
DELETE FROM {table}

-- name: copy
-- Copies the rows of a table.
INSERT INTO {copy} ({columns}) SELECT {columns} FROM {table}

-- name: analyse
-- Lets the server know how many rows a table has, and of what kind.
ANALYZE {table}

-- name: documents
-- How many documents the index has.
SELECT count(*) FROM {table}

-- name: tell
-- What is told of a state; it is whole from here on.
COMMENT ON SCHEMA {schema} IS {told}
