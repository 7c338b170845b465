-- name: inspect
-- Damage that no constraint of the tables excludes, as the fields of IndexHealth.
WITH vectors AS (
    SELECT embedding FROM drive_file_index WHERE embedding IS NOT NULL
    UNION ALL SELECT embedding FROM file_chunk WHERE embedding IS NOT NULL
)
SELECT
    (SELECT count(*) FROM drive_file_index),
    (SELECT count(*) FROM file_state WHERE state = 'indexed'
        AND NOT EXISTS (SELECT FROM drive_file_index WHERE drive_file_index.file_id = file_state.file_id)),
    (SELECT count(*) FROM drive_file_index
        WHERE NOT EXISTS (SELECT FROM file_state WHERE file_state.file_id = drive_file_index.file_id)),
    (SELECT count(*) FROM vectors WHERE abs(vector_norm(embedding) - 1) > 0.001),
    (SELECT COALESCE(array_agg(DISTINCT vector_dims(embedding)), '{}') FROM vectors),
    (SELECT COALESCE(array_agg(DISTINCT embedding_model), '{}') FROM drive_file_index)
