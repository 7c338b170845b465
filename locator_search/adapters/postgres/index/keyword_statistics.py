"""BM25 statistics over chunks, kept exact in the transaction that changes the chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements

SQL = statements(__name__)

ChunkTerms = tuple[Sequence[str], int]
"""The terms of one chunk and the number of their occurrences."""


def update_statistics(connection: Connection, *, added: Sequence[ChunkTerms], removed: Sequence[ChunkTerms]) -> None:
    """Keep document frequencies and totals exact. The one row of totals is locked first, so writers queue here only."""
    if not added and not removed:
        return
    totals = {"chunks": len(added) - len(removed), "occurrences": _occurrences(added) - _occurrences(removed)}
    connection.execute(SQL.count_chunks, totals)
    changes = Counter(term for terms, _ in added for term in terms)
    changes.subtract(term for terms, _ in removed for term in terms)
    more = {term: change for term, change in changes.items() if change > 0}
    fewer = {term: -change for term, change in changes.items() if change < 0}
    connection.execute(SQL.add_terms, {"more": list(more), "by": list(more.values())})
    connection.execute(SQL.take_terms, {"fewer": list(fewer), "by": list(fewer.values())})
    connection.execute(SQL.forget_terms, {"fewer": list(fewer)})


def _occurrences(chunks: Iterable[ChunkTerms]) -> int:
    return sum(length for _, length in chunks)
