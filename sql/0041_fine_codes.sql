-- A second bit per dimension (retrieval/binary_codes.py): half the error of an estimated cosine, so that a fifth of the
-- embeddings has to be read. Codes are made anew after this file (adapters/postgres/backfill.py), and so is the graph of
-- neighbours, where there was one, by whoever builds it otherwise.

DROP INDEX IF EXISTS embedding_code_graph;
TRUNCATE embedding_code;
ALTER TABLE embedding_code ADD COLUMN fine bit(1536) NOT NULL;
