-- name: state
-- Whether the graph is there as a whole (NULL: not at all), how many chunks there are, and whether their vectors are
-- those of an offline model.
SELECT (SELECT indisvalid FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('embedding_code_graph')),
       (SELECT chunks FROM index_total),
       EXISTS (SELECT 1 FROM index_profile WHERE starts_with(embedding_model, 'offline-'))

-- name: try_lock
-- Whether nobody else builds the graph of this schema; then nobody else will as long as this session lasts.
SELECT pg_try_advisory_lock(%(lock)s, hashtext(current_schema()))

-- name: prepare_build
-- Workers would need shared memory that small containers do not have.
SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 0

-- name: drop
-- What a killed build left behind, or an index of offline vectors has.
DROP INDEX CONCURRENTLY IF EXISTS embedding_code_graph

-- name: build
-- The graph, beside everything else: it hinders nobody.
CREATE INDEX CONCURRENTLY embedding_code_graph ON embedding_code USING hnsw (code bit_hamming_ops)
WITH (m = 16, ef_construction = 128)

-- name: follow
-- In this transaction, a statement that orders by code follows the graph until so many codes are found.
SELECT set_config('hnsw.ef_search', least(1000, %(codes)s)::text, true),
       set_config('hnsw.max_scan_tuples', (10 * %(codes)s)::text, true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true)
