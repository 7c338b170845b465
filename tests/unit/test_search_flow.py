"""The branching search, played by `send` over a scripted index."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.drive_search import attempts
from locator_search.model import Facet, FacetValue, Retrieval, RetrievalQuery, SearchFilters, SearchOutcome
from locator_search.text.terms import analyse
from tests.fakes.scripted_index import BODY, evidence, folder_facet, retrieval
from tests.fakes.search_parts import ANSWERS, ScriptedModel, SourceWithout
from tests.fakes.searches import ScriptedSearch, inputs

FOLDERS = (folder_facet(営業部=12, 経理部=48),)


def branches(outcome: SearchOutcome) -> list[str]:
    return [done.branch for done in outcome.rounds]


def thresholds(outcome: SearchOutcome) -> list[float]:
    return [done.threshold for done in outcome.rounds]


# 1 hit, 2-9 hits


def test_one_file_is_shown_as_it_is() -> None:
    parts = ScriptedSearch([retrieval(1, 0.8)])
    outcome = parts.play(inputs())
    assert (outcome.outcome, branches(outcome)) == ("found", ["show"])
    assert [item.file_id for item in outcome.evidence] == ["file-0"]
    assert "rerank" not in parts.model.tasks()


def test_one_good_file_below_three_quarters_is_shown_without_a_question() -> None:
    outcome = ScriptedSearch([retrieval(1, 0.72)]).play(inputs())
    assert outcome.outcome == "found"
    assert outcome.message == "1 件見つかりました。類似度は低めです（最高 0.72）。"


@pytest.mark.parametrize("hit_count", [2, 5, 9])
def test_a_few_files_are_shown_in_the_models_order(hit_count: int) -> None:
    parts = ScriptedSearch([retrieval(hit_count)])
    parts.model = ScriptedModel(ANSWERS | {"rerank": {"file_ids": ["file-1", "made-up"]}})
    outcome = parts.play(inputs())
    assert (outcome.outcome, branches(outcome)) == ("found", ["rerank"])
    assert len(outcome.evidence) == hit_count
    assert [item.file_id for item in outcome.evidence[:2]] == ["file-1", "file-0"]
    assert outcome.message == f"{hit_count} 件見つかりました。質問の意図に近い順に並べています。"


def test_the_ranking_sees_summaries_and_metadata_but_never_the_text_of_a_file() -> None:
    parts = ScriptedSearch([retrieval(5)])
    parts.play(inputs())
    prompt = next(prompt for prompt in parts.model.asked if prompt.task == "rerank")
    assert "資料0の要約" in str(prompt.inputs)
    assert "会社/営業部" in str(prompt.inputs)
    assert BODY not in str(prompt)
    assert "抜粋" not in str(prompt)


def test_no_prompt_of_any_branch_carries_the_text_of_a_file() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(0), retrieval(30, 0.85)])
    parts.play(inputs(max_rounds=5), answers=["見積書"])
    assert {"narrowing_question", "rewrite"} <= set(parts.model.tasks())
    assert not [prompt.task for prompt in parts.model.asked if BODY in str(prompt)]


def test_without_the_model_the_files_are_shown_in_the_order_of_the_index_saying_so() -> None:
    parts = ScriptedSearch([retrieval(5)])
    parts.model = ScriptedModel({})
    outcome = parts.play(inputs())
    assert [item.file_id for item in outcome.evidence] == [f"file-{n}" for n in range(5)]
    assert any("言語モデルが応答しなかった" in note for note in outcome.notes)


# 10-49 hits


@pytest.mark.parametrize("hit_count", [10, 20, 49])
def test_of_some_files_the_clearly_similar_ones_are_shown(hit_count: int) -> None:
    parts = ScriptedSearch([retrieval(hit_count, 0.80)])
    outcome = parts.play(inputs())
    assert (outcome.outcome, branches(outcome)) == ("found", ["refine"])
    assert all(item.similarity >= 0.75 for item in outcome.evidence)
    assert len(outcome.evidence) == 6
    assert outcome.message.startswith(f"{hit_count} 件のうち、質問によく合う 6 件")


def test_when_too_many_of_them_are_left_the_query_is_rewritten_and_the_threshold_raised() -> None:
    parts = ScriptedSearch([retrieval(30, 0.85), retrieval(4)])
    outcome = parts.play(inputs())
    assert (branches(outcome), thresholds(outcome)) == (["refine", "rerank"], [0.70, 0.75])
    assert outcome.rounds[1].query == "営業部の資料"
    assert outcome.rounds[1].keywords == ("営業部",)
    assert outcome.rounds[1].note == (
        "検索クエリを「営業部の資料」に書き直しました。質問により近いものに範囲を狭めました。"
    )
    assert len(outcome.evidence) == 4


def test_where_all_are_alike_the_person_is_asked_at_once() -> None:
    outcome = ScriptedSearch([retrieval(17, 1.0, facets=FOLDERS)]).play(inputs(interactive=False))
    assert (outcome.outcome, branches(outcome)) == ("needs_answer", ["refine"])


def test_a_rewrite_that_finds_nothing_falls_back_to_what_was_there() -> None:
    outcome = ScriptedSearch([retrieval(30, 0.85), retrieval(0)]).play(inputs())
    assert outcome.outcome == "too_many"
    assert len(outcome.evidence) == 10


def test_exactly_ten_files_are_not_too_many() -> None:
    outcome = ScriptedSearch([retrieval(10, 0.72)]).play(inputs(max_rounds=1))
    assert (outcome.outcome, len(outcome.evidence)) == ("found", 10)


# 50 hits and more, or 10 and more without a clear one


@pytest.mark.parametrize(("hit_count", "top"), [(50, 0.95), (120, 0.95), (10, 0.749), (49, 0.749)])
def test_too_many_files_lead_to_one_question_with_counted_choices(hit_count: int, top: float) -> None:
    parts = ScriptedSearch([retrieval(hit_count, top, facets=(folder_facet(営業部=4, 経理部=5),))])
    outcome = parts.play(inputs(interactive=False))
    assert (outcome.outcome, branches(outcome)) == ("needs_answer", ["narrow"])
    assert outcome.narrowing_question == "どの部署の資料ですか？"
    assert [(choice.label, choice.count) for choice in outcome.choices] == [
        ("経理部", 5),
        ("営業部", 4),
        ("すべて表示", hit_count),
    ]
    assert len(outcome.evidence) == 10
    assert outcome.rounds[0].hit_count == hit_count


def test_a_hit_count_above_the_result_limit_is_reported_as_it_is() -> None:
    parts = ScriptedSearch([retrieval(120)])
    outcome = parts.play(inputs(interactive=False, limit=5))
    assert outcome.rounds[0].hit_count == 120
    assert len(outcome.evidence) == 5


@pytest.mark.parametrize("limit", [1, 80])
def test_the_result_limit_decides_nothing_but_how_many_are_shown(limit: int) -> None:
    outcome = ScriptedSearch([retrieval(30, 0.85), retrieval(4)]).play(inputs(limit=limit))
    assert branches(outcome) == ["refine", "rerank"]
    assert len(outcome.evidence) == min(limit, 4)


def test_a_button_brings_the_count_it_promised() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(12, 0.80)])
    outcome = parts.play(inputs(), answers=["営業部 (12)"])
    first, second = parts.index.asked
    assert second == replace(first, filters=SearchFilters(folders=("会社/営業部",)))
    assert outcome.outcome == "found"
    assert "「営業部」に絞りました。" in outcome.notes


def test_what_no_choice_holds_is_a_choice_with_its_own_count() -> None:
    parts = ScriptedSearch([retrieval(70, facets=FOLDERS), retrieval(7)])
    parts.index.left_out = 10
    outcome = parts.play(inputs(interactive=False))
    assert [(choice.label, choice.count) for choice in outcome.choices] == [
        ("経理部", 48),
        ("営業部", 12),
        ("その他", 10),
        ("すべて表示", 70),
    ]
    parts.index.asked.clear()
    parts.play(inputs(), answers=["その他"])
    folders = ("会社/経理部", "会社/営業部")
    assert parts.index.asked[1].filters.but_not == (SearchFilters(folders=folders),)


def test_whoever_wants_all_is_shown_as_many_as_may_be_returned() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(60, limit=60)])
    outcome = parts.play(inputs(), answers=["すべて表示"])
    assert (outcome.outcome, len(outcome.evidence)) == ("found", 60)
    assert outcome.message == "60 件を近い順に 60 件まで表示します。"


def test_free_text_joins_the_question_and_raises_the_threshold() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(3)])
    outcome = parts.play(inputs(), answers=["見積書"])
    assert thresholds(outcome) == [0.70, 0.82]
    assert parts.embedder.embedded[-1].startswith("営業の資料 見積書")
    assert (outcome.outcome, len(outcome.evidence)) == ("found", 3)


def test_an_answer_that_names_a_period_only_becomes_a_filter() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(3)])
    outcome = parts.play(inputs(), answers=["令和6年9月"])
    period = parts.index.asked[1].filters.period
    assert period is not None
    assert (str(period.start), str(period.end)) == ("2024-09-01", "2024-10-01")
    assert parts.index.asked[1].filters.period_by == "dated"
    assert thresholds(outcome) == [0.70, 0.70]


def test_after_an_answer_that_leaves_nothing_the_threshold_goes_back_and_not_below_where_it_was() -> None:
    outcome = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(0), retrieval(4)]).play(
        inputs(), answers=["見積書"]
    )
    assert (branches(outcome), thresholds(outcome)) == (["narrow", "relax", "rerank"], [0.70, 0.82, 0.76])


def test_whoever_answers_never_ends_with_nothing() -> None:
    outcome = ScriptedSearch([retrieval(60, facets=FOLDERS), retrieval(0)]).play(inputs(), answers=["見積書"])
    assert outcome.outcome == "too_many"
    assert len(outcome.evidence) == 10
    assert "絞り込むと該当がなくなったため、その前の 60 件から表示します。" in outcome.notes


def test_a_question_left_unanswered_ends_with_the_best_ten() -> None:
    outcome = ScriptedSearch([retrieval(60, facets=FOLDERS)]).play(inputs(), answers=[""])
    assert (outcome.outcome, len(outcome.evidence)) == ("too_many", 10)
    assert "絞り込みの質問には答えずに進みました。" in outcome.notes


def test_at_the_limit_of_rounds_the_best_ten_are_shown_with_the_word_that_they_are_too_many() -> None:
    parts = ScriptedSearch([retrieval(120, facets=(folder_facet(営業部=60, 経理部=60),))])
    outcome = parts.play(inputs(), answers=["1"])
    assert outcome.outcome == "too_many"
    assert outcome.message.startswith("10 件以下に絞り込めませんでした")
    assert len(outcome.rounds) <= 3
    assert len(outcome.evidence) == 10


def test_no_question_is_asked_whose_answer_could_not_be_used() -> None:
    outcome = ScriptedSearch([retrieval(120, facets=FOLDERS)]).play(inputs(max_rounds=1, interactive=False))
    assert outcome.outcome == "too_many"


def test_without_a_facet_that_splits_the_question_is_open() -> None:
    parts = ScriptedSearch([retrieval(60)])
    parts.model = ScriptedModel({})
    outcome = parts.play(inputs(interactive=False))
    assert [choice.label for choice in outcome.choices] == ["すべて表示"]
    assert outcome.narrowing_question == "お探しの資料について、ほかに分かることはありますか？"


def test_without_the_model_the_question_is_worded_by_its_facet() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS)])
    parts.model = ScriptedModel({})
    assert parts.play(inputs(interactive=False)).narrowing_question == "どのフォルダーの資料をお探しですか？"


# 0 hits


def telling(found: Retrieval, **parts: float) -> Retrieval:
    """The same, where the index says how much of the question each of these words makes up."""
    return replace(found, telling={analyse(word).terms[0]: part for word, part in parts.items()})


def test_nothing_found_relaxes_the_threshold_and_drops_a_keyword_saying_so() -> None:
    parts = ScriptedSearch([telling(retrieval(0), 資料=0.8, 営業=0.2), retrieval(3, 0.65)])
    outcome = parts.play(inputs("営業の資料"))
    assert (branches(outcome), thresholds(outcome)) == (["relax", "rerank"], [0.70, 0.60])
    assert outcome.rounds[0].keywords == ("資料", "営業")
    assert (outcome.rounds[1].query, outcome.rounds[1].keywords) == ("の資料", ("資料",))
    assert any("範囲を広げました" in note and "「営業」" in note for note in outcome.notes)


def test_a_keyword_that_makes_up_much_of_the_question_stays_in_it() -> None:
    parts = ScriptedSearch([telling(retrieval(0), 資料=0.5, 営業=0.5), retrieval(3, 0.65)])
    outcome = parts.play(inputs("営業の資料"))
    assert outcome.rounds[1].query == "営業の資料"
    assert outcome.rounds[1].keywords == outcome.rounds[0].keywords
    assert not any("「営業」" in note for note in outcome.notes)


def test_a_document_number_that_no_file_bears_is_not_answered_with_other_numbers() -> None:
    for hits in (1, 3):
        near = replace(retrieval(hits, 0.8), absent=("K-2031-999",))
        outcome = ScriptedSearch([near]).play(inputs("K-2031-999の契約書"))
        assert (outcome.outcome, branches(outcome)) == ("not_found", ["relax"])
        assert len(outcome.closest) == hits
        assert "K-2031-999" in outcome.message


def test_a_name_that_no_file_holds_still_shows_what_is_about_the_rest() -> None:
    near = replace(retrieval(3, 0.8), absent=("Docker",))
    assert ScriptedSearch([near]).play(inputs("Docker のインストール")).outcome == "found"


@pytest.mark.parametrize(
    ("query", "dropped", "kept", "left"),
    [
        ("北斗製鋼の週報", ["週報"], ["北斗製鋼"], "北斗製鋼の"),
        ("週報会議の週報", ["週報"], ["週報会議"], "週報会議の"),
        ("Weekly Report of Hokuto", ["report"], ["Hokuto"], "Weekly of Hokuto"),
        ("北斗製鋼", ["週報"], ["北斗製鋼"], "北斗製鋼"),
        ("C++ (旧) の手順", ["C++ (旧)"], ["手順"], "の手順"),
        ("週報", ["週報"], ["x"], "週報"),
    ],
)
def test_a_dropped_keyword_leaves_the_query(query: str, dropped: list[str], kept: list[str], left: str) -> None:
    assert attempts.without(query, dropped, kept) == left


def test_nothing_found_twice_is_said_with_what_was_tried() -> None:
    outcome = ScriptedSearch([retrieval(0)]).play(inputs())
    assert (outcome.outcome, branches(outcome)) == ("not_found", ["relax", "relax"])
    assert outcome.message.startswith("見つかりませんでした")
    assert "試したこと: 質問から少し離れたものまで範囲を広げました。" in outcome.message
    assert outcome.evidence == ()


def test_conditions_read_from_the_question_are_dropped_last_saying_so() -> None:
    parts = ScriptedSearch([*[retrieval(0)] * 4, retrieval(2)])
    outcome = parts.play(inputs("先月の売上のPDF"))
    *under, last = parts.index.asked
    assert {asked.filters.mime_types for asked in under} == {("application/pdf",)}
    assert all(asked.filters.period is not None for asked in under)
    assert [(asked.threshold, asked.filters.period_by) for asked in under] == [
        (0.70, "stated"),
        (0.70, "any"),
        (0.60, "stated"),
        (0.60, "any"),
    ]
    assert last.filters == SearchFilters()
    assert (last.query, last.keywords, last.threshold) == ("売上", under[0].keywords, 0.70), "they leave the query"
    assert any("PDF" in note and "外しました" in note for note in outcome.notes)
    assert not any("絞りました" in note or "キーワード" in note or "広げました" in note for note in outcome.notes)
    assert "絞りました" not in outcome.message
    assert outcome.message.count("外しました") == 1


def test_files_that_state_the_period_are_shown_alone() -> None:
    parts = ScriptedSearch([retrieval(5)])
    outcome = parts.play(inputs("2026年9月の週報"))
    assert [asked.filters.period_by for asked in parts.index.asked] == ["stated"]
    assert not any("書かれたファイルは見つからない" in note for note in outcome.notes)


def test_where_no_file_states_the_period_those_that_may_be_of_it_are_shown_saying_so() -> None:
    outcome = ScriptedSearch([retrieval(0), retrieval(5)]).play(inputs("2026年9月の週報"))
    assert (branches(outcome), len(outcome.evidence)) == (["rerank"], 5)
    assert any("書かれたファイルは見つからない" in note for note in outcome.notes)


def test_a_question_of_a_period_alone_means_what_was_changed_in_it_as_well() -> None:
    parts = ScriptedSearch([retrieval(5)])
    parts.play(inputs("2026年9月のファイル"))
    assert [asked.filters.period_by for asked in parts.index.asked] == ["dated"]


@pytest.mark.parametrize(
    ("question", "retrievals_a_round"),
    [
        ("先々週の議事録", 2),
        ("第33週の議事録", 2),
        ("2019年3月の議事録", 2),
        ("議事録のPDF", 1),
        ("去年の議事録のExcel", 2),
    ],
)
def test_a_round_is_left_to_answer_in_after_any_condition_was_dropped(question: str, retrievals_a_round: int) -> None:
    many = retrieval(25, top=0.6, facets=(folder_facet(営業部=4, 経理部=21),))
    parts = ScriptedSearch([*[retrieval(0)] * 2 * retrievals_a_round, many, retrieval(4)])
    outcome = parts.play(inputs(question), answers=["1"])
    assert (outcome.outcome, branches(outcome)) == ("found", ["relax", "narrow", "rerank"])
    assert [done.hit_count for done in outcome.rounds] == [0, 25, 4]
    assert sum("外しました" in note for note in outcome.notes) == 1


def test_beside_its_conditions_nothing_of_a_question_is_given_up() -> None:
    parts = ScriptedSearch([retrieval(0)])
    parts.play(inputs("議事録のPDF", max_rounds=6))
    assert [(asked.threshold, bool(asked.filters.mime_types)) for asked in parts.index.asked] == [
        (0.70, True),
        (0.60, True),
        (0.70, False),
        (0.0, False),
    ]


def test_conditions_dropped_in_vain_are_said_once() -> None:
    outcome = ScriptedSearch([retrieval(0)]).play(inputs("先月の売上のPDF"))
    assert outcome.outcome == "not_found"
    assert outcome.message.count("条件に合う資料がなかったため") == 1


def test_conditions_set_by_the_person_are_never_dropped() -> None:
    explicit = SearchFilters(mime_types=("text/csv",))
    parts = ScriptedSearch([retrieval(0)])
    outcome = parts.play(inputs(filters=explicit))
    assert all(asked.filters == explicit for asked in parts.index.asked)
    assert "条件" in outcome.message


def test_the_person_may_start_below_the_relaxed_threshold() -> None:
    outcome = ScriptedSearch([retrieval(0)]).play(inputs(threshold=0.5))
    assert thresholds(outcome) == [0.5]


def test_the_nearest_files_are_named_and_never_as_found() -> None:
    near = replace(retrieval(12, 0.45), evidence=tuple(evidence(n, 0.45 - n / 25) for n in range(12)))
    parts = ScriptedSearch([retrieval(0), retrieval(0), near])
    outcome = parts.play(inputs())
    assert (outcome.outcome, outcome.evidence) == ("not_found", ())
    assert [item.file_id for item in outcome.closest] == [f"file-{n}" for n in range(8)], "the others are not near"
    assert "質問に近いファイルを 8 件挙げます" in outcome.message
    last = parts.index.asked[-1]
    assert (last.query, last.keywords, last.threshold, last.with_facets) == ("営業の資料", (), 0.0, False)
    assert len(parts.source.checked) == 8


def test_a_file_far_ahead_of_all_others_is_shown_though_it_is_below_the_threshold() -> None:
    ahead = (replace(evidence(0, 0.55), score=1.0), replace(evidence(1, 0.50), score=0.55))
    outcome = ScriptedSearch([retrieval(0), retrieval(0), replace(retrieval(2), evidence=ahead)]).play(inputs())
    assert (outcome.outcome, [item.file_id for item in outcome.evidence]) == ("found", ["file-0"])
    assert outcome.message == "1 件見つかりました。類似度は低めです（最高 0.55）。"


def test_what_breaks_a_condition_of_the_question_is_at_most_close() -> None:
    ahead = (replace(evidence(0, 0.55), score=1.0),)
    script = [*[retrieval(0)] * 5, replace(retrieval(1), evidence=ahead)]
    outcome = ScriptedSearch(script).play(inputs("2019年の招集通知"))
    assert (outcome.outcome, [item.file_id for item in outcome.closest]) == ("not_found", ["file-0"])


# What stands out


def test_a_known_number_is_shown_without_a_question_however_many_share_its_kind() -> None:
    found = retrieval(103, 1.0, facets=FOLDERS)
    bearer = replace(found.evidence[0], explain={"matched_terms": ["inc", "19610", "inc-19610", "障害"]})
    outcome = ScriptedSearch([replace(found, evidence=(bearer, *found.evidence[1:]))]).play(
        inputs("INC-19610 障害報告書")
    )
    assert (outcome.outcome, [item.file_id for item in outcome.evidence]) == ("found", ["file-0"])


def test_a_clear_first_far_ahead_of_all_others_needs_no_question() -> None:
    found = retrieval(60, 0.95, facets=FOLDERS)
    ahead = tuple(replace(item, score=1.0 if n == 0 else 0.4) for n, item in enumerate(found.evidence))
    outcome = ScriptedSearch([replace(found, evidence=ahead)]).play(inputs())
    assert (outcome.outcome, len(outcome.evidence)) == ("found", 10)


# What a question says


def test_a_period_and_a_type_in_the_question_become_filters_and_are_said() -> None:
    parts = ScriptedSearch([retrieval(2)])
    outcome = parts.play(inputs("先月の売上のPDF"))
    asked = parts.index.asked[0]
    assert asked.query == "売上"
    assert asked.filters.mime_types == ("application/pdf",)
    assert asked.filters.period is not None
    assert (str(asked.filters.period.start), str(asked.filters.period.end)) == ("2026-10-01", "2026-11-01")
    for said in (outcome.message, " ".join(outcome.notes)):
        assert "先月" in said
        assert "2026-10" in said
        assert "PDF" in said


def test_an_era_year_in_the_question_becomes_a_period() -> None:
    parts = ScriptedSearch([retrieval(2)])
    parts.play(inputs("令和6年9月の議事録"))
    asked = parts.index.asked[0]
    assert asked.query == "議事録"
    assert asked.filters.period is not None
    assert (str(asked.filters.period.start), str(asked.filters.period.end)) == ("2024-09-01", "2024-10-01")


def test_explicit_filters_win_over_those_in_the_question() -> None:
    explicit = SearchFilters(mime_types=("text/csv",))
    parts = ScriptedSearch([retrieval(2)])
    parts.play(inputs("先月の売上のPDF", filters=explicit))
    assert parts.index.asked[0].filters.mime_types == ("text/csv",)


def test_a_question_of_conditions_alone_accepts_every_file_that_meets_them() -> None:
    parts = ScriptedSearch([retrieval(2)])
    outcome = parts.play(inputs("先月のPDF"))
    assert parts.index.asked[0].threshold == 0.0
    assert outcome.outcome == "found"
    assert any("条件に合うファイルをすべて" in note for note in outcome.notes)


def test_the_question_is_embedded_with_the_keywords_it_does_not_contain() -> None:
    parts = ScriptedSearch([retrieval(1)])
    parts.model = ScriptedModel(ANSWERS | {"search_keywords": {"keywords": ["営業", "顧客A"]}})
    parts.play(inputs("営業の資料"))
    assert parts.embedder.embedded == ["営業の資料 顧客A"]


def test_english_answers_in_english() -> None:
    outcome = ScriptedSearch([retrieval(2)]).play(inputs("sales in PDF", language="en"))
    assert outcome.message == "2 files were found, in the order of what you seem to mean. Limited to the type PDF."
    assert "Limited to the type PDF." in outcome.notes


# What is shown


def test_files_that_are_gone_make_room_for_the_next_best() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS)])
    parts.source = SourceWithout(frozenset({"file-0", "file-3"}))
    outcome = parts.play(inputs(interactive=False))
    assert len(outcome.evidence) == 10
    assert not {"file-0", "file-3"} & {item.file_id for item in outcome.evidence}
    assert any("2 件は取得元から削除" in note for note in outcome.notes)


def test_no_more_files_are_checked_than_needed() -> None:
    parts = ScriptedSearch([retrieval(60, facets=FOLDERS)])
    parts.play(inputs(interactive=False))
    assert len(parts.source.checked) == 10


def test_when_every_file_is_gone_nothing_was_found() -> None:
    parts = ScriptedSearch([retrieval(2)])
    parts.source = SourceWithout(frozenset({"file-0", "file-1"}))
    outcome = parts.play(inputs())
    assert outcome.outcome == "not_found"
    assert any("2 件は取得元から削除" in note for note in outcome.notes)


def test_files_that_could_not_be_checked_are_counted() -> None:
    unchecked = replace(evidence(1), verified=None)
    outcome = ScriptedSearch([replace(retrieval(1), evidence=(unchecked,))]).play(inputs())
    assert any("1 件は取得元で確認できていません" in note for note in outcome.notes)


# For every sequence of counts

COUNTS = st.lists(st.sampled_from([0, 1, 5, 10, 30, 49, 50, 120]), min_size=1, max_size=12)
PERIODS = Facet("period", tuple(FacetValue(f"2024-{month:02}", f"2024-{month:02}", 5) for month in range(1, 9)))


@settings(max_examples=200, deadline=None)
@given(
    counts=COUNTS,
    tops=st.lists(st.sampled_from([0.71, 0.76, 0.95]), min_size=12, max_size=12),
    answers=st.lists(st.sampled_from(["", "1", "2", "見積書", "2024年9月", "先月のPDF"]), min_size=1, max_size=12),
    max_rounds=st.integers(1, 12),
    question=st.sampled_from(["営業の資料", "先月の売上のPDF", "先月のPDF"]),
    threshold=st.sampled_from([0.0, 0.5, 0.70, 0.82, 1.0]),
)
def test_any_sequence_of_counts_ends_without_trying_anything_twice(
    counts: list[int], tops: list[float], answers: list[str], max_rounds: int, question: str, threshold: float
) -> None:
    script = [retrieval(count, top, facets=(*FOLDERS, PERIODS)) for count, top in zip(counts, tops, strict=False)]
    parts = ScriptedSearch(script)
    outcome = parts.play(inputs(question, max_rounds=max_rounds, threshold=threshold), answers=answers)

    assert outcome.outcome in ("found", "not_found", "too_many")
    assert 1 <= len(outcome.rounds) <= max_rounds
    assert max(Counter(parts.index.asked).values()) == 1
    hits = [done.hit_count for done in outcome.rounds]
    assert outcome.outcome != "not_found" or not any(hits) or counts[-1] == 0
    assert bool(outcome.evidence) == (outcome.outcome != "not_found")
    assert not outcome.closest or outcome.outcome == "not_found"
    assert len(outcome.evidence) <= 10 or "まで表示します" in outcome.message


# Odd words


def test_a_slip_is_asked_about_and_never_replaced_in_silence() -> None:
    parts = ScriptedSearch([replace(retrieval(0), absent=("giude",), respelled=(("giude", "guide"),)), retrieval(0)])
    outcome = parts.play(inputs(question="先月の instalation giude"))
    assert outcome.did_you_mean == ("先月の instalation guide",)
    assert all(asked.query.endswith("instalation giude") for asked in parts.index.asked)
    assert "「giude」はどのファイルにもありません。" in outcome.message
    assert outcome.message.startswith("見つかりませんでした。")


def test_with_nothing_near_the_message_says_how_to_ask() -> None:
    outcome = ScriptedSearch([retrieval(0)]).play(inputs())
    assert "題名、取引先、番号など" in outcome.message
    assert outcome.did_you_mean == ()


def test_what_a_stand_in_finds_near_without_a_word_in_common_is_chance() -> None:
    near = retrieval(2, 0.4)
    worded = replace(near, evidence=tuple(replace(one, explain={"keyword": {"rank": 1}}) for one in near.evidence[:1]))
    for found, named in ((near, 0), (worded, 1)):
        parts = ScriptedSearch([retrieval(0), retrieval(0), found])
        parts.embedder.model_name = "offline-hashed"
        assert len(parts.play(inputs()).closest) == named
    assert len(ScriptedSearch([retrieval(0), retrieval(0), near]).play(inputs()).closest) == 2


# Files that the source does not confirm, where permissions count


def test_where_permissions_count_a_closed_file_leaves_no_hint() -> None:
    parts = ScriptedSearch([retrieval(1, 0.97), retrieval(0)])
    parts.source = SourceWithout(frozenset({"file-0"}))
    outcome = parts.play(inputs(permissions=True))
    assert outcome == ScriptedSearch([retrieval(0)]).play(inputs()), "counts, similarities and sentences without it"
    assert parts.index.asked[1].filters == SearchFilters(but_not=(SearchFilters(file_ids=("file-0",)),))
    assert parts.index.asked[1].filters in {query.filters for query in parts.unread.asked}


def test_a_person_who_answered_is_not_asked_again_because_a_file_was_closed() -> None:
    parts = ScriptedSearch(
        [
            retrieval(60, facets=FOLDERS),
            Retrieval((evidence(30),), 1, 0.9),
            retrieval(59, facets=FOLDERS),
            Retrieval((evidence(31),), 1, 0.9),
        ]
    )
    parts.source = SourceWithout(frozenset({"file-30"}))
    outcome = parts.play(inputs(permissions=True), answers=["経理部", "営業部"])
    assert [item.file_id for item in outcome.evidence] == ["file-31"]
    assert [done.hit_count for done in outcome.rounds] == [59, 1]
    assert parts.index.asked[1].filters.folders == parts.index.asked[3].filters.folders == ("会社/経理部",)


def test_where_a_source_confirms_nothing_the_search_ends_with_nothing_and_soon() -> None:
    parts = ScriptedSearch([retrieval(60)])
    parts.source = SourceWithout(frozenset(f"file-{number}" for number in range(60)))

    def nothing_for_no_file(query: RetrievalQuery, query_embedding: object) -> Retrieval:
        parts.index.asked.append(query)
        return retrieval(0 if query.filters.file_ids else 60)

    parts.index.retrieve = nothing_for_no_file  # type: ignore[method-assign]
    outcome = parts.play(inputs(permissions=True))
    assert (outcome.outcome, outcome.evidence, outcome.closest) == ("not_found", (), ())
    assert [done.hit_count for done in outcome.rounds] == [0, 0]
    assert len(parts.source.checked) == 10 + 3 * 20
