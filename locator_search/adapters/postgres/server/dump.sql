-- name: schemas
-- The schemas with our migrations or Dagster's records in them.
SELECT nspname FROM pg_namespace
WHERE nspname = 'dagster' OR to_regclass(quote_ident(nspname) || '.schema_migration') IS NOT NULL
ORDER BY nspname

-- name: tables
-- The tables and views of a schema that no extension brought.
SELECT relname FROM pg_class
WHERE relnamespace = quote_ident(%(schema)s)::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
ORDER BY relname

-- name: has_rows
-- Whether a table has a row.
SELECT EXISTS (SELECT FROM {table})

-- name: drop_schema
-- Removes a schema with everything in it.
DROP SCHEMA {schema} CASCADE

-- name: drop_table
-- Removes a table with what depends on it.
DROP TABLE IF EXISTS {table} CASCADE

-- name: drop_function
-- Removes a function with what depends on it.
DROP FUNCTION IF EXISTS {function} CASCADE
