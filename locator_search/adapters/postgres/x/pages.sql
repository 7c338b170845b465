-- name: free_reservation
-- Takes back what the session had set aside; returns what is left of its budget, in US dollars.
UPDATE x_search_session SET reserved = 0 WHERE id = %(session)s
RETURNING budget - (SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE session_id = %(session)s)

-- name: reserve
-- Sets US dollars aside for one page.
UPDATE x_search_session SET reserved = %(usd)s WHERE id = %(session)s

-- name: taken_this_month
-- US dollars spent since the first of this month, UTC, and those set aside by all sessions.
SELECT (SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE day >= date_trunc('month', now() AT TIME ZONE 'UTC'))
       + (SELECT COALESCE(sum(reserved), 0) FROM x_search_session)

-- name: known_page
-- A row where this page of the query is there already.
SELECT FROM x_search_page WHERE session_id = %(session)s AND ordinal = %(ordinal)s AND page = %(page)s

-- name: keep_posts
-- Each post once. One that is known gets its present numbers; an edited text loses its embedding.
INSERT INTO x_search_result AS kept (x_post_id, content, metadata)
SELECT * FROM unnest(%(posts)s::text[], %(texts)s::text[], %(metadata)s::jsonb[])
ON CONFLICT (x_post_id) DO UPDATE SET
    seen_at = now(),
    content = EXCLUDED.content,
    metadata = EXCLUDED.metadata,
    embedding = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding END,
    embedding_model = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding_model END

-- name: link_posts
-- Links posts to a session; returns, for each link that is new or changed, how many queries have found the post.
INSERT INTO x_search_result_message AS link (result_id, session_id, message_id, query_ordinals)
SELECT x_search_result.id, x_search_session.id, message_id, ARRAY[%(ordinal)s::integer]
FROM x_search_result, x_search_session
WHERE x_post_id = ANY(%(posts)s) AND x_search_session.id = %(session)s
ON CONFLICT (session_id, result_id) DO UPDATE
SET query_ordinals = link.query_ordinals || EXCLUDED.query_ordinals
WHERE NOT link.query_ordinals @> EXCLUDED.query_ordinals
RETURNING cardinality(link.query_ordinals)

-- name: buy
-- Enters what was not bought today already.
INSERT INTO x_purchase (day, kind, bought_id, price, session_id)
SELECT (now() AT TIME ZONE 'UTC')::date, %(kind)s, bought, %(price)s, %(session)s
FROM unnest(%(bought)s::text[]) AS bought
ON CONFLICT DO NOTHING

-- name: record_page
-- One page of a query: its posts, those the session did not have, its price and seconds.
INSERT INTO x_search_page (session_id, ordinal, page, posts, fresh, cost, seconds)
VALUES (%(session)s, %(ordinal)s, %(page)s, %(posts)s, %(fresh)s, %(cost)s, %(seconds)s)

-- name: move_cursor
-- Where the query goes on; without a next page it is done.
UPDATE x_search_query SET
    next_token = %(token)s, pages = %(page)s, fetched = fetched + %(fetched)s, fresh = fresh + %(fresh)s,
    status = CASE WHEN %(token)s::text IS NULL THEN 'done' ELSE status END
WHERE session_id = %(session)s AND ordinal = %(ordinal)s

-- name: progress
-- Progress in percent, which never goes back; nothing is set aside any more; what was bought and cannot be shown.
-- Returns the progress in [0, 1].
UPDATE x_search_session SET progress = greatest(progress, %(percent)s), reserved = 0,
    withheld = ARRAY(SELECT DISTINCT unnest(withheld || %(withheld)s::text[])),
    unreadable = ARRAY(SELECT DISTINCT unnest(unreadable || %(unreadable)s::text[]))
WHERE id = %(session)s
RETURNING progress / 100.0::float8
