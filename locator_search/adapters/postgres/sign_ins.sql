-- name: sealed
-- A sign-in that was sealed with some secret.
SELECT sealed FROM live_sign_in WHERE service = %(service)s AND secret_mark = %(secret_mark)s

-- name: keep
-- A sign-in in the place of the one before; the turn goes on.
INSERT INTO live_sign_in (service, secret_mark, sealed) VALUES (%(service)s, %(secret_mark)s, %(sealed)s)
ON CONFLICT (service, secret_mark) DO UPDATE SET sealed = EXCLUDED.sealed

-- name: forget
-- Whatever is kept of the sign-ins to a service, with whichever secret.
DELETE FROM live_sign_in WHERE service = %(service)s

-- name: take_turn
-- Whether the turn to renew a sign-in is ours now: nobody has it, or has had it for too long. None is kept: it is.
WITH taken AS (
    UPDATE live_sign_in SET renewed_until = now() + make_interval(secs => %(seconds)s)
    WHERE service = %(service)s AND secret_mark = %(secret_mark)s AND (renewed_until IS NULL OR renewed_until < now())
    RETURNING service
)
SELECT EXISTS (SELECT FROM taken)
    OR NOT EXISTS (SELECT FROM live_sign_in WHERE service = %(service)s AND secret_mark = %(secret_mark)s)

-- name: end_turn
-- The next one may renew it.
UPDATE live_sign_in SET renewed_until = NULL WHERE service = %(service)s AND secret_mark = %(secret_mark)s
