-- name: wait_at_most
-- Milliseconds after which a statement of this session gives a lock up; 0: never.
SELECT set_config('lock_timeout', %(milliseconds)s::text, false)

-- name: wait
-- Waits for a lock of this session; those who wait get it in the order of coming.
SELECT pg_advisory_lock(%(kind)s, %(number)s)
