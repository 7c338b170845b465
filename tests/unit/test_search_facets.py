"""Which narrowing question is asked, and what an answer means."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import pytest

from locator_search.drive_search.facets import (
    best_split,
    matching_choice,
    narrowed_by,
    period_of,
)
from locator_search.model import Choice, Facet, FacetName, FacetValue, Period, Retrieval, SearchFilters
from locator_search.retrieval.splitting import MOST_CHOICES, expected_questions

PDF = "application/pdf"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def facet(name: FacetName, **counts: int) -> Facet:
    return Facet(name, tuple(FacetValue(value, value, count) for value, count in counts.items()))


def found(hit_count: int, *facets: Facet) -> Retrieval:
    return Retrieval((), hit_count, 0.9, facets)


def test_what_leaves_ten_at_most_leaves_no_question() -> None:
    assert expected_questions([10, 10, 10], 30) == 0
    assert expected_questions([10, 10], 60) == pytest.approx(40 / 60 * (1 + math.log(4, MOST_CHOICES)))
    assert expected_questions([], 60) == pytest.approx(2.0)


def test_choices_that_reach_few_hits_save_few_questions() -> None:
    assert expected_questions([1, 1, 1], 60) > expected_questions([30, 30], 60)


def test_of_facets_that_part_alike_the_one_that_holds_more_of_the_hits_is_asked_about() -> None:
    split = best_split(found(20, facet("folder", a=5, b=5), facet("type", x=10, y=10)), SearchFilters())
    assert split is not None
    assert split.facet == "type"


def test_a_word_of_the_question_is_no_choice() -> None:
    words = Facet("keyword", tuple(FacetValue(word, word, 20) for word in ("障害報告書", "越谷", "岡崎")))
    split = best_split(found(60, words), SearchFilters(), "障害報告書")
    assert split is not None
    assert [choice.label for choice in split.choices] == ["越谷", "岡崎"]


def test_the_facet_that_splits_best_is_asked_about() -> None:
    split = best_split(found(60, facet("type", a=59, b=1), facet("folder", x=20, y=20, z=20)), SearchFilters())
    assert split is not None
    assert split.facet == "folder"
    assert [choice.count for choice in split.choices] == [20, 20, 20]


def test_between_equal_facets_the_one_people_know_best_is_asked_about() -> None:
    split = best_split(found(60, facet("keyword", a=30, b=30), facet("folder", x=30, y=30)), SearchFilters())
    assert split is not None
    assert split.facet == "folder"


def test_a_facet_all_hits_share_is_no_question() -> None:
    assert best_split(found(60, facet("type", pdf=60)), SearchFilters()) is None
    assert best_split(found(60), SearchFilters()) is None


def test_a_question_with_one_possible_answer_is_none() -> None:
    assert best_split(found(60, facet("type", pdf=40)), SearchFilters()) is None


def test_there_are_few_choices_and_the_largest_ones() -> None:
    many = {f"部署{n}": n + 1 for n in range(20)}
    split = best_split(found(210, facet("folder", **many)), SearchFilters())
    assert split is not None
    assert len(split.choices) == MOST_CHOICES
    assert split.choices[0].count == 20


def test_periods_are_listed_newest_first() -> None:
    periods = Facet("period", tuple(FacetValue(str(year), str(year), 60 - year % 10) for year in (2024, 2026, 2025)))
    split = best_split(found(200, periods), SearchFilters())
    assert split is not None
    assert [choice.label for choice in split.choices] == ["2026", "2025", "2024"]


def test_whoever_named_a_kind_of_file_is_not_asked_for_it() -> None:
    types = Facet("type", (FacetValue("application/msword", "", 30), FacetValue("application/x-word", "", 30)))
    assert best_split(found(60, types), SearchFilters()) is not None
    assert best_split(found(60, types), SearchFilters(mime_types=("application/msword", "application/x-word"))) is None


def test_periods_outside_the_one_already_asked_for_are_not_offered() -> None:
    periods = Facet("period", tuple(FacetValue(value, value, 20) for value in ("2024", "2024-09", "2024-10")))
    within = SearchFilters(period=Period(date(2024, 9, 1), date(2024, 11, 1)))
    split = best_split(found(60, periods), within)
    assert split is not None
    assert {choice.value for choice in split.choices} == {"2024-09", "2024-10"}


def test_types_read_as_people_call_them() -> None:
    types = Facet("type", (FacetValue(PDF, PDF, 30), FacetValue(WORD, WORD, 20)))
    split = best_split(found(60, types), SearchFilters())
    assert split is not None
    assert [choice.label for choice in split.choices] == ["PDF", "Word"]
    assert split.choices[1].value == WORD


def test_folders_read_by_their_own_name_unless_two_share_it() -> None:
    apart = Facet("folder", (FacetValue("会社/営業部", "x", 30), FacetValue("会社/経理部", "x", 20)))
    alike = Facet("folder", (FacetValue("会社/営業部/2024", "x", 30), FacetValue("会社/経理部/2024", "x", 20)))
    for facet_, labels in ((apart, ["営業部", "経理部"]), (alike, ["会社/営業部/2024", "会社/経理部/2024"])):
        split = best_split(found(60, facet_), SearchFilters())
        assert split is not None
        assert [choice.label for choice in split.choices] == labels


OFFERED = [Choice("営業部", 12, "folder", "会社/営業部"), Choice("PDF資料", 5, "type", PDF)]


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("営業部", 0),
        (" 営業部 ", 0),
        ("営業部 (12)", 0),
        ("営業部（12）", 0),
        ("pdf資料", 1),
        ("ＰＤＦ資料", 1),
        ("1", 0),
        ("２", 1),
        ("3", None),
        ("0", None),
        ("営業部の見積書", None),
        ("2024", None),
    ],
)
def test_an_answer_is_a_label_a_number_or_words(answer: str, index: int | None) -> None:
    assert matching_choice(answer, OFFERED) == (None if index is None else OFFERED[index])


def test_a_choice_becomes_the_filter_behind_it() -> None:
    filters = SearchFilters(folders=("会社",), keywords=("売上",))
    assert narrowed_by(filters, OFFERED[0]).folders == ("会社/営業部",)
    assert narrowed_by(filters, OFFERED[1]).mime_types == (PDF,)
    assert narrowed_by(filters, Choice("週次", 3, "keyword", "週次")).keywords == ("売上", "週次")
    assert narrowed_by(filters, Choice("みどり商事", 3, "name", "みどり商事")).names == ("みどり商事",)
    others = narrowed_by(filters, Choice("その他", 3, "type", but_not=(PDF, WORD)))
    assert others == replace(filters, but_not=(SearchFilters(mime_types=(PDF, WORD)),))
    other_words = narrowed_by(filters, Choice("その他", 3, "keyword", but_not=("週次", "月次")))
    assert other_words.but_not == (SearchFilters(keywords=("週次",)), SearchFilters(keywords=("月次",)))
    assert narrowed_by(filters, Choice("すべて表示", 60, None)) == filters
    assert narrowed_by(filters, Choice("佐藤", 3, "owner", "sato")).owners == ("sato",)
    assert narrowed_by(filters, Choice("9月", 3, "period", "2024-09")).period_by == "dated"
    stated = replace(filters, period_by="stated")
    assert narrowed_by(stated, Choice("9月", 3, "period", "2024-09")).period_by == "stated"
    september = narrowed_by(filters, Choice("9月", 3, "period", "2024-09")).period
    assert september == Period(date(2024, 9, 1), date(2024, 10, 1), "9月")


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ("2024", date(2024, 1, 1), date(2025, 1, 1)),
        ("2024-09", date(2024, 9, 1), date(2024, 10, 1)),
        ("2024-12", date(2024, 12, 1), date(2025, 1, 1)),
    ],
)
def test_the_value_of_a_period_is_a_year_or_a_month(value: str, start: date, end: date) -> None:
    assert period_of(value) == Period(start, end)
