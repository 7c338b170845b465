-- name: record
-- One finished search; returns its id.
INSERT INTO search_log (question, surface, outcome, message, rounds, file_ids, model_calls, tokens, cost,
                        seconds, step_seconds)
VALUES (%(question)s, %(surface)s, %(outcome)s, %(message)s, %(rounds)s, %(file_ids)s, %(calls)s, %(tokens)s, %(cost)s,
        %(seconds)s, %(step_seconds)s)
RETURNING search_id

-- name: record_feedback
-- What a person thought of one result; a second opinion replaces the first.
INSERT INTO search_feedback (search_id, file_id, useful) VALUES (%(search_id)s, %(file_id)s, %(useful)s)
ON CONFLICT (search_id, file_id) DO UPDATE SET useful = EXCLUDED.useful, created_at = now()

-- name: record_opening
-- A person opened one result; the first time counts.
INSERT INTO search_opening (search_id, file_id) VALUES (%(search_id)s, %(file_id)s) ON CONFLICT DO NOTHING

-- name: judgements
-- Question, file id and grade (2 useful, 1 opened, 0 of no use), one per question and indexed file, in the order in
-- which the questions were first asked. The last opinion counts; that a file was opened counts only where nobody gave
-- an opinion.
WITH judged AS (
    SELECT search_id, file_id, CASE WHEN useful THEN 2 ELSE 0 END AS grade, created_at AS at, 1 AS weight
    FROM search_feedback
    UNION ALL
    SELECT search_id, file_id, 1, opened_at, 0 FROM search_opening
), latest AS (
    SELECT DISTINCT ON (btrim(question), file_id)
           btrim(question) AS question, file_id, grade,
           min(search_id) OVER (PARTITION BY btrim(question)) AS first_asked
    FROM judged JOIN search_log USING (search_id) JOIN drive_file_index USING (file_id)
    ORDER BY btrim(question), file_id, weight DESC, at DESC
)
SELECT question, file_id, grade FROM latest WHERE question <> '' ORDER BY first_asked, file_id

-- name: texts
-- File id, name and text of every indexed file: its chunks, else its summary.
SELECT f.file_id, f.file_name, COALESCE(string_agg(c.text, E'\n' ORDER BY c.ordinal), f.summary)
FROM drive_file_index AS f LEFT JOIN file_chunk AS c USING (file_id)
GROUP BY f.file_id ORDER BY f.file_id
