-- name: due
-- Ids of posts X returned last before today, of a session or of all; of anybody for a NULL owner; the best first.
SELECT x_post_id FROM x_search_result AS post
JOIN x_search_result_message AS link ON link.result_id = post.id
JOIN x_search_session AS session ON session.id = link.session_id
JOIN x_search_user AS person ON person.id = session.user_id
WHERE session.source = %(source)s AND session.expires_at > now()
  AND (%(session)s::uuid IS NULL OR session.id = %(session)s)
  AND (%(owner)s::text IS NULL OR person.owner = %(owner)s)
  AND seen_at < date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
GROUP BY x_post_id ORDER BY min(rank) NULLS LAST, x_post_id

-- name: bought_today
-- Those of the posts that were bought today.
SELECT bought_id FROM x_purchase
WHERE day = (now() AT TIME ZONE 'UTC')::date AND kind = 'post' AND bought_id = ANY(%(posts)s)

-- name: refund
-- Takes back what was entered today for these posts.
DELETE FROM x_purchase
WHERE day = (now() AT TIME ZONE 'UTC')::date AND kind = 'post' AND bought_id = ANY(%(posts)s)

-- name: count_removed
-- Counts the posts as removed from every session that has them; returns the sessions and their answers.
UPDATE x_search_session AS session SET removed = removed + lost.posts
FROM (SELECT session_id, count(*) AS posts
      FROM x_search_result_message JOIN x_search_result ON x_search_result.id = result_id
      WHERE x_post_id = ANY(%(gone)s) GROUP BY session_id) AS lost
WHERE session.id = lost.session_id RETURNING session.id, session.answer

-- name: set_answer
-- The answer of a session as what is left of it.
UPDATE x_search_session SET answer = %(answer)s WHERE id = %(session)s

-- name: remove_posts
-- The posts with their links.
DELETE FROM x_search_result WHERE x_post_id = ANY(%(gone)s)

-- name: fold_anew
-- Near-copies of a post that is gone are folded under the best of them.
UPDATE x_search_result_message AS link SET near_copy_of = NULLIF(best.x_post_id, post.x_post_id)
FROM x_search_result AS post, (
    SELECT DISTINCT ON (session_id, near_copy_of) session_id, near_copy_of, x_post_id
    FROM x_search_result_message JOIN x_search_result ON x_search_result.id = result_id
    WHERE session_id = ANY(%(sessions)s) AND near_copy_of = ANY(%(gone)s)
    ORDER BY session_id, near_copy_of, rank NULLS LAST, embedding_score DESC NULLS LAST, x_post_id
) AS best
WHERE link.session_id = best.session_id AND link.near_copy_of = best.near_copy_of AND post.id = link.result_id

-- name: close_gaps
-- The ranks of each session are 1, 2, 3 ... again.
UPDATE x_search_result_message AS link SET rank = place.rank FROM (
    SELECT id, row_number() OVER (PARTITION BY session_id ORDER BY rank) AS rank
    FROM x_search_result_message WHERE session_id = ANY(%(sessions)s) AND rank IS NOT NULL
) AS place WHERE link.id = place.id AND link.rank <> place.rank
