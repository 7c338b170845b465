-- name: add
-- One call more on the row of this day, task and model.
INSERT INTO model_usage AS kept (task, model, calls, input_tokens, output_tokens, cost, seconds)
VALUES (%(task)s, %(model)s, %(calls)s, %(input_tokens)s, %(output_tokens)s, %(cost_usd)s, %(seconds)s)
ON CONFLICT (day, task, model) DO UPDATE SET
    calls = kept.calls + EXCLUDED.calls,
    input_tokens = kept.input_tokens + EXCLUDED.input_tokens,
    output_tokens = kept.output_tokens + EXCLUDED.output_tokens,
    cost = kept.cost + EXCLUDED.cost,
    seconds = kept.seconds + EXCLUDED.seconds

-- name: total
-- Calls, tokens sent, tokens answered and US dollars of all days.
SELECT COALESCE(sum(calls), 0)::bigint, COALESCE(sum(input_tokens), 0)::bigint,
       COALESCE(sum(output_tokens), 0)::bigint, COALESCE(sum(cost), 0)
FROM model_usage
