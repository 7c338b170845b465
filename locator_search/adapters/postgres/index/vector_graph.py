"""A graph of neighbours over the codes of a large index (pgvector's HNSW), for rankings that count nothing.

Below LARGE chunks, comparing all codes is as fast and exact. The graph is built beside everything else: nobody waits
for it, and until it is done, and under every filter, all codes are compared as before.
"""

from __future__ import annotations

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.ports import VectorGraph

LARGE = 300_000
"""Chunks from which on the graph saves more than it costs to keep."""

GRAPH = "embedding_code_graph"
BUILDERS_LOCK = 0x67726170  # "grap"

BUILD = f"""
CREATE INDEX CONCURRENTLY {GRAPH} ON embedding_code USING hnsw (code bit_hamming_ops)
WITH (m = 16, ef_construction = 128)
"""
STATE = """
SELECT (SELECT indisvalid FROM pg_catalog.pg_index WHERE indexrelid = to_regclass(%s)),
       (SELECT chunks FROM keyword_total)
"""


def graph_state(connection: Connection, large: int = LARGE) -> VectorGraph:
    """Whether there is a graph, or should be one."""
    valid, chunks = connection.execute(STATE, [GRAPH]).fetchone() or (None, 0)
    return "built" if valid else "missing" if chunks >= large else "not needed"


def build_graph(database: Database, large: int = LARGE) -> VectorGraph:
    """Build the graph where one is missing. Takes about two minutes per million chunks and hinders nobody.

    What a killed build left behind is removed first; who finds another one building leaves it to that one.
    """
    with database.translated(), database.connect() as connection:
        if graph_state(connection, large) != "missing":
            return graph_state(connection, large)
        alone = connection.execute(
            "SELECT pg_try_advisory_lock(%s, hashtext(current_schema()))", [BUILDERS_LOCK]
        ).fetchone()
        if alone and alone[0]:
            # Workers would need shared memory that small containers do not have.
            connection.execute("SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 0")
            connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {GRAPH}")
            connection.execute(BUILD)
        return graph_state(connection, large)


def follow_graph(connection: Connection, codes: int) -> None:
    """Where a statement orders by code, the graph is followed until so many codes are found."""
    connection.execute(
        f"SET LOCAL hnsw.ef_search = {min(1000, codes)}; SET LOCAL hnsw.iterative_scan = relaxed_order;"
        f"SET LOCAL hnsw.max_scan_tuples = {10 * codes}"
    )
