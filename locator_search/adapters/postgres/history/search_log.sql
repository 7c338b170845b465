-- name: record
-- One finished search; returns its id.
INSERT INTO search_log (question, surface, outcome, message, rounds, file_ids, model_calls, tokens, cost)
VALUES (%(question)s, %(surface)s, %(outcome)s, %(message)s, %(rounds)s, %(file_ids)s, %(calls)s, %(tokens)s, %(cost)s)
RETURNING search_id

-- name: record_feedback
-- What a person thought of one result; a second opinion replaces the first.
INSERT INTO search_feedback (search_id, file_id, useful) VALUES (%(search_id)s, %(file_id)s, %(useful)s)
ON CONFLICT (search_id, file_id) DO UPDATE SET useful = EXCLUDED.useful, created_at = now()

-- name: record_opening
-- A person opened one result; the first time counts.
INSERT INTO search_opening (search_id, file_id) VALUES (%(search_id)s, %(file_id)s) ON CONFLICT DO NOTHING
