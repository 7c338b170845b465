-- name: keep_alive
-- A worker on another machine that vanishes without a word gives its locks back within about a minute.
SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3

-- name: try_lock
-- Takes a lock of this session if nobody holds it; whether it was taken.
SELECT pg_try_advisory_lock(%(kind)s, %(number)s)

-- name: unlock
-- Gives a lock of this session back.
SELECT pg_advisory_unlock(%(kind)s, %(number)s)

-- name: is_held
-- Whether some session of this database holds a lock.
SELECT EXISTS (
    SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND granted AND datname = current_database()
      AND classid::bigint = %(kind)s AND objid::bigint = %(number)s::bigint & x'ffffffff'::bigint
)

-- name: lock_until_commit
-- Waits for a lock and holds it until the transaction ends.
SELECT pg_advisory_xact_lock(%(key)s)

-- name: share_until_commit
-- Waits for whoever holds the lock alone, and holds it beside others until the transaction ends.
SELECT pg_advisory_xact_lock_shared(%(key)s)
