-- name: waiting
-- Batches that have not ended as the fields of WaitingBatch, oldest first.
SELECT number, token, batch_id, model, task, prompt_version, requests,
       (SELECT count(*) FROM model_batch_file WHERE batch = number), estimated_cost, submitted_at
FROM model_batch WHERE ended = '' ORDER BY number

-- name: prepare
-- A batch that is about to be submitted; returns its number.
INSERT INTO model_batch (model, task, prompt_version, requests, estimated_cost, submitted_at)
VALUES (%(model)s, %(task)s, %(prompt_version)s, %(requests)s, %(cost)s, %(now)s) RETURNING number

-- name: submitted
-- The id the service gave it.
UPDATE model_batch SET batch_id = %(batch_id)s WHERE number = %(batch)s

-- name: join
-- A file waits for one answer of the batch.
INSERT INTO model_batch_file (batch, file_id, key) VALUES (%(batch)s, %(file_id)s, %(key)s)
ON CONFLICT (batch, file_id) DO UPDATE SET key = EXCLUDED.key

-- name: keys
-- The files that wait for a batch, each with the key of its answer.
SELECT file_id, key FROM model_batch_file WHERE batch = %(batch)s

-- name: end
-- How a batch ended; no file waits for it any more.
WITH released AS (DELETE FROM model_batch_file WHERE batch = %(batch)s)
UPDATE model_batch SET ended = %(ending)s, answered = %(answered)s, ended_at = %(now)s WHERE number = %(batch)s
