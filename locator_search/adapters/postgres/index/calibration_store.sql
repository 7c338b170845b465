-- name: files
-- Number of indexed files.
SELECT count(*) FROM drive_file_index

-- name: sample
-- Id, name, chunk text and embedding of some files with chunks, and of each of them at most so many chunks. Drawn by a
-- hash of their ids: as good as by chance, and the same files each time.
WITH drawn AS (
    SELECT file_id, file_name FROM drive_file_index AS f
    WHERE EXISTS (SELECT FROM file_chunk AS c WHERE c.file_id = f.file_id AND c.embedding IS NOT NULL)
    ORDER BY md5(file_id), file_id LIMIT %(files)s
)
SELECT file_id, file_name, c.text, c.embedding FROM drawn
CROSS JOIN LATERAL (
    SELECT text, embedding, ordinal FROM file_chunk
    WHERE file_chunk.file_id = drawn.file_id AND embedding IS NOT NULL
    ORDER BY md5(chunk_id) LIMIT %(chunks)s
) AS c
ORDER BY md5(file_id), file_id, c.ordinal

-- name: measured
-- The calibration measured on this index: pairs of cosine and similarity, number of files, time.
SELECT calibration, calibrated_files, calibrated_at FROM index_profile
WHERE calibrated_at IS NOT NULL AND calibration IS NOT NULL

-- name: keep
-- Another calibration; an empty index has no row for one.
UPDATE index_profile SET calibration = %(anchors)s, calibrated_files = %(files)s, calibrated_at = %(at)s,
       updated_at = now()

-- name: forget
-- No calibration was measured.
UPDATE index_profile SET calibration = NULL, calibrated_files = NULL, calibrated_at = NULL, updated_at = now()
WHERE calibration IS NOT NULL
