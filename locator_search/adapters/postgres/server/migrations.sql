-- name: lock
-- Waits until no other process applies migrations; until the transaction ends, nobody else does.
SELECT pg_advisory_xact_lock(%(lock)s)

-- name: privileges
-- The role of this session, the database, whether its server has pgvector, and the statements by which an administrator
-- lets the role make our tables, joined; "" where it may do so already. A trusted extension needs no administrator.
SELECT
    current_user, current_database(),
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector'),
    concat_ws(
        '; ',
        CASE WHEN NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AND NOT (
            EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper)
            OR EXISTS (SELECT FROM pg_available_extension_versions WHERE name = 'vector' AND trusted)
        ) THEN 'CREATE EXTENSION vector SCHEMA public' END,
        CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
            THEN format('GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user) END,
        CASE WHEN NOT has_schema_privilege('public', 'CREATE')
            THEN format('GRANT CREATE ON SCHEMA public TO %I', current_user) END
    )

-- name: create_extension
-- pgvector lies outside the schemas of ours: every index uses it, and none takes it along when it is dropped.
CREATE EXTENSION IF NOT EXISTS vector SCHEMA public

-- name: create_schema
-- A schema for an index beside the main one.
CREATE SCHEMA IF NOT EXISTS {schema}

-- name: create_table
-- The table of what was applied.
CREATE TABLE IF NOT EXISTS schema_migration (
    name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
)

-- name: has_table
-- Whether a schema has the table of what was applied. Named in full: without our schema, the search path leads to the
-- tables of the main index.
SELECT to_regclass(quote_ident(%(schema)s) || '.schema_migration') IS NOT NULL

-- name: applied
-- Name and checksum of what was applied.
SELECT name, checksum FROM schema_migration

-- name: note
-- A migration was applied.
INSERT INTO schema_migration (name, checksum) VALUES (%(name)s, %(checksum)s)
