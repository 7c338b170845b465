"""BM25 as an inner product: texts and questions as sparse vectors with a dimension per term, and its statistics over
chunks, which are kept exact in the transaction that changes the chunks.

A term's dimension is the hash of it, so no dictionary is kept. Two terms share one with a probability of one in a
billion: of the scores of 200,000 chunks, about one is touched by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

from pgvector import SparseVector

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.retrieval.term_weights import damping, weight

DIMENSIONS = 1_000_000_000
"""As many as a sparsevec may have."""

MOST_WEIGHTS = 15_000
"""A sparsevec holds 16,000 numbers. No chunk has that many different terms; of one that has, the rest is not ranked."""

NAME = "name/"
"""Before a term of a file's name, keywords or folder. No term begins with it."""


def text_weights(frequencies: Mapping[str, int], names: Iterable[str], mean_length: float) -> SparseVector:
    """The BM25 weight of each term of a chunk, and 1 for each term of its file's name."""
    damped = damping(sum(frequencies.values()), mean_length)
    weights = [(term, weight(frequency, damped)) for term, frequency in frequencies.items()]
    return weighted((*weights[:MOST_WEIGHTS], *((NAME + term, 1.0) for term in names)))


def name_weights(names: Iterable[str]) -> SparseVector:
    """1 for each term of a file's name."""
    return weighted((NAME + term, 1.0) for term in names)


def weighted(weights: Iterable[tuple[str, float]]) -> SparseVector:
    """Terms with their weights, as a vector; what falls on one dimension is added up."""
    places: dict[int, float] = {}
    for term, value in weights:
        place = _dimension(term)
        places[place] = places.get(place, 0.0) + value
    return SparseVector(places, DIMENSIONS)


@lru_cache(maxsize=200_000)
def _dimension(term: str) -> int:
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()) % DIMENSIONS


SQL = statements(__name__)

ChunkTerms = tuple[Sequence[str], int]
"""The terms of one chunk and the number of their occurrences."""


def update_statistics(connection: Connection, *, added: Sequence[ChunkTerms], removed: Sequence[ChunkTerms]) -> None:
    """Keep document frequencies and totals exact. One transaction at a time counts; the others wait for nothing and
    leave their changes, which are counted with those of the next one that has its turn."""
    if not added and not removed:
        return
    chunks, occurrences = len(added) - len(removed), _occurrences(added) - _occurrences(removed)
    changes = Counter(term for terms, _ in added for term in terms)
    changes.subtract(term for terms, _ in removed for term in terms)
    if connection.execute(SQL.take_turn).fetchone() is None:
        connection.execute(SQL.leave_chunks, {"chunks": chunks, "occurrences": occurrences})
        connection.execute(SQL.leave_terms, {"terms": list(changes), "by": list(changes.values())})
        return
    [[chunks_left, occurrences_left]] = connection.execute(SQL.chunks_left).fetchall()
    changes.update(dict(connection.execute(SQL.terms_left).fetchall()))
    _count(connection, chunks + chunks_left, occurrences + occurrences_left, changes)


def _count(connection: Connection, chunks: int, occurrences: int, changes: Mapping[str, int]) -> None:
    connection.execute(SQL.count_chunks, {"chunks": chunks, "occurrences": occurrences})
    more = {term: change for term, change in changes.items() if change > 0}
    fewer = {term: -change for term, change in changes.items() if change < 0}
    connection.execute(SQL.add_terms, {"more": list(more), "by": list(more.values())})
    if fewer:
        connection.execute(SQL.take_terms, {"fewer": list(fewer), "by": list(fewer.values())})
        connection.execute(SQL.forget_terms, {"fewer": list(fewer)})


def _occurrences(chunks: Iterable[ChunkTerms]) -> int:
    return sum(length for _, length in chunks)
