"""Claims by the hundred, true and false, from generators that share nothing: no false one is ever supported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from locator_search.config.settings import load_settings
from locator_search.contributions.analysis.grounding import grounded
from locator_search.contributions.analysis.revisions import tracked_changes
from locator_search.llm.answers import CitationAnswer, ClaimAnswer
from locator_search.model import TrackedChange
from locator_search.ports.contributions.analyses import Aspect, Claim
from tests.builders.claims import Case, discussions, people, requests
from tests.builders.contributions import DELETED, INSERTED, REGISTRATION, passage, registration

MOST_LOST = 0.05
"""The share of true claims that may be left without support."""


FEWEST = 200
SAID_TO_BE_DELETED_BY_A_LABEL = "The NWDAF shall retrain the model every 24 hours."
"""Word for word what is quoted; that it is deleted, only a label in brackets says, and no tracked change."""


def checked(case: Case, aspect: Aspect = "answer") -> Claim:
    ids = [f"E{number}" for number in range(1, len(case.passages) + 1)]
    citations = [CitationAnswer(evidence_id=i, quote=quote) for i, quote in zip(ids, case.quotes, strict=True)]
    draft = ClaimAnswer(aspect=aspect, text=case.claim, citations=citations)
    (claim,) = grounded([draft], case.passages, ids, tracked_changes(list(enumerate(case.passages))))
    return claim


def case_of(claim: str, sentence: str, quote: str = "") -> Case:
    return Case("", claim, (quote or sentence,), (passage("S1-254001", "5.2", sentence, 3),))


def texts_in(folder: Path) -> list[str]:
    """The reference texts of Word documents, each once."""
    lines = map(json.loads, (folder / "manifest.jsonl").read_text("utf-8").splitlines())
    paths = [folder / line["expected"] for line in lines if line["group"] == "docx-derived" and line.get("expected")]
    return list(dict.fromkeys(path.read_text("utf-8") for path in paths))


def hold(true: Sequence[Case], false: Sequence[Case]) -> None:
    assert all(len(cases) >= FEWEST for cases in (true, false) if cases)
    believed = [(case.kind, case.claim, case.quotes) for case in false if checked(case).supported]
    assert believed == []
    lost = Counter(case.kind for case in true if not checked(case).supported)
    assert lost.total() <= MOST_LOST * len(true), lost


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_claims_over_change_requests_put_together_from_facts(seed: int) -> None:
    hold(*requests.cases(seed, 220))


def test_claims_over_papers_that_people_wrote_in_both_languages() -> None:
    hold(*discussions.cases(5, 700))


def test_no_false_claim_over_sentences_with_words_that_no_rule_was_made_for_is_believed() -> None:
    _, false = discussions.cases(7, 2000, discussions.told_in("pairs_unseen"))
    hold([], false)


def test_no_false_claim_over_sentences_that_rules_were_made_with_is_believed_and_most_true_ones_are() -> None:
    true, false = discussions.cases(8, 5000, discussions.told_in("pairs_tuned"))
    assert len(true) > 1000
    hold([], false)
    assert sum(checked(case).supported for case in true) >= 0.94 * len(true)


def test_no_false_claim_that_people_wrote_is_believed_and_nine_of_ten_true_ones_are() -> None:
    """Passives, moved conditions, nouns for verbs; dropped or added only, at most, if, before, because."""
    told = [people.cases(name) for name in ("people", "people_unseen", "people_last")]
    true, false = ([case for cases in told for case in cases[at]] for at in (0, 1))
    assert len(true) > 120
    assert len(false) > FEWEST
    assert [(case.kind, case.claim) for case in false if checked(case).supported] == []
    assert sum(checked(case).supported for case in true) >= 0.9 * len(true)


def test_no_false_claim_of_others_is_believed_and_of_true_ones_in_free_words_more_than_a_third_are() -> None:
    """Synonyms, verbs as nouns, other orders; swapped names, proposals called agreed, opposites, conditions."""
    told = [people.cases(name) for name in ("others_first", "others_last", "people_free")]
    true, false = ([case for cases in told for case in cases[at]] for at in (0, 1))
    assert (len(true), len(false)) > (300, 300)
    assert [(case.kind, case.claim) for case in false if checked(case).supported] == []
    assert sum(checked(case).supported for case in true) >= 0.4 * len(true)


def test_one_false_claim_near_its_sentence_is_believed_and_of_true_ones_most_are() -> None:
    """As models write that were told to stay near: mostly Japanese about English; 108 passages."""
    told = [people.cases(name) for name in ("near_first", "near_second", "near_third")]
    true, false = ([case for cases in told for case in cases[at]] for at in (0, 1))
    assert (len(true), len(false)) > (400, 600)
    assert [case.claim for case in false if checked(case).supported] == [SAID_TO_BE_DELETED_BY_A_LABEL]
    assert sum(checked(case).supported for case in true) >= 0.75 * len(true)


def test_claims_by_somebody_who_knew_the_requirement_alone() -> None:
    """Japanese about fifty passages; at first sight 68 % were proved, and 2 % of the false ones believed."""
    true, false = people.cases("near_fourth")
    assert (len(true), len(false)) > (190, 280)
    assert sum(checked(case).supported for case in true) >= 0.84 * len(true)
    assert sum(checked(case).supported for case in false) <= 0.02 * len(false)


def test_claims_by_two_who_wrote_the_acceptance_that_the_requirement_asks_for() -> None:
    """Real and made sentences in both languages; at first sight 69 % were proved, 1 % of the false believed."""
    true, false = people.cases("near_fifth")
    assert (len(true), len(false)) > (650, 750)
    assert sum(checked(case).supported for case in true) >= 0.8 * len(true)
    assert sum(checked(case).supported for case in false) <= 0.003 * len(false)


def test_claims_by_three_more_who_knew_the_requirement_alone() -> None:
    """Every claim of the first and every other one of the others was tuned with: at first sight 65, 73 and 61 %."""
    told = (
        ("near_sixth", (310, 370), 0.75, 0.01),
        ("blind_fourth", (310, 370), 0.77, 0.006),
        ("blind_fifth", (240, 260), 0.64, 0.012),
    )
    for name, fewest, proved, believed in told:
        true, false = people.cases(name)
        assert (len(true), len(false)) > fewest
        assert sum(checked(case).supported for case in true) >= proved * len(true)
        assert sum(checked(case).supported for case in false) <= believed * len(false)


@pytest.mark.parametrize(
    ("name", "proved", "believed"),
    [("blind_third", 0.65, 0.011), ("blind_first", 0.34, 0.08), ("blind_second", 0.22, 0.08)],
)
def test_claims_in_free_words_by_people_who_knew_no_rule_are_mostly_marked(
    name: str, proved: float, believed: float
) -> None:
    """Standards, contracts, offices and plants, mostly Japanese about English; the second was never tuned with."""
    true, false = people.cases(name)
    assert sum(checked(case).supported for case in true) >= proved * len(true)
    assert sum(checked(case).supported for case in false) <= believed * len(false)


def test_each_reading_proves_what_it_should_and_nothing_else() -> None:
    """Or, the to of a verb, the by of a measure, bounds, a not, partners, per, obligations; one at a time."""
    true, false = people.cases("readings")
    assert (len(true), len(false)) > (80, 60)
    assert [(case.kind, case.claim, case.quotes) for case in false if checked(case).supported] == []
    assert [(case.kind, case.claim, case.quotes) for case in true if not checked(case).supported] == []


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("If the AUSF does not know the key, the AUSF shall end the procedure.", "The AUSF shall end the procedure."),
        ("Where the gNB supports sidelink, the gNB shall list its pools.", "The gNB shall list its pools."),
        ("Subject to local policy, the NRF may refuse the registration.", "The NRF may refuse the registration."),
        ("Except in disaster areas, the UE shall not use the shared cell.", "The UE shall not use the shared cell."),
        ("For visiting members, the club charges a second fee.", "The club charges a second fee."),
        ("The AMF shall not wake a UE that is switched off.", "The AMF shall not wake a UE."),
        ("A printer whose cover is open shall not print.", "A printer shall not print."),
        ("A terminal registered for emergency service shall answer.", "A terminal shall answer."),
        ("A router without a licence shall drop the packet.", "A router shall drop the packet."),
        ("The SMF shall reject orders containing an old token.", "The SMF shall reject orders."),
        ("The UE shall not move during the handover.", "The UE shall not move."),
        (
            "The fan stops when the pressure is below 3 bar for 20 seconds.",
            "The fan stops when the pressure is below 3 bar.",
        ),
        (
            "If the door is open and the lamp is red, the lift shall wait.",
            "If the door is open, the lift shall wait.",
        ),
        ("The study is expected to end in June.", "The study ended in June."),
        ("The new codec would allow longer calls.", "The new codec allows longer calls."),
        ("The vendor claims that the battery lasts 10 years.", "The battery lasts 10 years."),
        ("It is recommended that the UPF keeps a copy.", "The UPF keeps a copy."),
        ("Operators should be able to close the slice.", "Operators may be able to close the slice."),
        ("The relay shall repeat the message at most twice.", "The relay shall repeat the message at most once."),
        ("The report covers both sites.", "The report covers all sites."),
        ("The limit changes from 12 days to 30 days.", "The limit remains 12 days."),
        ("倉庫が無人である場合、警備員は入口を閉める。", "倉庫が無人である場合を除き、警備員は入口を閉める。"),
    ],
)
def test_what_limits_a_sentence_may_not_be_left_out(sentence: str, claim: str) -> None:
    assert not checked(case_of(claim, sentence)).supported
    assert checked(case_of(sentence, sentence)).supported


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The UE sends the report, which contains the cell list.", "The UE sends the report."),
        ("In addition, the SMF shall keep the token.", "The SMF shall keep the token."),
        ("Observation 2: The relay doubles the delay.", "The relay doubles the delay."),
        ("The AMF keeps the key, and the SMF deletes it when the timer expires.", "The AMF keeps the key."),
        ("Without this change, the gNB cannot find the cell.", "この変更がなければ、gNBはセルを見つけられない。"),
    ],
)
def test_what_does_not_limit_a_sentence_may(sentence: str, claim: str) -> None:
    assert checked(case_of(claim, sentence)).supported


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "The list shall contain at least 4 event entries.",
            "リストは、少なくとも4個の測定エントリーを含まなければならない。",
        ),
        ("The SMF stores at most 9 measurement records.", "SMFは最大9個の加入レコードを保存する。"),
        ("The gNB repeats the registration procedure.", "gNBは登録解除手順を繰り返す。"),
        ("登録解除手順の遅延は11%減少した。", "登録手順の遅延は11%減少した。"),
        ("The user has given consent.", "ユーザは同意を撤回した。"),
        ("The delay is changed from 6 minutes to 9 minutes.", "遅延は6分に変更される。"),
        ("The delay is changed from 6 minutes to 9 minutes.", "遅延は6分のままである。"),
        ("The PCF supports paging, but it does not support slicing.", "PCFはページングをサポートしない。"),
        ("The delay is lower, because the NEF no longer queries the AMF.", "遅延は低くない。"),
        (
            "The AMF sends the Paging message, and the NEF sends the Status message.",
            "AMFはStatusメッセージを送信し、NEFはPagingメッセージを送信する。",
        ),
        (
            "It is proposed to add the Priority List IE to the Location Update message.",
            "It is proposed to add the Location Update IE to the Priority List message.",
        ),
        (
            "The codes are sent: #25 (illegal UE), #34 (barred PLMN) and #64 (congestion).",
            "The codes are sent: #64 (illegal UE), #34 (barred PLMN) and #25 (congestion).",
        ),
        (
            "The UE shall stop the procedure and start timer T3396.",
            "The UE shall stop the procedure and stop timer T3396.",
        ),
        (
            "This CR removes the table in clause 5.2 and adds the missing reference.",
            "This CR adds a table in clause 5.2.",
        ),
        ("PCFは、NEFからRequested NSSAI IEを受信する。", "PCFは、NEFからAllowed NSSAI IEを受信する。"),
    ],
)
def test_a_claim_may_not_say_of_one_thing_what_its_sentence_says_of_another(sentence: str, claim: str) -> None:
    assert not checked(case_of(claim, sentence)).supported
    assert checked(case_of(sentence, sentence)).supported


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The requirement applies to non-3GPP access.", "要件は非3GPPアクセスに適用される。"),
        (
            "If the UE is in a non-allowed area, the AMF sends a report.",
            "UEが非許可エリアにいる場合、AMFは報告を送信する。",
        ),
        ("The UE is in a forbidden tracking area.", "UEは禁止トラッキングエリアにいる。"),
        ("The UPF collects data from the NEF every 7 minutes.", "UPFはNEFからデータを7分ごとに収集する。"),
        ("The PCF supports paging, but it does not support slicing.", "PCFはページングをサポートする。"),
        ("The PCF supports paging and slicing.", "The PCF supports both paging and slicing."),
        (
            "The NEF may omit the report unless the list is full.",
            "リストが一杯である場合を除き、NEFは報告を省略することができる。",
        ),
        ("The AMF handles a deregistration request.", "AMFは登録解除要求を処理する。"),
        (
            "The delay is reduced by 58% compared with Release 18, because the NEF is idle.",
            "Compared with Release 18, the delay is reduced by 58%, because the NEF is idle.",
        ),
        (
            "If neither the NEF nor the SMF supports the feature, the UE shall stop.",
            "NEFもSMFも機能をサポートしない場合、UEは停止しなければならない。",
        ),
    ],
)
def test_a_faithful_claim_about_the_same_things_is_proved(sentence: str, claim: str) -> None:
    assert checked(case_of(claim, sentence)).supported


@pytest.mark.parametrize("quote", ["default value", "the SMF stores", "of the default"])
def test_two_words_out_of_a_sentence_are_no_quote(quote: str) -> None:
    claim = "The SMF stores the default value of the timer."
    assert not checked(case_of(claim, claim, quote)).supported


@pytest.mark.parametrize(
    ("sentence", "claim", "doubt"),
    [
        ("総務部だけが申請を承認できる。", "総務部が申請を承認できる。", "scope"),
        ("総務部が申請を承認できる。", "総務部しか申請を承認できない。", "scope"),
        ("Only the AMF may release the session.", "AMFはセッションを解放してもよい。", "scope"),
        ("The UE stores at most 8 keys.", "The UE stores at least 8 keys.", "scope"),
        ("The UE stores the key or the token.", "The UE stores the key.", "scope"),
        ("If the timer expires, the UE may send a request.", "The UE may send a request.", "conditions"),
        ("If the timer expires, the UE may send a request.", "UEは要求を送信してもよい。", "conditions"),
        ("The UE sends a request before the timer expires.", "タイマーの満了後、UEは要求を送信する。", "conditions"),
        ("The UE shall be able to store keys.", "The UE may be able to store keys.", "obligation"),
        (
            "The NEF maps an external key to an internal key.",
            "The NEF maps an internal key to an external key.",
            "roles",
        ),
        ("NEFは外部鍵を受信して内部鍵へ変換する。", "NEFは内部鍵を受信して外部鍵へ変換する。", "roles"),
        ("The key is kept until the UE is switched off.", "The key is kept until the UE is switched on.", "words"),
        ("The format of the avatar is outside the scope.", "The format of the avatar is within the scope.", "negation"),
        ("The UE lacks the capability.", "The UE has the capability.", "negation"),
        ("The UE detects a match.", "UEは不一致を検出する。", "negation"),
        ("The UE is registered.", "UEは未登録である。", "negation"),
        ("議事録を公開する。", "議事録は非公開とする。", "negation"),
        ("匿名化はどちらの側で行うのか。", "匿名化は側で行う。", "words"),
        ("The rate is 60 Mbit/s.", "レートは60 kbit/sである。", "numbers"),
    ],
)
def test_only_or_at_most_and_conditions_may_neither_come_nor_go(sentence: str, claim: str, doubt: str) -> None:
    evidence = passage("S2-2800001", "6.1", f"6.1 General\n{sentence}", 2)
    assert doubt in checked(Case("", claim, (sentence,), (evidence,))).doubts


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The UE detects a mismatch.", "UEは不一致を検出する。"),
        ("The UE is not registered.", "UEは未登録である。"),
        ("UEは登録されていない。", "UEは未登録である。"),
    ],
)
def test_a_not_may_be_a_prefix(sentence: str, claim: str) -> None:
    evidence = passage("S2-2800001", "6.1", f"6.1 General\n{sentence}", 2)
    assert checked(Case("", claim, (sentence,), (evidence,))).supported


def test_claims_over_real_documents() -> None:
    folder = load_settings().locator_devset
    if folder is None:
        pytest.skip("LOCATOR_DEVSET names no folder")
    true: list[Case] = []
    false: list[Case] = []
    for number, text in enumerate(texts_in(folder)):
        evidence = passage("S2-2700001", "4.1", f"4.1 Text\n{text[:4_000]}", 1)
        for found, cases in zip((true, false), discussions.real_cases(evidence, number), strict=True):
            found += cases[:60]
    hold(true, false)


def test_a_claim_about_deleted_text_must_say_that_it_is_no_longer_there() -> None:
    stands = Case("", "The network may reject the request.", (DELETED,), (registration(),))
    assert checked(stands).doubts == ("deleted",)
    assert checked(replace(stands, claim=f"Deleted: {stands.claim}")).supported


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("A cause value is added.", "This contribution proposes to add a cause value to the rejection."),
        ("原因値を追加する。", "本寄書は拒否に原因値を追加することを提案する。"),
    ],
)
def test_what_is_proposed_is_proved_as_a_proposal_and_not_as_a_fact(claim: str, sentence: str) -> None:
    case = Case("", claim, (sentence,), (passage("S1-254001", "4", f"4 Proposal\n{sentence}", 1),))
    assert checked(case, "proposal").supported
    assert not checked(case, "problem").supported
    done = claim.replace("is added", "has been added").replace("追加する", "追加した")
    assert not checked(replace(case, claim=done), "proposal").supported


def test_lines_that_a_claim_repeats_word_by_word_prove_it_without_a_full_stop_between_them() -> None:
    told = "Service gap text is removed from the procedures"
    evidence = passage("S2-2800001", "6.1", f"{told}\nThe timer is not started by the UE", 2)
    claim = f"{told} The timer is not started by the UE"
    assert checked(Case("", claim, (claim,), (evidence,))).supported


def test_what_a_claim_repeats_in_quotation_marks_must_be_what_it_quotes() -> None:
    told = "S1-254001 inserts “The network shall reject the request with a cause value.” in clause 5.2.1."
    case = Case("", told, (INSERTED,), (registration(),))
    assert checked(case).supported
    assert not checked(replace(case, claim=told.replace("shall", "may"))).supported
    assert not checked(replace(case, claim=told.replace("5.2.1", "5.2.2"))).supported


@pytest.mark.parametrize(
    ("claim", "doubt"),
    [
        ("The UE shall include the slice identifier in the request for 2 cells.", "words"),
        ("The UE shall not include the slice identifier.", "negation"),
        ("The UE may include the slice identifier.", "obligation"),
        ("The slice identifier shall include the UE.", "roles"),
        ("登録要求はUEにスライス識別子を含めてもよい。", "obligation"),
    ],
)
def test_what_the_quote_does_not_say_is_told_by_its_kind(claim: str, doubt: str) -> None:
    quote = REGISTRATION.partition("\n")[2].partition(".")[0]
    found = checked(Case("", claim, (quote,), (registration(),)))
    assert doubt in found.doubts
    assert found.nearest == 0


def test_a_change_inside_a_word_is_quoted_as_whole_sentences() -> None:
    text = "5 Timers\nDuration is 5 seconds. It is fixed."
    changes = (TrackedChange("insert", "d", 9), TrackedChange("delete", "D", 9))
    evidence = passage("S1-254001", "5", text.replace("Duration", "duration"), 1, changes=changes)
    assert checked(Case("", "The duration is 5 seconds.", ("duration is 5 seconds",), (evidence,))).supported
