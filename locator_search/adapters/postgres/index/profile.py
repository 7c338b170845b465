"""The embedding model of the index (table `index_profile`); vectors of another model are refused, never mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.errors import DimensionMismatch
from locator_search.model import IndexEntry
from locator_search.retrieval.calibration import Calibration

SQL = statements(__name__)

DIMENSIONS = 1536
"""Of the columns."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The models an index was made with; `calibration` only where it was measured on this index."""

    embedding_model: str
    dimensions: int
    calibration: Calibration | None


def read_profile(connection: Connection) -> Profile | None:
    """The profile of the index; None while it is empty and new."""
    row = connection.execute(SQL.read).fetchone()
    if row is None:
        return None
    anchors = row[2]
    measured = Calibration(tuple((raw, similarity) for raw, similarity in anchors)) if anchors else None
    return Profile(row[0], row[1], measured)


def claim_profile(connection: Connection, entries: Sequence[IndexEntry]) -> None:
    """The first file decides which model the index belongs to."""
    models = {(entry.embedding_model, length) for entry in entries for length in _lengths(entry)}
    for model, dimensions in sorted(models):
        if read_profile(connection) is None:
            connection.execute(SQL.claim, {"model": model, "dimensions": dimensions})
        refuse_another_model(connection, model, dimensions)


def refuse_another_model(connection: Connection, model: str, dimensions: int) -> None:
    """Raise DimensionMismatch when the index was made with another model or dimension."""
    profile = read_profile(connection)
    if profile is not None and (profile.embedding_model, profile.dimensions) != (model, dimensions):
        raise another_model(profile.embedding_model, f"{model} with {dimensions} dimensions")


def _lengths(entry: IndexEntry) -> set[int]:
    """Of its embeddings; without any, the index belongs to its model all the same."""
    embeddings = (entry.embedding, *(chunk.embedding for chunk in entry.chunks))
    return {len(vector) for vector in embeddings if vector is not None} or {DIMENSIONS}


def another_model(made_by: str, asked_by: str) -> DimensionMismatch:
    """The error for an index that belongs to another embedding model."""
    return DimensionMismatch(
        f"The index was made with the embedding model {made_by}, and this is {asked_by}.",
        hint="Run `document-locator db reindex` and crawl again, or set the former model.",
    )
