-- What the two arms of the search look at, made from the rows of files and chunks when these are written. Rows that
-- are there already get it right after this file (adapters/postgres/backfill.py); 0009 puts the indexes over it.

-- The codes of all embeddings, apart from everything else: a scan over them reads a thirtieth of what it would read
-- over the vectors, and finds the few whose exact distance is worth knowing.
CREATE TABLE embedding_code (
    file_id text NOT NULL REFERENCES drive_file_index ON DELETE CASCADE,
    ordinal integer NOT NULL CHECK (ordinal >= -1),  -- of the chunk; -1 for the file's own embedding
    code    bit(1536) NOT NULL,  -- see retrieval/binary_codes.py
    PRIMARY KEY (file_id, ordinal)
);

-- What a chunk gives to BM25 for each of its terms (retrieval/bm25.py), a dimension per term (the hash of the term):
-- a BM25 score is an inner product with the idf of the question's terms. `mean_length` is the mean length of a chunk
-- that the weights were made with; when scores are computed, that of the day takes its place. The terms of the file's
-- name, keywords and folder are dimensions of their own, with the weight 1.
ALTER TABLE file_chunk
    ADD COLUMN weights     sparsevec(1000000000),
    ADD COLUMN mean_length double precision;
ALTER TABLE drive_file_index
    ADD COLUMN name_weights sparsevec(1000000000),
    ADD COLUMN name_key     text;  -- the name without its suffix, normalised: what a question that is a name equals

-- The weights are read for thousands of chunks per question and lie in the row, two rows to a page; embeddings are
-- read for a few hundred and lie beside.
ALTER TABLE file_chunk
    ALTER COLUMN embedding SET STORAGE EXTERNAL,
    ALTER COLUMN weights   SET STORAGE MAIN,
    SET (toast_tuple_target = 4080);
ALTER TABLE drive_file_index
    ALTER COLUMN embedding SET STORAGE EXTERNAL,
    RESET (toast_tuple_target);

-- Built again over the rewritten rows.
DROP INDEX file_chunk_terms;
