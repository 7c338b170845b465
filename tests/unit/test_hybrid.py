"""The hybrid search over a store that says what it is told: what counts as found, in which order, for which reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from locator_search.model import Evidence, RetrievalMode, RetrievalQuery
from locator_search.retrieval.calibration import KEYWORD_CALIBRATION, Calibration
from locator_search.retrieval.evidence import TIME_NOT_KNOWN
from locator_search.retrieval.fusion import Found, WordScores
from locator_search.retrieval.hybrid import Candidates, Known, SearchSetup, listed, retrieve

STRAIGHT = Calibration(((0.0, 0.0), (1.0, 1.0)))
SETUP = SearchSetup("some-model", STRAIGHT)


@dataclass
class Told:
    """A Searchable."""

    found: Candidates
    cosines: dict[str, float] = field(default_factory=dict)
    words: dict[str, WordScores] = field(default_factory=dict)
    asked: list[Sequence[str]] = field(default_factory=list)

    def candidates(self) -> Candidates:
        return self.found

    def known(self, keys: Sequence[str]) -> Known:
        self.asked.append(keys)
        return Known(self.cosines, self.words)

    def shown(self, chosen: Sequence[Found], keyword_weight: float) -> list[tuple[Evidence, Sequence[str]]]:
        return [(evidence(found.key), [f"w:{found.key}"]) for found in chosen]


def evidence(key: str) -> Evidence:
    return Evidence(key, f"{key}.txt", "", "", "text/plain", TIME_NOT_KNOWN, 1.0, 1.0, text=f"text of {key}")


def worded(score: float, share: float) -> WordScores:
    return WordScores(score, score, share=share)


def asked(mode: RetrievalMode = "hybrid", threshold: float = 0.0, **more: Any) -> RetrievalQuery:
    return RetrievalQuery("text", mode=mode, threshold=threshold, with_facets=threshold > 0, **more)


def test_what_words_found_is_compared_by_vectors_and_the_other_way_round() -> None:
    store = Told(
        Candidates({"near": 0.8}, {"worded": 0.0}),
        {"near": 0.8, "worded": 0.4},
        {"near": worded(5.0, 0.5), "worded": worded(10.0, 1.0)},
    )
    first, second = retrieve(store, asked(), SETUP).evidence
    assert store.asked == [["near", "worded"]]
    assert [first.file_id, second.file_id] == ["worded", "near"]
    assert [first.score, second.score] == pytest.approx([0.6 + 0.4 * 0.5, 0.6 * 0.5 + 0.4])
    assert first.explain["vector"] == {"rank": 2, "cosine": 0.4, "similarity": 0.4}
    assert second.explain["keyword"]["rank"] == 2  # type: ignore[index]
    assert (first.similarity, first.similarity_source) == (1.0, "keyword")


def test_equal_scores_share_a_rank_and_keep_the_order_of_their_keys() -> None:
    store = Told(Candidates({"b": 0.5, "a": 0.5, "c": 0.4}, {}), {"b": 0.5, "a": 0.5, "c": 0.4})
    found = retrieve(store, asked("vector"), SETUP).evidence
    assert [(one.file_id, one.explain["vector"]["rank"]) for one in found] == [("a", 1), ("b", 1), ("c", 3)]  # type: ignore[index]


@pytest.mark.parametrize(("mode", "weight"), [("hybrid", 0.6), ("vector", 0.0), ("keyword", 1.0)])
def test_a_mode_is_a_weight_of_the_words(mode: RetrievalMode, weight: float) -> None:
    store = Told(Candidates({"a": 0.5}, {"a": 0.0}), {"a": 0.5}, {"a": worded(1.0, 1.0)})
    (found,) = retrieve(store, asked(mode), SETUP).evidence
    assert found.explain["keyword_weight"] == weight


def test_a_file_that_only_quotes_is_a_hit_where_it_reaches_the_threshold() -> None:
    store = Told(
        Candidates({"hit": 0.9}, {}, quoting=["far", "hit", "near", "worded"]),
        {"hit": 0.9, "far": 0.1, "near": 0.75},
        {"far": worded(1.0, 0.1), "worded": worded(1.0, 1.0)},
    )
    found = retrieve(store, asked(threshold=0.7), SETUP).evidence
    assert {one.file_id for one in found} == {"hit", "near", "worded"}
    assert {one.explain["preferred"] for one in found} == {"phrase"}


def test_a_file_that_is_named_comes_first_even_where_nothing_else_is_known_of_it() -> None:
    store = Told(Candidates({"near": 0.9}, {}, named=["named"]), {"near": 0.9})
    first, _ = retrieve(store, asked(), SETUP).evidence
    assert (first.file_id, first.explain["preferred"], first.similarity) == ("named", "name", 1.0)


def test_words_that_tell_nothing_find_with_a_similarity_of_zero() -> None:
    store = Told(Candidates({}, {"a": 0.0}), {}, {"a": worded(2.0, 0.0)})
    (found,) = retrieve(store, asked("keyword"), SETUP).evidence
    assert (found.file_id, found.score, found.similarity) == ("a", 1.0, 0.0)


def test_counts_and_the_highest_similarity_are_those_of_all_hits() -> None:
    store = Told(Candidates({"a": 0.8}, {"b": 0.7}, count=41, top_cosine=0.8, top_share=0.62), {"a": 0.8})
    found = retrieve(store, asked(threshold=0.6, limit=1), SETUP)
    assert (found.hit_count, len(found.evidence)) == (41, 1)
    assert found.top_similarity == max(0.8, KEYWORD_CALIBRATION.similarity(0.62))


def test_lists_that_are_not_compared_keep_their_places_as_ranks() -> None:
    found = listed(Known({"a": 0.5, "b": 0.5}, {"b": worded(3.0, 1.0), "c": worded(3.0, 1.0)}))
    ranks = {one.key: (one.vector_rank, one.keyword_rank) for one in found}
    assert ranks == {"b": (2, 1), "c": (None, 2), "a": (1, None)}
