-- name: abandoned
-- Schemas for a while that no living process holds; this session holds them from here on.
SELECT nspname FROM pg_catalog.pg_namespace
WHERE nspname ~ '^locator_scratch_[0-9a-f]{12}$' AND pg_try_advisory_lock(hashtextextended(nspname, 0))

-- name: hold
-- This session holds a schema.
SELECT pg_advisory_lock(hashtextextended(%(schema)s, 0))
