-- The cosine of texts of this index that have nothing in common: of embedding models without a profile of their own.

ALTER TABLE index_profile
    ADD COLUMN background        double precision CHECK (background BETWEEN -1 AND 1),
    ADD COLUMN background_chunks bigint CHECK (background_chunks > 0);  -- then in the index; NULL: few files, look again
