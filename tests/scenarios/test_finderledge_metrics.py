"""What a collection counts of its searches."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from locator_search import FinderLedge
from locator_search.core.errors import LocatorError, ModelUnavailable
from locator_search.finderledge import SearchMetrics


class Embeddings:
    """A LangChain embedding model that can be switched off."""

    is_down = False

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if self.is_down:
            raise ModelUnavailable("The model is down.")
        return [[1.0, float(len(text)), 1.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def test_searches_results_and_seconds_are_counted_by_mode_and_arm(database_url: str, tmp_path: Path) -> None:
    model = Embeddings()
    with FinderLedge(persist_directory=tmp_path, database_url=database_url, embeddings=model) as ledger:
        assert ledger.metrics() == SearchMetrics()
        ledger.add_texts(["毎月25日までに領収書を提出する。", "有給休暇は三日前までに届け出る。"])
        assert ledger.search("  ") == []
        assert ledger.metrics().searches == 0, "a blank query is no search"
        found = len(ledger.search("領収書")) + len(ledger.search("休暇", search_mode="keyword"))
        ledger.search("ない言葉", search_mode="keyword")
        before = ledger.metrics()
        assert (before.searches, before.results, before.empty, before.failed) == (3, found, 1, 0)
        assert before.by_mode == {"hybrid": 1, "keyword": 2}
        assert {arm: one.calls for arm, one in before.arms.items()} == {"embedding": 1, "vector": 1, "keyword": 3}
        assert 0 < before.arms["keyword"].seconds < before.seconds <= 3 * before.slowest
        assert before.mean_seconds == before.seconds / 3

        model.is_down = True
        ledger.search("領収書")
        with pytest.raises(LocatorError):
            ledger.search("領収書", search_mode="vector")
        after = ledger.metrics()
        assert (after.searches, after.without_model, after.failed) == (5, 1, 1)
        assert before.searches == 3, "figures do not change any more"


def test_searches_of_several_threads_are_all_counted(database_url: str, tmp_path: Path) -> None:
    with FinderLedge(persist_directory=tmp_path, database_url=database_url, embedding_provider="offline") as ledger:
        ledger.add_texts(["毎月25日までに領収書を提出する。"])
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(ledger.search, ["領収書"] * 24))
        assert (ledger.metrics().searches, ledger.metrics().results) == (24, 24)
