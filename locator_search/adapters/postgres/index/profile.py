"""The embedding model of the index (table `index_profile`); vectors of another model are refused, never mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.errors import DimensionMismatch
from locator_search.model import IndexEntry
from locator_search.retrieval.calibration import Calibration, background_of, calibration_of

SQL = statements(__name__)

DIMENSIONS = 1536
"""Of the columns."""

SAMPLED_FILES = 100
"""4,950 pairs: a few milliseconds, and a hundredth of a cosine from sample to sample."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The model an index was made with. `calibration` is in use: measured on this index, shipped with the model, or
    that above the background. `background_chunks` are those the index had when its background was taken."""

    embedding_model: str
    dimensions: int
    calibration: Calibration
    background_chunks: int | None


def read_profile(connection: Connection) -> Profile | None:
    """The profile of the index; None while it is empty and new."""
    row = connection.execute(SQL.read).fetchone()
    if row is None:
        return None
    model, dimensions, anchors, background, background_chunks = row
    measured = Calibration(tuple((raw, similarity) for raw, similarity in anchors)) if anchors else None
    return Profile(model, dimensions, measured or calibration_of(model, background), background_chunks)


def claim_profile(connection: Connection, entries: Sequence[IndexEntry]) -> None:
    """The first file decides which model the index belongs to. Raises DimensionMismatch."""
    models = {(entry.embedding_model, length) for entry in entries for length in _lengths(entry)}
    profile = read_profile(connection)
    for model, dimensions in sorted(models):
        if profile is None:
            connection.execute(SQL.claim, {"model": model, "dimensions": dimensions})
            profile = read_profile(connection)
        _refuse_another_model(profile, model, dimensions)


def renew_background(connection: Connection, chunks: int) -> None:
    """Take the background of a model without a profile from a sample of the index, now of so many chunks: with every
    writing until the sample is full, and then whenever the index has doubled."""
    profile = read_profile(connection)
    if profile is None or (profile.background_chunks is not None and chunks < 2 * profile.background_chunks):
        return
    drawn = connection.execute(SQL.drawn_embeddings, {"files": SAMPLED_FILES}, binary=True).fetchall()
    background = background_of(np.asarray([embedding.to_numpy() for (embedding,) in drawn], dtype=np.float32))
    if background is not None:
        is_full = len(drawn) == SAMPLED_FILES
        connection.execute(SQL.keep_background, {"background": background, "chunks": chunks if is_full else None})


def refuse_another_model(connection: Connection, model: str, dimensions: int) -> None:
    """Raise DimensionMismatch when the index was made with another model or dimension."""
    _refuse_another_model(read_profile(connection), model, dimensions)


def _refuse_another_model(profile: Profile | None, model: str, dimensions: int) -> None:
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
