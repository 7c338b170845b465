"""How FinderLedge fuses what its stores found, and what it makes of the question."""

from __future__ import annotations

from datetime import date

import pytest

from locator_search.core.errors import ConfigurationError
from locator_search.finderledge.context import joined_context
from locator_search.finderledge.finder import Question, SearchMode, blended, explain
from locator_search.text.cutting import estimate_tokens


def question(mode: SearchMode = "hybrid", **more: object) -> Question:
    usual: dict[str, object] = {"top_k": 10, "k": None, "k_vector": None, "k_keyword": None, "vector_filter": None}
    return Question.asked("何か", mode, filter_keyword=True, **{**usual, **more})  # type: ignore[arg-type]


COSINES = {"a": 0.9, "b": 0.8, "c": 0.7}
WORDS = {"c": 12.0, "a": 6.0, "d": 3.0}


def test_reciprocal_rank_fusion_is_that_of_the_paper() -> None:
    asked = question()
    raw = {one.key: explain(asked, one, ())["rrf"] for one, _ in blended(asked, COSINES, WORDS)}
    assert raw == pytest.approx({"a": 1 / 61 + 1 / 62, "c": 1 / 63 + 1 / 61, "b": 1 / 62, "d": 1 / 63})
    assert list(raw) == ["a", "c", "b", "d"]


def test_the_relevance_of_a_hybrid_search_is_the_sum_over_the_largest_possible_one() -> None:
    found = {one.key: relevance for one, relevance in blended(question(), COSINES, WORDS)}
    assert found["a"] == pytest.approx((1 / 61 + 1 / 62) / (2 / 61))
    assert blended(question(), {"x": 0.1}, {"x": 1.0})[0][1] == 1.0


def test_the_relevance_of_one_store_is_its_cosine_or_its_share_of_the_best_score() -> None:
    vector = blended(question("vector"), {**COSINES, "far": -0.2}, {})
    assert [relevance for _, relevance in vector] == [0.9, 0.8, 0.7, 0.0]
    keyword = blended(question("keyword"), {}, WORDS)
    assert [relevance for _, relevance in keyword] == [1.0, 0.5, 0.25]


def test_words_decide_between_equal_sums() -> None:
    found = blended(question(), {"a": 0.9, "z": 0.8}, {"z": 9.0, "a": 8.0})
    assert [one.key for one, _ in found] == ["z", "a"]


def test_a_filter_is_compared_with_what_is_kept() -> None:
    assert question(vector_filter={"on": date(2026, 10, 1)}).vector_filter == {"on": "2026-10-01"}


def test_each_result_explains_itself() -> None:
    asked = question(vector_filter={"department": "営業"})
    first, second, third, _ = [explain(asked, one, ["語"]) for one, _ in blended(asked, COSINES, WORDS)]
    assert first == {
        "mode": "hybrid",
        "vector": {"rank": 1, "cosine": 0.9},
        "keyword": {"rank": 2, "bm25": 6.0, "matched_terms": ["語"]},
        "rrf": pytest.approx(1 / 61 + 1 / 62),
        "rank_constant": 60,
        "filter": {"department": "営業"},
        "filtered": ["vector", "keyword"],
    }
    assert second["vector"] == {"rank": 3, "cosine": 0.7}
    assert "keyword" not in third


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"top_k": 5, "k": 5}, "top_k and k"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": None, "k": -1}, "top_k"),
        ({"k_vector": 2.5}, "k_vector"),
        ({"k_keyword": True}, "k_keyword"),
        ({"mode": "semantic"}, "search_mode"),
        ({"vector_filter": ["営業"]}, "vector_filter"),
        ({"vector_filter": {"$and": []}}, "$and"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_in_one_sentence(arguments: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        question(**arguments)  # type: ignore[arg-type]
    assert named in refused.value.message
    assert "\n" not in refused.value.message


TEXTS = ["一つ目の文です。二つ目の文です。三つ目の文です。", "Another passage. It has two sentences."]


def test_a_context_without_a_budget_is_everything_with_the_separator_between() -> None:
    assert joined_context(TEXTS, "\n\n", None) == "\n\n".join(TEXTS)
    assert joined_context(TEXTS, "\n---\n", 10_000) == "\n---\n".join(TEXTS)


def test_a_context_never_passes_its_budget_nor_cuts_a_sentence() -> None:
    whole = "\n\n".join(TEXTS)
    for budget in range(1, estimate_tokens(whole) + 3):
        context = joined_context(TEXTS, "\n\n", budget)
        assert estimate_tokens(context) <= budget
        assert whole.startswith(context)
        assert context == "" or context[-1] in "。."
    assert joined_context(TEXTS, "\n\n", 20) == "一つ目の文です。二つ目の文です。"


def test_a_query_is_a_text_of_a_length_that_can_be_searched_for() -> None:
    with pytest.raises(ConfigurationError, match="20,000 characters"):
        Question("長い文書" * 5_000, "hybrid", 5, 20, 20)
    with pytest.raises(ConfigurationError, match="text, not an int"):
        Question(5, "hybrid", 5, 20, 20)  # type: ignore[arg-type]


@pytest.mark.parametrize("budget", [0, -1, 2.5, True])
def test_a_budget_is_a_number_above_zero(budget: object) -> None:
    with pytest.raises(ConfigurationError, match="max_tokens"):
        joined_context(TEXTS, "\n\n", budget)  # type: ignore[arg-type]
