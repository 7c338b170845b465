-- Nothing reads them since chunks are scored by their weights (see decision 0021): a tenth of a chunk, and its parsing.

ALTER TABLE file_chunk DROP COLUMN frequencies;
