-- name: index_figures
-- Name, labels and value of each figure about files, crawls, models and requests in flight. Slots are locks of two
-- numbers that are neither of files nor of the daemon; the number -1 is the place at the head of a line.
SELECT 'files', jsonb_build_object('state', state), count(*)::float8 FROM file_state GROUP BY state
UNION ALL
SELECT 'files_left_out', jsonb_build_object('state', state, 'reason', split_part(reason, ':', 1)), count(*)
FROM file_state WHERE state IN ('skipped', 'failed', 'no_access') GROUP BY state, split_part(reason, ':', 1)
UNION ALL
SELECT 'crawl_age_seconds', '{}', extract(epoch FROM now() - max(finished_at))
FROM drive_sync_state HAVING max(finished_at) IS NOT NULL
UNION ALL
SELECT 'read_seconds_last_hour', '{}', avg(seconds)
FROM extracted_text WHERE created_at > now() - interval '1 hour' HAVING avg(seconds) IS NOT NULL
UNION ALL
SELECT 'model_calls_total', jsonb_build_object('task', task, 'model', model), sum(calls)
FROM model_usage GROUP BY task, model
UNION ALL
SELECT 'model_tokens_total', jsonb_build_object('task', task, 'model', model), sum(input_tokens + output_tokens)
FROM model_usage GROUP BY task, model
UNION ALL
SELECT 'model_cost_usd_total', jsonb_build_object('task', task, 'model', model), sum(cost)
FROM model_usage GROUP BY task, model
UNION ALL
SELECT 'model_seconds_total', jsonb_build_object('task', task, 'model', model), sum(seconds)
FROM model_usage GROUP BY task, model
UNION ALL
SELECT 'model_refusals', jsonb_build_object('task', task, 'model', model), count(*)
FROM model_refusal GROUP BY task, model
UNION ALL
SELECT 'files_waiting_for_model', jsonb_build_object('why', stand_in), count(*)
FROM file_state WHERE stand_in <> '' GROUP BY stand_in
UNION ALL
SELECT 'contributions', jsonb_build_object('state', state), count(*) FROM contribution GROUP BY state
UNION ALL
SELECT 'x_sessions', jsonb_build_object('status', status), count(*) FROM x_search_session GROUP BY status
UNION ALL
SELECT 'request_slots_in_use', '{}', count(*)
FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE locktype = 'advisory' AND granted AND datname = current_database() AND objsubid = 2
  AND classid::bigint NOT IN (%(files)s, %(daemon)s) AND objid::bigint <> x'ffffffff'::bigint

-- name: search_figures
-- A histogram of the seconds of searches by surface: how many took at most so long, in order; their sum and number.
-- The seconds and the number of searches that had a kind of step, and how searches ended.
WITH taken AS (SELECT surface, seconds FROM search_log WHERE seconds IS NOT NULL),
     bound (le, most) AS (VALUES ('0.1', 0.1), ('0.25', 0.25), ('0.5', 0.5), ('1', 1), ('2.5', 2.5), ('5', 5),
                                 ('10', 10), ('20', 20), ('+Inf', 'infinity'::float8))
SELECT name, labels, value FROM (
    SELECT 'search_seconds_bucket' AS name, jsonb_build_object('surface', surface, 'le', le) AS labels,
           count(*) FILTER (WHERE seconds <= most)::float8 AS value, surface, most
    FROM taken CROSS JOIN bound GROUP BY surface, le, most
    UNION ALL
    SELECT 'search_seconds_sum', jsonb_build_object('surface', surface), sum(seconds), surface, NULL
    FROM taken GROUP BY surface
    UNION ALL
    SELECT 'search_seconds_count', jsonb_build_object('surface', surface), count(*), surface, NULL
    FROM taken GROUP BY surface
    UNION ALL
    SELECT 'search_step_seconds_sum', jsonb_build_object('step', step), sum(took::float8), step, NULL
    FROM search_log, jsonb_each_text(step_seconds) AS of_step (step, took) GROUP BY step
    UNION ALL
    SELECT 'search_step_seconds_count', jsonb_build_object('step', step), count(*), step, NULL
    FROM search_log, jsonb_object_keys(step_seconds) AS step GROUP BY step
    UNION ALL
    SELECT 'searches_total', jsonb_build_object('surface', surface, 'outcome', outcome), count(*), surface, NULL
    FROM search_log GROUP BY surface, outcome
) AS figures ORDER BY surface, most

-- name: has_dagster
-- Whether Dagster has made its tables.
SELECT to_regclass('dagster.daemon_heartbeats') IS NOT NULL

-- name: dagster_figures
-- The same about runs, ticks, the daemon and slots of batches. Dagster's times are UTC without saying so.
WITH clock AS (SELECT now() AT TIME ZONE 'UTC' AS utc)
SELECT 'runs', jsonb_build_object('job', pipeline_name, 'status', lower(status)), count(*)::float8 FROM dagster.runs
WHERE status IN ('QUEUED', 'NOT_STARTED', 'STARTING', 'STARTED', 'CANCELING') GROUP BY pipeline_name, status
UNION ALL
SELECT 'queue_age_seconds', '{}', COALESCE(extract(epoch FROM (SELECT utc FROM clock) - min(create_timestamp)), 0)
FROM dagster.runs WHERE status IN ('QUEUED', 'NOT_STARTED')
UNION ALL
SELECT 'runs_ended_last_hour', jsonb_build_object('job', pipeline_name, 'status', lower(status)), count(*)
FROM dagster.runs WHERE end_time > extract(epoch FROM now()) - 3600 GROUP BY pipeline_name, status
UNION ALL
SELECT 'run_seconds_last_hour', jsonb_build_object('job', pipeline_name), avg(end_time - start_time)
FROM dagster.runs WHERE end_time > extract(epoch FROM now()) - 3600 AND start_time IS NOT NULL GROUP BY pipeline_name
UNION ALL
SELECT 'tick_age_seconds', jsonb_build_object('kind', lower(type)),
       extract(epoch FROM (SELECT utc FROM clock) - max(timestamp))
FROM dagster.job_ticks GROUP BY type
UNION ALL
SELECT 'ticks_failed_last_hour', '{}', count(*)
FROM dagster.job_ticks WHERE status = 'FAILURE' AND timestamp > (SELECT utc FROM clock) - interval '1 hour'
UNION ALL
SELECT 'tick_seconds_last_hour', jsonb_build_object('kind', lower(type)), avg(ended - began)
FROM (
    SELECT type, (tick_body::jsonb ->> 'timestamp')::float8 AS began,
           (tick_body::jsonb ->> 'end_timestamp')::float8 AS ended
    FROM dagster.job_ticks WHERE timestamp > (SELECT utc FROM clock) - interval '1 hour'
) AS ticks
WHERE ended IS NOT NULL GROUP BY type
UNION ALL
SELECT 'daemon_heartbeat_age_seconds', '{}', extract(epoch FROM (SELECT utc FROM clock) - max(timestamp))
FROM dagster.daemon_heartbeats HAVING max(timestamp) IS NOT NULL
UNION ALL
SELECT 'crawl_slots', '{}', COALESCE(sum("limit"), 0)
FROM dagster.concurrency_limits WHERE concurrency_key = 'index_files'
UNION ALL
SELECT 'crawl_slots_in_use', '{}', count(*)
FROM dagster.concurrency_slots WHERE concurrency_key = 'index_files' AND run_id IS NOT NULL AND NOT deleted

-- name: dagster_rests
-- Whether no run is under way, and none that ended kept its place in a pool. Runs that nobody has begun may wait.
SELECT NOT EXISTS (SELECT FROM dagster.runs WHERE status IN ('NOT_STARTED', 'STARTING', 'STARTED', 'CANCELING'))
   AND NOT EXISTS (SELECT FROM dagster.concurrency_slots WHERE run_id IS NOT NULL AND NOT deleted)
   AND NOT EXISTS (SELECT FROM dagster.pending_steps)
