-- name: save
-- A question of an owner in the place of another one of that name.
INSERT INTO contribution_question (owner, name, question) VALUES (%(owner)s, %(name)s, %(question)s)
ON CONFLICT (owner, name) DO UPDATE SET question = EXCLUDED.question, created_at = now()

-- name: of_owner
-- The questions of an owner as the fields of SavedQuestion.
SELECT name, question FROM contribution_question WHERE owner = %(owner)s ORDER BY name

-- name: delete
-- Forgets one question.
DELETE FROM contribution_question WHERE owner = %(owner)s AND name = %(name)s
