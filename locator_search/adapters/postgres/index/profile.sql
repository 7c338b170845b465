-- name: read
-- The model and dimensions the index was made with, and the calibration measured on it.
SELECT embedding_model, dimensions, calibration FROM index_profile

-- name: claim
-- The index belongs to this model, unless it belongs to one already.
INSERT INTO index_profile (embedding_model, dimensions) VALUES (%(model)s, %(dimensions)s) ON CONFLICT (id) DO NOTHING
