-- name: extraction
-- What came of reading a content with a parser: state (NULL as long as nothing has), reason, document, seconds. Before
-- them, how many readings began and have no result.
SELECT attempts, state, reason, document, seconds FROM extracted_text
WHERE content_hash = %(hash)s AND parser_version = %(version)s

-- name: keep_extraction
-- Good or bad, it takes the place of the former one, and no reading is unfinished any more.
INSERT INTO extracted_text (content_hash, parser_version, attempts, state, reason, document, seconds)
VALUES (%(hash)s, %(version)s, 0, %(state)s, %(reason)s, %(document)s, %(seconds)s)
ON CONFLICT (content_hash, parser_version) DO UPDATE SET
    attempts = 0, state = EXCLUDED.state, reason = EXCLUDED.reason, document = EXCLUDED.document,
    seconds = EXCLUDED.seconds

-- name: begin_reading
-- One more reading that has no result.
INSERT INTO extracted_text (content_hash, parser_version, attempts) VALUES (%(hash)s, %(version)s, 1)
ON CONFLICT (content_hash, parser_version) DO UPDATE SET attempts = extracted_text.attempts + 1

-- name: give_up_reading
-- One reading less that has no result.
UPDATE extracted_text SET attempts = greatest(0, attempts - 1)
WHERE content_hash = %(hash)s AND parser_version = %(version)s

-- name: answer
-- The remembered answer as JSON; else why there is no usable one, how often it was asked, when it may be asked again.
-- No row of a question that was never asked.
SELECT answer, NULL AS reason, NULL::integer AS attempts, NULL::timestamptz AS next_try_at
FROM model_answer WHERE key = %(key)s
UNION ALL SELECT NULL, reason, attempts, next_try_at FROM model_refusal WHERE key = %(key)s

-- name: keep_answer
-- The question is no longer refused. Of two answers that arrive for one key the first stays, so every reader sees the
-- same.
WITH answered AS (DELETE FROM model_refusal WHERE key = %(key)s)
INSERT INTO model_answer (key, task, prompt_version, model, answer, tokens, cost)
VALUES (%(key)s, %(task)s, %(prompt_version)s, %(model)s, %(answer)s, %(tokens)s, %(cost)s)
ON CONFLICT (key) DO NOTHING

-- name: forget_answer
-- An answer that is of no use.
DELETE FROM model_answer WHERE key = %(key)s

-- name: keep_refusal
-- It takes the place of the former refusal.
INSERT INTO model_refusal (key, task, model, reason, attempts, next_try_at)
VALUES (%(key)s, %(task)s, %(model)s, %(reason)s, %(attempts)s, %(next_try_at)s)
ON CONFLICT (key) DO UPDATE SET
    reason = EXCLUDED.reason, attempts = EXCLUDED.attempts, next_try_at = EXCLUDED.next_try_at, updated_at = now()

-- name: learn_width
-- The length of a model's embeddings, unless one is known already.
INSERT INTO embedding_width (model, width) VALUES (%(model)s, %(width)s) ON CONFLICT (model) DO NOTHING

-- name: width
-- The length of a model's embeddings.
SELECT width FROM embedding_width WHERE model = %(model)s

-- name: embeddings
-- Remembered embeddings by key, each with the length it was kept with (NULL: not noted) and the length of the model.
-- No rows as long as the length of the model is not known.
SELECT key, embedding, kept.width, model.width
FROM text_embedding AS kept JOIN embedding_width AS model USING (model)
WHERE model = %(model)s AND key = ANY(%(keys)s) AND COALESCE(kept.width, model.width) = model.width

-- name: keep_embedding
-- One that is there stays, unless its length is another one.
INSERT INTO text_embedding AS kept (model, key, embedding, width)
VALUES (%(model)s, %(key)s, %(embedding)b, (SELECT width FROM embedding_width WHERE model = %(model)s))
ON CONFLICT (model, key) DO UPDATE SET embedding = EXCLUDED.embedding, width = EXCLUDED.width
WHERE kept.width IS DISTINCT FROM EXCLUDED.width
