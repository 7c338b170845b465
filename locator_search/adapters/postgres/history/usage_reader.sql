-- name: question_figures
-- The searches of the last days as the fields of QuestionFigures: all together first, with no day, then day by day.
SELECT (created_at AT TIME ZONE %(zone)s)::date AS day, count(*) AS questions,
       count(*) FILTER (WHERE outcome = 'not_found') AS unanswered,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median_seconds,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds) AS p95_seconds
FROM search_log
WHERE created_at >= (date_trunc('day', now() AT TIME ZONE %(zone)s) - make_interval(days => %(days)s - 1))
                    AT TIME ZONE %(zone)s
GROUP BY GROUPING SETS ((), ((created_at AT TIME ZONE %(zone)s)::date)) ORDER BY day NULLS FIRST

-- name: work
-- Day (UTC), task, calls, tokens and US dollars of models, and of posts bought from X as the task `x_posts`.
SELECT day, task, sum(calls)::bigint, sum(input_tokens + output_tokens)::bigint, sum(cost)
FROM model_usage WHERE day > (now() AT TIME ZONE 'UTC')::date - %(days)s::int GROUP BY day, task
UNION ALL
SELECT day, 'x_posts', count(*), 0, sum(price)
FROM x_purchase WHERE day > (now() AT TIME ZONE 'UTC')::date - %(days)s::int GROUP BY day
ORDER BY 1, 2

-- name: questions
-- The first so many questions of the last days as the fields of QuestionUsage, each once: those asked last; of
-- `dearest`, those that cost most; of `unanswered`, those that found nothing the last time, the most frequent first.
WITH asked AS (
    SELECT 'search' AS system, question, created_at AS at, outcome = 'not_found' AS unanswered, seconds, tokens, cost
    FROM search_log
    UNION ALL
    SELECT 'x', query, created_at, status = 'failed', NULL, 0, model_cost + COALESCE(
        (SELECT sum(price) FROM x_purchase WHERE session_id = session.id), 0)
    FROM x_search_session AS session
    UNION ALL
    SELECT 'contributions', COALESCE(NULLIF(result ->> 'question', ''), array_to_string(contribution_ids, ', ')),
           created_at, FALSE, NULL, tokens, cost
    FROM contribution_analysis
), each AS (
    SELECT system, (array_agg(question ORDER BY at DESC))[1] AS question, count(*) AS times, max(at) AS asked_at,
           (array_agg(unanswered ORDER BY at DESC))[1] AS unanswered,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS seconds, sum(tokens)::bigint AS tokens,
           sum(cost) AS cost_usd
    FROM asked
    WHERE at >= (date_trunc('day', now() AT TIME ZONE %(zone)s) - make_interval(days => %(days)s - 1))
                AT TIME ZONE %(zone)s
    GROUP BY system, lower(normalize(question, NFKC))
)
SELECT system, question, times, asked_at, unanswered, seconds, tokens, cost_usd FROM each
WHERE (%(wanted)s <> 'dearest' OR cost_usd > 0) AND (%(wanted)s <> 'unanswered' OR unanswered)
ORDER BY CASE %(wanted)s WHEN 'dearest' THEN cost_usd WHEN 'unanswered' THEN times ELSE 0 END DESC, asked_at DESC
LIMIT %(most)s
