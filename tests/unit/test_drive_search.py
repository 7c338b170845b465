"""`DriveSearch` and `SearchRun`: the same search from page, command and test, kept in a log."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from locator_search.cli.search.as_json import search_as_json
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError, FlowLogRefused, StoreUnavailable
from locator_search.drive_search.questions import SearchOptions
from locator_search.model import Retrieval, RetrievalQuery, SearchFilters
from tests.fakes.scripted_index import ScriptedIndex, evidence, folder_facet, retrieval
from tests.fakes.searches import ScriptedSearch, inputs

FOLDERS = (folder_facet(営業部=12, 経理部=48),)
NARROWING = [retrieval(60, facets=FOLDERS), retrieval(3)]


def test_a_search_stops_at_a_narrowing_question_and_goes_on_with_its_answer() -> None:
    run = ScriptedSearch(NARROWING).search.start("営業の資料")
    assert run.outcome is None
    asked = run.advance()
    assert (asked.outcome, run.waiting) == ("needs_answer", True)
    assert run.outcome == asked
    found = run.answer("経理部")
    assert (found.outcome, run.waiting) == ("found", False)
    assert run.outcome == found


def test_a_page_that_keeps_only_the_log_drives_the_same_search() -> None:
    at_once = ScriptedSearch(NARROWING)
    run = at_once.search.start("営業の資料")
    run.advance()
    expected = run.answer("2")

    page = ScriptedSearch(NARROWING)
    log = page.search.start("営業の資料").log
    for step in ("advance", "advance", "answer", "advance"):
        reloaded = page.search.resume(log)
        outcome = reloaded.answer("2") if step == "answer" else reloaded.advance()
        log = reloaded.log
    assert outcome == expected
    assert log == run.log
    assert page.index.asked == at_once.index.asked


def test_a_run_a_log_and_the_bare_flow_come_to_the_same_outcome() -> None:
    run = ScriptedSearch(NARROWING).search.start("営業の資料", options=SearchOptions(surface="test"))
    run.advance()
    outcome = run.answer("営業部")
    assert ScriptedSearch(NARROWING).play(inputs(), answers=["営業部"]) == outcome
    assert ScriptedSearch([]).search.resume(run.log).outcome == outcome


def test_a_resumed_search_tells_what_it_told_while_it_went_on() -> None:
    run, said = ScriptedSearch(NARROWING).search.start("営業の資料"), list[str]()
    run.advance(said.append)
    assert run.told == tuple(said)
    run.answer("営業部", said.append)
    assert ScriptedSearch([]).search.resume(run.log).told == tuple(said)
    assert len(said) > 3


def test_resuming_an_ended_search_performs_and_records_nothing() -> None:
    parts = ScriptedSearch([retrieval(1)])
    run = parts.search.start("営業の資料")
    outcome = run.advance()
    resumed = parts.search.resume(run.log)
    assert resumed.advance() == outcome
    assert (len(parts.index.asked), len(parts.log.recorded)) == (1, 1)
    assert resumed.search_id == run.search_id == 1


def test_a_search_is_recorded_once_with_where_it_was_asked() -> None:
    parts = ScriptedSearch(NARROWING)
    run = parts.search.start("営業の資料", options=SearchOptions(surface="page"))
    run.advance()
    assert parts.log.recorded == []
    outcome = run.answer("1")
    assert parts.log.recorded == [("営業の資料", outcome, "page")]


def test_a_log_of_another_version_is_refused() -> None:
    parts = ScriptedSearch([retrieval(1)])
    kept = json.loads(parts.search.start("営業の資料").log)
    kept["version"] = "0"
    with pytest.raises(FlowLogRefused) as refusal:
        parts.search.resume(json.dumps(kept))
    assert refusal.value.hint == "Start the search again."


def test_an_answer_nobody_asked_for_is_refused() -> None:
    run = ScriptedSearch([retrieval(1)]).search.start("営業の資料")
    with pytest.raises(ConfigurationError, match="回答を待っていません"):
        run.answer("1")


@pytest.mark.parametrize("question", ["", "   ", "\n\t\u3000", "\x00"])
def test_an_empty_question_is_refused_in_one_sentence(question: str) -> None:
    with pytest.raises(ConfigurationError, match="質問が空です"):
        ScriptedSearch([]).search.start(question)


def test_an_over_long_question_is_refused_in_one_sentence() -> None:
    with pytest.raises(ConfigurationError, match="1001 文字"):
        ScriptedSearch([]).search.start("あ" * 1001)


@pytest.mark.parametrize("question", ["営業\x00の\n資料", "営業の\ud800資料", "  営業の　資料 "])
def test_characters_no_database_takes_are_left_out_of_the_question(question: str) -> None:
    run = ScriptedSearch([retrieval(1)]).search.start(question)
    assert run.inputs.question.replace(" ", "") == "営業の資料"


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions(threshold=1.5),
        SearchOptions(threshold=-0.1),
        SearchOptions(threshold=float("nan")),
        SearchOptions(limit=0),
        SearchOptions(show=0),
        SearchOptions(max_rounds=0),
    ],
)
def test_options_out_of_range_are_refused(options: SearchOptions) -> None:
    with pytest.raises(ConfigurationError):
        ScriptedSearch([]).search.start("営業の資料", options=options)


def test_rounds_language_and_today_come_from_the_settings() -> None:
    run = ScriptedSearch([]).search.start("営業の資料")
    assert (run.inputs.max_rounds, run.inputs.language) == (3, "ja")
    assert str(run.inputs.today) == "2026-11-20"


def test_keyword_mode_embeds_nothing() -> None:
    parts = ScriptedSearch([retrieval(1)])
    parts.search.start("営業の資料", options=SearchOptions(mode="keyword")).advance()
    assert parts.embedder.embedded == []


def test_progress_is_told_in_words() -> None:
    told: list[str] = []
    ScriptedSearch([retrieval(2)]).search.start("営業の資料").advance(told.append)
    assert told == [
        "検索キーワードを選んでいます",
        "索引を検索しています: 営業の資料",
        "ファイルの存在を確認しています",
        "質問の意図に近い順に並べています",
        "読み取れていないファイルの名前を調べています",
        "検索を記録しています",
    ]


def test_a_search_goes_on_after_the_database_comes_back() -> None:
    class Interrupted(ScriptedIndex):
        down = True

        def retrieve(self, query: RetrievalQuery, query_embedding: object) -> Retrieval:
            if self.down:
                raise StoreUnavailable("No database.")
            return super().retrieve(query, query_embedding)

    parts = ScriptedSearch([])
    parts.index = index = Interrupted([retrieval(1)])
    run = parts.search.start("営業の資料")
    with pytest.raises(StoreUnavailable):
        run.advance()
    index.down = False
    assert run.advance().outcome == "found"
    assert parts.model.tasks() == ["search_keywords"]


def test_the_json_document_has_the_keys_of_the_contract() -> None:
    run = ScriptedSearch([retrieval(60, facets=FOLDERS)]).search.start("営業の資料")
    document = search_as_json("営業の資料", run.advance(), run.models)
    assert json.loads(json.dumps(document)) == document
    assert {
        "outcome", "message", "question", "narrowing_question", "choices", "rounds", "evidence", "models",
    } <= document.keys()  # fmt: skip
    assert document["models"] == {"chat": "scripted-chat", "embedding": "one-vector"}
    first_round, first_evidence = document["rounds"][0], document["evidence"][0]  # type: ignore[index]
    assert {
        "round", "branch", "query", "keywords", "threshold", "hit_count", "top_similarity",
    } <= first_round.keys()  # fmt: skip
    assert {
        "file_id", "file_name", "summary", "link", "mime_type", "modified_at", "similarity", "cosine", "score",
        "snippet", "page_number", "clause_number", "verified",
    } <= first_evidence.keys()  # fmt: skip


def test_the_json_document_names_no_path_of_this_machine_and_no_body() -> None:
    private = replace(evidence(1), location="/home/somebody/secret.pdf")
    run = ScriptedSearch([replace(retrieval(1), evidence=(private,))]).search.start("営業の資料")
    document = json.dumps(search_as_json("営業の資料", run.advance(), run.models), ensure_ascii=False)
    assert "/home/somebody" not in document
    assert private.text not in document


def test_filters_of_the_person_reach_the_index() -> None:
    parts = ScriptedSearch([retrieval(1)])
    filters = SearchFilters(folders=("会社/営業部",), mime_types=("application/pdf",))
    parts.search.start("資料", filters=filters).advance()
    assert parts.index.asked[0].filters == filters


def test_conditions_read_from_the_question_are_named_and_can_be_ignored() -> None:
    parts = ScriptedSearch([retrieval(3)])
    run = parts.search.start("2026年9月の売上のPDF")
    run.advance()
    assert [condition.kind for condition in run.conditions] == ["period", "types"]
    assert parts.index.asked[-1].filters.mime_types == ("application/pdf",)

    again = parts.search.start("2026年9月の売上のPDF", options=SearchOptions(ignored=("types",)))
    again.advance()
    assert [condition.kind for condition in again.conditions] == ["period"]
    last = parts.index.asked[-1]
    assert last.filters.mime_types == ()
    assert last.filters.period is not None
    assert last.query == "売上"


def test_conditions_that_were_dropped_limit_nothing() -> None:
    run = ScriptedSearch([*[retrieval(0)] * 4, retrieval(3)]).search.start("2026年9月の売上のPDF")
    run.advance()
    assert run.conditions == ()


def test_facets_are_those_of_the_question_before_it_was_narrowed() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(3, facets=(folder_facet(経理部=3),))])
    run = parts.search.start("営業の資料")
    run.advance()
    run.answer("経理部")
    assert run.facets == (FOLDERS, 60)


def test_documents_by_words_ask_no_model_count_nothing_and_leave_the_search_as_it_was() -> None:
    parts = ScriptedSearch([Retrieval((evidence(0, 0.9), evidence(1, 0.6)), 2, 0.9), retrieval(1)])
    run = parts.search.start("先月の営業の資料")
    before = run.log
    assert [item.file_id for item in run.by_words()] == ["file-0"]  # the other one is not similar enough
    [query] = parts.index.asked
    assert (query.mode, query.threshold, query.with_facets) == ("keyword", 0.0, False)
    assert query.filters.period is not None
    assert (parts.model.asked, parts.embedder.embedded, parts.source.checked, run.log) == ([], [], [], before)


def test_a_question_of_conditions_alone_has_no_words_to_look_for() -> None:
    parts = ScriptedSearch([retrieval(3)])
    assert parts.search.start("先月のPDF").by_words() == ()
    assert parts.index.asked == []


def test_with_permissions_the_source_is_asked_about_documents_by_words_too() -> None:
    parts = ScriptedSearch([retrieval(2)])
    parts.source.gone = frozenset({"file-0"})
    search = parts.search
    search.settings = search.settings.model_copy(update={"locator_permissions": True})
    assert [item.file_id for item in search.start("営業の資料").by_words()] == ["file-1"]


def test_what_was_found_before_a_search_began_anew_is_told_nowhere() -> None:
    found = Retrieval((evidence(0),), 1, 0.97, FOLDERS)
    parts = ScriptedSearch([found, retrieval(0)])
    parts.source.gone = frozenset({"file-0"})
    parts.settings = Settings(_env_file=None, locator_permissions=True)
    run, said = parts.search.start("営業の資料"), list[str]()
    run.advance(said.append)
    assert run.facets == ((), 0)
    assert len(said) == len(set(said))
    resumed = parts.search.resume(run.log)
    assert (resumed.outcome, resumed.told) == (run.outcome, tuple(said))
