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
