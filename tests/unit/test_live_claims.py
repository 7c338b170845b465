"""Statements of a live answer: each is compared with the evidence it cites, and services that disagree are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.live_search.answer_text import checked_answer
from locator_search.live_search.as_json import live_as_json
from locator_search.live_search.claims import Passage, claims_of
from locator_search.live_search.disagreement import disagreements
from locator_search.live_search.outcome import LiveClaim, LiveOutcome
from locator_search.live_search.searcher import LiveSearch
from locator_search.live_search.written import written
from locator_search.text.statements.tokens import read_statement
from tests.builders.live_questions import file, message, page
from tests.fakes.clock import HeldClock
from tests.fakes.searchable_services import SearchableServices

PASSAGES = {
    1: Passage("Google Drive", "再送設計書", "目的を述べる。再送の上限は三回とする。間隔は 2 秒。監視は行わない。"),
    2: Passage("Slack", "#alpha 田中", "再送の上限は五回に変えました。明日試します。"),
    3: Passage("GitHub", "acme/app#42 Retries", "The client retries a request three times. It does not cache answers."),
}


def claims(answer: str, passages: Mapping[int, Passage] = PASSAGES) -> tuple[LiveClaim, ...]:
    return claims_of(checked_answer(answer, dict.fromkeys(passages, "")).blocks, passages)


@pytest.mark.parametrize(
    "answer",
    [
        "再送の上限は**三回**です [1]。",
        "[1] の再送設計書によると、再送の上限は三回と記載されています。",
        "- 間隔は 2 秒 [1]",
        "| 項目 | 値 |\n|---|---|\n| 再送の上限 | 三回 [1] |",
        "再送設計書に書かれています [1]。",
        "The client retries a request three times [3].",
        "It does not cache answers. [3]",
        "再送の上限は三回です。間隔は 2 秒です [1]。",
    ],
)
def test_what_the_evidence_states_is_supported(answer: str) -> None:
    found = claims(answer)
    assert found
    assert all(claim.supported for claim in found), found


@pytest.mark.parametrize(
    ("answer", "doubt"),
    [
        ("再送の上限は四回です [1]。", "numbers"),
        ("監視は行う [1]。", "negation"),
        ("監視を行わない。再送の上限は秘密鍵で守られる [1]。", "words"),
        ("It caches answers [3].", "negation"),
        ("The server stores passwords [3].", "words"),
        ("再送の上限は三回です [2]。", "numbers"),
    ],
)
def test_what_it_does_not_state_is_doubted_with_the_nearest_sentence(answer: str, doubt: str) -> None:
    *_, claim = claims(answer)
    assert not claim.supported
    assert doubt in claim.doubts
    assert all(one.quote in PASSAGES[one.number].text for one in claim.citations)


def test_a_statement_without_evidence_is_none_and_what_only_leads_on_claims_nothing() -> None:
    (claim,) = claims("# 結論\n\n次のとおりです：\n\n再送の上限は三回です。\n\n根拠には答えがありません。")
    assert (claim.text, claim.citations, claim.supported) == ("再送の上限は三回です。", (), False)


def test_services_that_give_other_numbers_are_named_with_both_sentences() -> None:
    (one,) = disagreements("再送の上限は？", PASSAGES)
    assert [(said.number, said.quote) for said in one.said] == [
        (1, "再送の上限は三回とする。"),
        (2, "再送の上限は五回に変えました。"),
    ]


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("再送の上限は？", "再送の上限は三回。", "再送の上限は 3 回です。"),
        ("再送の上限は？", "再送の上限は三回。", "会議室は五階です。"),
        ("公開日は？", "公開日は 11 月 30 日です。", "公開日の告知文を 3 人で書く。"),
        ("上限は？", "再送の上限は三回。", "添付の上限は 50 MB。"),
        ("設計書は？", "佐藤 (2026-10-28T01:00:00Z): 設計書を更新しました。", "設計書の 3. 未決事項"),
        ("Where is the limit?", "See limit 3 in section 4.", "The limit is 5."),
    ],
)
def test_other_matters_and_other_kinds_of_numbers_are_no_disagreement(question: str, first: str, second: str) -> None:
    assert disagreements(question, {1: Passage("Drive", "", first), 2: Passage("Slack", "", second)}) == ()


def test_values_without_a_unit_are_compared_too() -> None:
    passages = {1: Passage("Drive", "", "The retry limit is 5."), 2: Passage("GitHub", "", "retry limit = 3")}
    assert len(disagreements("What is the retry limit?", passages)) == 1


def test_the_answer_says_both_and_nothing_in_it_becomes_active() -> None:
    passages = dict(PASSAGES) | {
        2: Passage("Slack", "x", "再送の上限は五回、質問は bob@acme.example か http://evil.example へ。")
    }
    said = written(
        checked_answer("再送の上限は九回です [1]。", dict.fromkeys(passages, "")), "再送の上限は？", passages, "ja"
    )
    assert "サービスによって記述が異なります" in said.markdown
    assert "[2]" in said.markdown
    assert "確かめられない記述" in said.markdown
    assert checked_answer(said.markdown, dict.fromkeys(passages, "")).links <= 1
    assert "`bob@acme.example`" in said.markdown


def asked(question: str) -> LiveOutcome:
    things = [
        file("alpha-release", "Alpha 計画", "公開日は 11 月 30 日とする。"),
        message("M1", "alpha", "sato 佐藤", "公開日は 12 月 7 日に延びました。"),
        page("alpha", "Alpha", "公開日の一覧"),
    ]
    return LiveSearch(SearchableServices(things), OfflineChatModel(), HeldClock(), "ja", "Asia/Tokyo").ask(question)


def test_without_a_model_the_sentences_of_the_evidence_are_claims_that_hold() -> None:
    outcome = asked("Alpha の公開日はいつ？")
    assert outcome.claims
    assert all(claim.supported for claim in outcome.claims), outcome.claims
    pairs: Any = live_as_json(outcome)["disagreements"]
    assert [[said["quote"] for said in pair] for pair in pairs] == [
        ["公開日は 11 月 30 日とする。", "公開日は 12 月 7 日に延びました。"]
    ]
    assert "サービスによって記述が異なります" in outcome.answer


def test_the_next_question_is_answered_from_the_same_evidence_read_anew() -> None:
    services = SearchableServices([file("a", "Alpha 計画", "公開日は 11 月 30 日とする。担当は田中。予算は 40 万円。")])
    search = LiveSearch(services, OfflineChatModel(), HeldClock(), "ja", "Asia/Tokyo")
    first = search.ask("Alpha 計画の公開日は？")
    searched, fetched = len(services.searched), len(services.fetched)
    second = search.follow(first, "予算はいくら？")
    assert "予算は 40 万円" in second.answer
    assert [(one.number, one.uri) for one in second.evidence] == [(one.number, one.uri) for one in first.evidence]
    assert (len(services.searched), len(services.fetched)) == (searched, fetched + 1)
    third = search.follow(second, "担当は？")
    assert "担当は田中" in third.answer
    nothing = search.follow(search.ask("ありえない言葉"), "予算は？")
    assert (nothing.evidence, nothing.answer) == (
        (),
        "前の回答に根拠がないため、続けて質問できません。新しい質問として入力してください。",
    )


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The deadline is 2026-11-20.", ["2026", "11", "20"]),
        ("2026/11/20 に提出する。", ["2026", "11", "20"]),
        ("The timer runs for 20-30 ms.", ["20", "30"]),
        ("費用は 1,200 円である。", ["1200"]),
    ],
)
def test_numbers_of_dates_and_ranges_are_read_whole(text: str, numbers: list[str]) -> None:
    assert [token.key for token in read_statement(text).telling if token.kind == "number"] == numbers
