-- name: claim
-- Gives the session to a worker; changes no row where a living worker has it, it is done or gone.
UPDATE x_search_session SET lease_owner = %(worker)s, lease_until = now() + make_interval(secs => %(seconds)s)
WHERE id = %(session)s AND status <> 'done' AND COALESCE(lease_until, '-infinity') < now()

-- name: renew
-- Holds the session longer; changes no row where this worker does not have it any more.
UPDATE x_search_session SET lease_until = now() + make_interval(secs => %(seconds)s)
WHERE id = %(session)s AND lease_owner = %(worker)s

-- name: release
-- Lets others take the session.
UPDATE x_search_session SET lease_owner = NULL, lease_until = NULL, reserved = 0
WHERE id = %(session)s AND lease_owner = %(worker)s

-- name: enter
-- A later phase begins; changes no row where the session is in that phase or beyond it.
UPDATE x_search_session SET phase = %(phase)s, progress = greatest(progress, %(percent)s)
WHERE id = %(session)s
  AND array_position(ARRAY['query_generation', 'searching', 'embedding', 'ranking', 'reranking', 'saving'], %(phase)s)
      > array_position(ARRAY['query_generation', 'searching', 'embedding', 'ranking', 'reranking', 'saving'], phase)

-- name: advance
-- Progress in percent, seconds worked in a phase, US dollars paid to models.
UPDATE x_search_session SET
    progress = greatest(progress, %(percent)s),
    model_cost = model_cost + %(cost)s,
    phase_seconds = phase_seconds || jsonb_build_object(%(phase)s::text,
        COALESCE((phase_seconds ->> %(phase)s)::float8, 0) + %(seconds)s)
WHERE id = %(session)s

-- name: warn
-- One warning more, each once.
UPDATE x_search_session SET warnings = warnings || %(warning)s::text
WHERE id = %(session)s AND NOT %(warning)s = ANY(warnings)

-- name: set_status
-- Status and reason, and when it may go on; returns phase and progress in [0, 1].
UPDATE x_search_session SET status = %(status)s, reason = %(reason)s, reserved = 0,
    resume_after = now() + make_interval(secs => %(seconds)s)
WHERE id = %(session)s RETURNING phase, progress / 100.0::float8

-- name: finish
-- It is done, with an answer.
UPDATE x_search_session SET status = 'done', progress = 100, reason = '', resume_after = NULL, answer = %(answer)s
WHERE id = %(session)s

-- name: save_queries
-- The queries of a session, numbered from 1; those it has already stay.
INSERT INTO x_search_query (session_id, ordinal, text) SELECT %(session)s, ordinality, text
FROM unnest(%(texts)s::text[]) WITH ORDINALITY AS given (text, ordinality) ON CONFLICT DO NOTHING

-- name: end_query
-- No more pages of a query are asked for.
UPDATE x_search_query SET status = %(status)s, reason = %(reason)s
WHERE session_id = %(session)s AND ordinal = %(ordinal)s

-- name: restart_query
-- A query begins with its first page again.
UPDATE x_search_query SET next_token = NULL, restarted = true
WHERE session_id = %(session)s AND ordinal = %(ordinal)s

-- name: without_embedding
-- Posts of the session that a model has not embedded yet: id and text.
SELECT x_post_id, content FROM x_search_result JOIN x_search_result_message ON result_id = x_search_result.id
WHERE session_id = %(session)s AND embedding_model IS DISTINCT FROM %(model)s ORDER BY x_post_id LIMIT %(limit)s

-- name: count_without_embedding
-- How many posts of the session a model has not embedded yet.
SELECT count(*) FROM x_search_result JOIN x_search_result_message ON result_id = x_search_result.id
WHERE session_id = %(session)s AND embedding_model IS DISTINCT FROM %(model)s

-- name: save_embedding
-- The embedding of a post.
UPDATE x_search_result SET embedding = %(embedding)b, embedding_model = %(model)s WHERE x_post_id = %(post)s

-- name: cosines
-- Post id and cosine of every post of the session with an embedding.
SELECT x_post_id, 1 - (embedding <=> %(embedding)b)
FROM x_search_result JOIN x_search_result_message ON result_id = x_search_result.id
WHERE session_id = %(session)s AND embedding IS NOT NULL

-- name: save_ranking
-- Embedding scores, and the posts that others are folded under.
UPDATE x_search_result_message AS link SET embedding_score = given.score, near_copy_of = given.copy
FROM x_search_result AS post,
     unnest(%(posts)s::text[], %(scores)s::float8[], %(copies)s::text[]) AS given (post_id, score, copy)
WHERE post.x_post_id = given.post_id AND link.result_id = post.id AND link.session_id = %(session)s

-- name: set_reranker
-- Who reranked the posts of the session.
UPDATE x_search_session SET reranker = %(reranker)s WHERE id = %(session)s

-- name: save_reranking
-- Scores of the reranker.
UPDATE x_search_result_message AS link SET rerank_score = given.score
FROM x_search_result AS post, unnest(%(posts)s::text[], %(scores)s::float8[]) AS given (post_id, score)
WHERE post.x_post_id = given.post_id AND link.result_id = post.id AND link.session_id = %(session)s

-- name: save_scores
-- Final scores and ranks.
UPDATE x_search_result_message AS link SET final_score = given.score, rank = given.rank
FROM x_search_result AS post,
     unnest(%(posts)s::text[], %(scores)s::float8[], %(ranks)s::integer[]) AS given (post_id, score, rank)
WHERE post.x_post_id = given.post_id AND link.result_id = post.id AND link.session_id = %(session)s
