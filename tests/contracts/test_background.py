"""A model without a profile: the scale of its cosines is read off the index, so that it decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresUpkeep
from locator_search.evaluation.loading import load_corpus
from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from locator_search.model import Fusion, Retrieval, RetrievalQuery, SearchFilters
from tests.builders.judged_corpus import small_corpus
from tests.fakes.evidence_in_memory import InMemoryEvidenceProvider

if TYPE_CHECKING:
    from locator_search.model import Vector

QUESTION = "防災訓練の会場はどこか"
ANY = SearchFilters()


class Lifted:
    """The offline vectors, all of them turned towards one direction: each cosine c becomes lift + (1 - lift) * c."""

    dimensions = 1536

    def __init__(self, lift: float, model_name: str = "a-model-nobody-knows") -> None:
        self.model_name = model_name
        self._lift = lift

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        rows = OfflineEmbedder().embed(texts, purpose)[:, :-1]
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        own = np.full((len(texts), 1), self._lift**0.5, dtype=np.float32)
        return np.hstack([rows * (1 - self._lift) ** 0.5, own]).astype(np.float32)


def loaded(database: Database, embedder: Lifted, documents: int = 40, fusion: Fusion = "scores") -> PostgresIndexStore:
    index = PostgresIndexStore(database, fusion=fusion)
    load_corpus(small_corpus(documents), index, HeadingChunker(), embedder, lambda _: None)
    return index


def asked(index: PostgresIndexStore, embedder: Lifted, threshold: float = 0.0) -> Retrieval:
    return index.retrieve(RetrievalQuery(QUESTION, threshold=threshold), embedder.embed([QUESTION], "query")[0])


def kept(database: Database) -> tuple[float | None, int | None]:
    with database.connection() as connection:
        [[background, chunks]] = connection.execute(
            "SELECT background, background_chunks FROM index_profile"
        ).fetchall()
    return background, chunks


@pytest.mark.parametrize("fusion", ["scores", "ranks"])
def test_order_similarities_and_hits_are_those_of_the_same_model_on_another_scale(
    database: Database, fusion: Fusion
) -> None:
    plain, lifted = (_told(database, Lifted(lift), fusion) for lift in (0.0, 0.75))
    assert [one.file_id for one in plain.evidence] == [one.file_id for one in lifted.evidence]
    assert [one.similarity for one in plain.evidence] == pytest.approx(
        [one.similarity for one in lifted.evidence], abs=0.02
    )
    assert [one.score for one in plain.evidence] == pytest.approx([one.score for one in lifted.evidence], abs=0.02)
    assert 0 < plain.hit_count == lifted.hit_count < 40


def _told(database: Database, embedder: Lifted, fusion: Fusion) -> Retrieval:
    """The whole ranking, with the hits counted from 0.60 on."""
    PostgresUpkeep(database).clear_index_of_other_model(embedder.model_name, force=True)
    index = loaded(database, embedder, fusion=fusion)
    return replace(asked(index, embedder), hit_count=asked(index, embedder, threshold=0.6).hit_count)


def test_the_background_is_remembered_and_renewed_until_the_sample_is_full(database: Database) -> None:
    loaded(database, Lifted(0.75), 9)
    assert kept(database) == (None, None)
    loaded(database, Lifted(0.75), 12)
    first, chunks = kept(database)
    assert 0.75 < (first or 0) < 0.88
    assert chunks is None
    loaded(database, Lifted(0.75), 40)
    assert kept(database) != (first, None)


def test_once_the_sample_was_full_it_is_taken_again_when_the_index_has_doubled(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locator_search.adapters.postgres.index.profile.SAMPLED_FILES", 15)
    loaded(database, Lifted(0.75), 20)
    full = kept(database)
    assert full[1] == 20
    loaded(database, Lifted(0.5), 39)
    assert kept(database) == full
    loaded(database, Lifted(0.5), 40)
    assert kept(database)[1] == 40
    assert (kept(database)[0] or 1) < (full[0] or 0)


def test_a_model_with_a_profile_keeps_it(database: Database) -> None:
    loaded(database, Lifted(0.75, "text-embedding-3-small"))
    assert kept(database) == (None, None)


def test_what_is_held_in_memory_has_a_background_of_its_own(database: Database) -> None:
    evidence = asked(loaded(database, Lifted(0.0)), Lifted(0.0)).evidence
    plain, lifted = (InMemoryEvidenceProvider(Lifted(lift), evidence).search(QUESTION, ANY) for lift in (0.0, 0.75))
    assert [one.similarity for one in plain] == pytest.approx([one.similarity for one in lifted], abs=0.02)
