-- name: put_owner
-- The owner of sessions, new or known; returns the id.
INSERT INTO x_search_user (owner) VALUES (%(owner)s)
ON CONFLICT (owner) DO UPDATE SET owner = EXCLUDED.owner RETURNING id

-- name: create
-- A session, or the one this owner and message made already; returns the id as text.
INSERT INTO x_search_session (user_id, message_id, query, model_id, status, language, source, page_size, budget,
                              expires_at)
VALUES (%(user_id)s, %(message_id)s, %(question)s, %(model_id)s, 'running', %(language)s, %(source)s, %(page_size)s,
        %(budget_usd)s, now() + make_interval(hours => %(keep_hours)s))
ON CONFLICT (user_id, message_id) DO UPDATE SET message_id = EXCLUDED.message_id RETURNING id::text

-- name: get
-- One session of an owner, of anybody for NULL, as the fields of Session; no row where it has expired.
SELECT session.id::text AS session_id, session.message_id, session.query AS question, session.model_id, session.status,
       session.progress / 100.0::float8 AS progress, session.phase, session.language, session.source,
       session.page_size, session.budget AS budget_usd, session.model_cost AS model_cost_usd, session.reason,
       session.warnings, session.reranker, session.answer, session.phase_seconds AS seconds, session.resume_after,
       session.created_at, session.expires_at, COALESCE(session.lease_until > now(), false) AS worked_on,
       (SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE session_id = session.id) AS cost_usd,
       (SELECT COALESCE(sum(seconds), 0) FROM x_search_page WHERE session_id = session.id) AS service_seconds,
       (SELECT count(*) FROM x_search_result_message WHERE session_id = session.id) AS posts, session.removed,
       cardinality(session.withheld) AS withheld, cardinality(session.unreadable) AS unreadable
FROM x_search_session AS session JOIN x_search_user AS person ON person.id = session.user_id
WHERE session.id = %(session)s AND (%(owner)s::text IS NULL OR person.owner = %(owner)s)
  AND NOT (expires_at < now() AND COALESCE(lease_until, '-infinity') < now())

-- name: latest
-- The newest sessions of an owner as the fields of Session.
SELECT session.id::text AS session_id, session.message_id, session.query AS question, session.model_id, session.status,
       session.progress / 100.0::float8 AS progress, session.phase, session.language, session.source,
       session.page_size, session.budget AS budget_usd, session.model_cost AS model_cost_usd, session.reason,
       session.warnings, session.reranker, session.answer, session.phase_seconds AS seconds, session.resume_after,
       session.created_at, session.expires_at, COALESCE(session.lease_until > now(), false) AS worked_on,
       (SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE session_id = session.id) AS cost_usd,
       (SELECT COALESCE(sum(seconds), 0) FROM x_search_page WHERE session_id = session.id) AS service_seconds,
       (SELECT count(*) FROM x_search_result_message WHERE session_id = session.id) AS posts, session.removed,
       cardinality(session.withheld) AS withheld, cardinality(session.unreadable) AS unreadable
FROM x_search_session AS session JOIN x_search_user AS person ON person.id = session.user_id
WHERE person.owner = %(owner)s ORDER BY session.created_at DESC, session.id LIMIT %(limit)s

-- name: abandoned
-- Ids and progress in percent of sessions whose worker died: its lease ran out and was never given back. Not those that
-- failed, that a person stopped, or that X serves nothing yet.
SELECT id::text, progress FROM x_search_session
WHERE source = %(source)s AND lease_until < now() AND expires_at > now()
  AND (status = 'running' OR status = 'paused' AND resume_after <= now())
ORDER BY created_at, id

-- name: queries
-- The queries of a session as the fields of QueryState.
SELECT ordinal, text, status, reason, next_token, pages, fetched, fresh, restarted
FROM x_search_query WHERE session_id = %(session)s ORDER BY ordinal

-- name: posts
-- The posts of a session with their scores, best first; before there are scores, newest first.
SELECT x_post_id AS post_id, content AS text, metadata, query_ordinals, embedding_score, rerank_score, final_score,
       rank, near_copy_of
FROM x_search_result_message JOIN x_search_result ON x_search_result.id = result_id
WHERE session_id = %(session)s
ORDER BY rank NULLS LAST, embedding_score DESC NULLS LAST, metadata ->> 'posted_at' DESC, x_post_id

-- name: forget
-- Deletes one session of an owner, or all for NULL; of anybody where the owner is NULL.
DELETE FROM x_search_session USING x_search_user
WHERE x_search_user.id = user_id AND (%(owner)s::text IS NULL OR owner = %(owner)s)
  AND (%(session)s::uuid IS NULL OR x_search_session.id = %(session)s)

-- name: sweep
-- Deletes the sessions that have expired and that no worker holds.
DELETE FROM x_search_session WHERE expires_at < now() AND COALESCE(lease_until, '-infinity') < now()

-- name: remove_unused_posts
-- Deletes the posts that no session links to.
DELETE FROM x_search_result
WHERE NOT EXISTS (SELECT FROM x_search_result_message WHERE result_id = x_search_result.id)

-- name: forget_answers
-- What models wrote from posts, which is remembered beside the sessions so that nobody pays twice after a crash.
DELETE FROM model_answer WHERE task = 'x_answer'

-- name: add_event
-- One event of a session; who listens is told.
INSERT INTO x_search_event (session_id, kind, phase, progress, post_ids)
VALUES (%(session)s, %(kind)s, %(phase)s, %(progress)s, %(posts)s)

-- name: events_since
-- The events after one, oldest first: kind, phase, progress in [0, 1], post ids, number.
SELECT kind, phase, progress / 100.0::float8, post_ids, sequence FROM x_search_event
WHERE session_id = %(session)s AND sequence > %(sequence)s ORDER BY sequence

-- name: listen
-- The id of every session that something happens to, from now on.
LISTEN x_search

-- name: spent_this_month
-- US dollars since the first of this month, UTC.
SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE day >= date_trunc('month', now() AT TIME ZONE 'UTC')

-- name: spent_on_session
-- US dollars of one session.
SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE session_id = %(session)s
