-- name: save
-- One analysis.
INSERT INTO contribution_analysis (analysis_id, owner, kind, contribution_ids, language, provider, chat_model, result,
                                   model_calls, tokens, cost)
VALUES (%(analysis)s, %(owner)s, %(kind)s, %(contributions)s, %(language)s, %(provider)s, %(chat_model)s, %(result)s,
        %(calls)s, %(tokens)s, %(cost)s)

-- name: get
-- One analysis of an owner, of anybody for NULL: id, time, result.
SELECT analysis_id, created_at, result FROM contribution_analysis
WHERE analysis_id = %(analysis)s AND (%(owner)s::text IS NULL OR owner = %(owner)s)

-- name: latest
-- The newest analyses of an owner: id, time, result.
SELECT analysis_id, created_at, result FROM contribution_analysis
WHERE owner = %(owner)s ORDER BY created_at DESC, analysis_id LIMIT %(limit)s

-- name: save_question
-- A question of an owner in the place of another one of that name.
INSERT INTO contribution_question (owner, name, question) VALUES (%(owner)s, %(name)s, %(question)s)
ON CONFLICT (owner, name) DO UPDATE SET question = EXCLUDED.question, created_at = now()

-- name: questions
-- The questions of an owner as the fields of SavedQuestion.
SELECT name, question FROM contribution_question WHERE owner = %(owner)s ORDER BY name

-- name: delete_question
-- Forgets one question.
DELETE FROM contribution_question WHERE owner = %(owner)s AND name = %(name)s
