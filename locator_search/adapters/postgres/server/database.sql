-- name: groups_of
-- The groups that a person is in by the directory.
SELECT name FROM access_group WHERE members && %(principals)s AND read_at > now() - interval '2 days'

-- name: in_utc
-- Times of this session are UTC.
SET TIME ZONE 'UTC'

-- name: enter_schema
-- In this transaction the tables of a schema are found first, then those places where pgvector lives, Supabase's place
-- for extensions included. For one transaction alone, because poolers give a connection to somebody else afterwards.
-- No row: the schema is gone, and without it the tables of the main index would be found.
SELECT set_config('search_path', quote_ident(nspname) || ', public, extensions', true)
FROM pg_catalog.pg_namespace WHERE nspname = %(schema)s

-- name: stay_in_schema
-- The same for a whole session, whether the schema exists or not.
SELECT set_config('search_path', quote_ident(%(schema)s) || ', public, extensions', false)

-- name: begin_snapshot
-- This transaction writes nothing and sees one state of all tables. Its times are UTC behind every pooler, too.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TIME ZONE 'UTC'

-- name: begin_bounded_snapshot
-- The same, and none of its statements takes longer than so many milliseconds.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TIME ZONE 'UTC';
SET LOCAL statement_timeout = {milliseconds}

-- name: share_snapshot
-- This transaction sees the state that another one has exported.
SET TRANSACTION SNAPSHOT {exported}

-- name: server_version
-- The server's version.
SHOW server_version

-- name: has_schema
-- Whether a schema exists.
SELECT to_regnamespace(quote_ident(%(schema)s)) IS NOT NULL

-- name: drop_schema
-- Removes a schema with everything in it.
DROP SCHEMA IF EXISTS {schema} CASCADE
