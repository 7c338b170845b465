"""BM25 statistics over chunks, kept exact in the transaction that changes the chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from locator_search.adapters.postgres.server.database import Connection

ChunkTerms = tuple[Sequence[str], int]
"""The terms of one chunk and the number of their occurrences."""


def update_statistics(connection: Connection, *, added: Sequence[ChunkTerms], removed: Sequence[ChunkTerms]) -> None:
    """Keep document frequencies and totals exact. The one row of totals is locked first, so writers queue here only."""
    if not added and not removed:
        return
    connection.execute(
        "UPDATE keyword_total SET chunks = chunks + %s, total_length = total_length + %s",
        [len(added) - len(removed), _occurrences(added) - _occurrences(removed)],
    )
    changes = Counter(term for terms, _ in added for term in terms)
    changes.subtract(term for terms, _ in removed for term in terms)
    more = {term: change for term, change in changes.items() if change > 0}
    fewer = {term: -change for term, change in changes.items() if change < 0}
    connection.execute(
        """
        INSERT INTO keyword_term SELECT * FROM unnest(%s::text[], %s::integer[])
        ON CONFLICT (term) DO UPDATE
        SET document_frequency = keyword_term.document_frequency + EXCLUDED.document_frequency
        """,
        [list(more), list(more.values())],
    )
    connection.execute(
        """
        UPDATE keyword_term SET document_frequency = document_frequency - fewer.change
        FROM unnest(%s::text[], %s::integer[]) AS fewer (term, change) WHERE keyword_term.term = fewer.term
        """,
        [list(fewer), list(fewer.values())],
    )
    connection.execute("DELETE FROM keyword_term WHERE term = ANY(%s) AND document_frequency = 0", [list(fewer)])


def _occurrences(chunks: Iterable[ChunkTerms]) -> int:
    return sum(length for _, length in chunks)
