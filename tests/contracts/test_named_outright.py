"""A question that is a file's name puts that file first; what stands in quotation marks is wanted letter by letter."""

from __future__ import annotations

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.model import Evidence, RetrievalMode, RetrievalQuery, SearchFilters
from tests.builders.index import file_ref, index_entry, unit_vector, vector_at

QUESTION = unit_vector("question")


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    return PostgresIndexStore(database)


def ask(
    index: PostgresIndexStore, question: str, mode: RetrievalMode = "hybrid", threshold: float = 0.7
) -> tuple[Evidence, ...]:
    asked = RetrievalQuery(question, mode=mode, threshold=threshold, with_facets=threshold > 0)
    return index.retrieve(asked, None if mode == "keyword" else QUESTION).evidence


def write_rivals(index: PostgresIndexStore) -> None:
    """Files that speak of the name far more often, and lie nearer to the question."""
    index.replace_many(
        [
            index_entry(
                file_ref(f"rival-{number}", f"旅費規程の改定案{number}.txt"),
                ["旅費規程、旅費規程、旅費規程の改定。", "出張旅費規程について。"],
                embedding=vector_at(0.95, QUESTION, number),
            )
            for number in range(20)
        ],
        "pipeline-1",
    )


@pytest.mark.parametrize("question", ["旅費規程", "旅費規程.docx", "旅費規程．ＤＯＣＸ", " 旅費規程 "])
@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
@pytest.mark.parametrize("threshold", [0.0, 0.7])
def test_the_file_of_that_name_comes_first(
    index: PostgresIndexStore, question: str, mode: RetrievalMode, threshold: float
) -> None:
    write_rivals(index)
    index.replace(index_entry(file_ref("named", "旅費規程.docx"), ["交通費と日当を定める。"]), "pipeline-1")
    found = ask(index, question, mode, threshold)
    assert found[0].file_id == "named"
    assert found[0].explain["preferred"] == "name"
    assert found[0].similarity == pytest.approx(1.0)
    assert all("preferred" not in evidence.explain for evidence in found[1:])
    assert [evidence.score for evidence in found] == sorted((e.score for e in found), reverse=True)


def test_with_a_suffix_only_the_file_of_that_kind_is_meant(index: PostgresIndexStore) -> None:
    for number, name in enumerate(("報告書.docx", "報告書.pdf")):
        index.replace(index_entry(file_ref(f"file-{number}", name), ["売上の報告。"]), "pipeline-1")
    assert ask(index, "報告書.pdf")[0].file_id == "file-1"
    both = ask(index, "報告書")
    assert [evidence.explain.get("preferred") for evidence in both] == ["name", "name"]


def test_a_name_that_no_word_of_the_index_gives_away_is_found(index: PostgresIndexStore) -> None:
    write_rivals(index)
    index.replace(index_entry(file_ref("named", "ICNU_000003_v2.docx"), ["別の話。"]), "pipeline-1")
    assert ask(index, "ICNU_000003_v2")[0].file_id == "named"


def test_a_question_about_a_file_is_not_its_name(index: PostgresIndexStore) -> None:
    index.replace(index_entry(file_ref("named", "旅費規程.docx"), ["交通費を定める。"]), "pipeline-1")
    assert all("preferred" not in found.explain for found in ask(index, "旅費規程はどこ", threshold=0.0))


@pytest.mark.parametrize(
    "question",
    [
        "「予算編成方針」の資料",
        "『予算編成方針』",
        '"予算編成方針" について',
        "“予算編成方針”はどれ",
        "「予算編成方針」",
    ],
)
def test_a_quoted_phrase_prefers_the_files_that_hold_it_as_it_is(index: PostgresIndexStore, question: str) -> None:
    scattered = "予算の編成。編成方針。予算編成。方針は予算の方針。編成方針。予算編成。"
    index.replace_many(
        [
            index_entry(file_ref(f"scattered-{n}"), [scattered], embedding=vector_at(0.9, QUESTION, n))
            for n in range(10)
        ],
        "pipeline-1",
    )
    index.replace(index_entry(file_ref("verbatim"), ["前置きのあとに、予算編成方針と一度だけ言う。"]), "pipeline-1")
    found = ask(index, question)
    assert found[0].file_id == "verbatim"
    assert found[0].explain["preferred"] == "phrase"
    assert len(found) == 11, "what does not hold it is still found, further down"


def test_all_phrases_have_to_be_there_in_text_or_name(index: PostgresIndexStore) -> None:
    index.replace(index_entry(file_ref("one"), ["予算編成方針の話。"]), "pipeline-1")
    index.replace(index_entry(file_ref("both", "年度計画.txt"), ["予算編成方針の話。"]), "pipeline-1")
    found = ask(index, "「予算編成方針」と「年度計画」", threshold=0.0)
    assert [evidence.explain.get("preferred") for evidence in found[:2]] == ["phrase", None]
    assert found[0].file_id == "both"


def test_a_phrase_in_another_width_and_case_is_the_same(index: PostgresIndexStore) -> None:
    index.replace(index_entry(file_ref("wide"), ["ＫＸ－４７１１ 検収ﾚﾎﾟｰﾄ を添付します。"]), "pipeline-1")
    index.replace(index_entry(file_ref("other"), ["KX-4711 の検収。レポートは別。"]), "pipeline-1")
    found = ask(index, '"kx-4711 検収レポート"', threshold=0.0)
    assert (found[0].file_id, found[0].explain.get("preferred")) == ("wide", "phrase")


def test_a_phrase_nobody_wrote_prefers_nothing_and_breaks_nothing(index: PostgresIndexStore) -> None:
    index.replace(index_entry(file_ref("file-1"), ["予算の話。"]), "pipeline-1")
    for question in (
        "「麒麟の飼育」",
        "「」",
        "「の」",
        '"',
        "「%s」",
        "『'; DROP TABLE file_chunk; --』",
        "「予算」「」",
    ):
        ask(index, question, threshold=0.0)
    assert ask(index, "「予算の話」", threshold=0.0)[0].explain["preferred"] == "phrase"


def test_filters_hold_for_names_and_phrases_too(index: PostgresIndexStore) -> None:
    index.replace(index_entry(file_ref("named", "旅費規程.docx", mime_type="text/csv"), ["予算の話。"]), "pipeline-1")
    for question in ("旅費規程", "「予算の話」"):
        asked = RetrievalQuery(question, filters=SearchFilters(mime_types=("text/plain",)))
        assert index.retrieve(asked, QUESTION).hit_count == 0
