"""A graph of neighbours over the codes of a large index (pgvector's HNSW), for rankings that count nothing.

Below LARGE chunks, comparing all codes is as fast and exact. The graph is built beside everything else: nobody waits
for it, and until it is done, and under every filter, all codes are compared as before. Offline vectors get none: most
lie about equally near to a question, and a graph gets lost between them (docs/decisions/0022).
"""

from __future__ import annotations

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import VectorGraph

SQL = statements(__name__)

LARGE = 300_000
"""Chunks from which on the graph saves more than it costs to keep."""

GRAPH = "embedding_code_graph"
BUILDERS_LOCK = 0x67726170  # "grap"


def graph_state(connection: Connection, large: int = LARGE) -> VectorGraph:
    """Whether there is a graph, or should be one."""
    valid, chunks, offline = connection.execute(SQL.state).fetchone() or (None, 0, False)
    return "built" if valid else "missing" if chunks >= large and not offline else "not needed"


def build_graph(database: Database, large: int = LARGE) -> VectorGraph:
    """Build the graph where one is missing. Takes about two minutes per million chunks and hinders nobody.

    What a killed build left behind is removed first; who finds another one building leaves it to that one. So is
    what an index of offline vectors has.
    """
    with database.connection() as connection:
        [[valid, _, offline]] = connection.execute(SQL.state).fetchall()
        is_unwanted = offline and valid is not None
        if (state := graph_state(connection, large)) != "missing" and not is_unwanted:
            return state
    with database.translated(), database.connect() as connection:
        [[alone]] = connection.execute(SQL.try_lock, {"lock": BUILDERS_LOCK}).fetchall()
        if alone:
            connection.execute(SQL.prepare_build)
            connection.execute(SQL.drop)
            if not offline:
                connection.execute(SQL.build)
        return graph_state(connection, large)


def follow_graph(connection: Connection, codes: int) -> None:
    """Where a statement orders by code, the graph is followed until so many codes are found."""
    connection.execute(SQL.follow, {"codes": codes})
