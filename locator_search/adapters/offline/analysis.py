"""Claims about contributions without a model: sentences picked out of the evidence by the words they hold.

It understands nothing and invents nothing: every claim is a sentence of a contribution, or says which text was inserted
or deleted, and quotes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import regex

from locator_search.adapters.offline.texts import OfflineTexts
from locator_search.locales import Language
from locator_search.text.clauses import clause_number
from locator_search.text.cutting import around_difference, sentences
from locator_search.text.statements.proof import says_enough
from locator_search.text.terms import analyse

CUES = {
    "problem": regex.compile(
        r"\b(?:reason for change|problem|issue|currently|however|unclear|ambigu|missing|not (?:yet )?(?:specified"
        r"|supported|told|clear|possible)|lacks?\b|cannot|motivation|justification)|課題|問題|現状|しかし|不明|できない"
        r"|背景|理由",
        regex.IGNORECASE,
    ),
    "proposal": regex.compile(
        r"\b(?:propos|summary of change|solution|suggest|recommend|it is asked|should be (?:added|changed|agreed)"
        r"|introduce)|提案|追加する|変更する|修正する|解決",
        regex.IGNORECASE,
    ),
    "affected_clauses": regex.compile(
        r"clauses? affected|affected clauses?|影響を受ける条項|該当条項", regex.IGNORECASE
    ),
}
FIELDS_OF = {"problem": ("reason_for_change", "consequences"), "proposal": ("summary_of_change",)}
"""Fields of a cover page by aspect."""
REVISION = regex.compile(r"r\d+$", regex.IGNORECASE)
MOST_PER_ASPECT = 2
"""Sentences of a field, or of all passages without one."""
MOST_ANSWERS = 3
SHARED = 1 / 3
"""The share of a question's words that a sentence must hold to count as an answer."""
MOST_CHANGED_CLAUSES = 12
MOST_EDITS = 3
"""Changed sentences that a claim about a clause repeats."""
LONGEST_QUOTE = 120
"""Characters of a sentence that a claim repeats: three edits fit into the longest claim."""

Card = Mapping[str, Any]
Claim = dict[str, object]
ClaimsOf = Callable[[Sequence[Card], Sequence[Card], Card, Language], list[Claim]]


def claims_of_one(cards: Sequence[Card], changes: Sequence[Card], covers: Card, language: Language) -> list[Claim]:
    """Problem, proposal, affected clauses and changes of one contribution."""
    found = [claim for aspect in CUES for claim in _picked(aspect, cards, covers)]
    affected = [_affected(change, cards, language) for change in changes if change.get("clause")]
    return [*found, *affected, *_changed(changes, cards, language)][:40]


def claims_of_several(cards: Sequence[Card], changes: Sequence[Card], covers: Card, language: Language) -> list[Claim]:
    """The proposal of each contribution, and the clauses that several of them change."""
    numbers = list(dict.fromkeys(str(card.get("contribution", "")) for card in cards))
    proposals = [
        {**claim, "text": f"{number}: {claim['text']}"}
        for number in numbers
        for claim in _picked("proposal", [card for card in cards if card.get("contribution") == number], covers)[:1]
    ]
    return [*proposals, *_conflicts(changes, cards, language)][:40]


def claims_of_revisions(
    cards: Sequence[Card], changes: Sequence[Card], _covers: Card, language: Language
) -> list[Claim]:
    """A claim for each changed clause, with what it adds and drops."""
    return list(_changed(changes, cards, language))[:40]


def answers(question: str, cards: Sequence[Card]) -> list[Claim]:
    """The sentences that share most words with a question, with a third of its words at least."""
    wanted = set(analyse(question).terms)
    found: dict[str, tuple[float, Claim]] = {}
    for card in cards:
        for sentence in sentences(str(card.get("text", ""))):
            share = len(wanted & set(analyse(sentence).terms)) / max(1, len(wanted))
            if share >= SHARED and sentence not in found and clause_number(sentence) is None:
                found[sentence] = (share, _claim("answer", " ".join(sentence.split()), [(card, sentence)]))
    return [claim for _, claim in sorted(found.values(), key=lambda item: -item[0])[:MOST_ANSWERS]]


def _picked(aspect: str, cards: Sequence[Card], covers: Card) -> list[Claim]:
    """The sentences of cover pages about an aspect; without any, the sentences that hold most of its words, each
    once. Before the first clause of a change request stands its form, of which the fields alone say something."""
    if filled := [claim for card in cards for claim in _filled_in(aspect, card, covers)]:
        return filled
    found: dict[str, tuple[int, Claim]] = {}
    for card in cards:
        if card.get("contribution") in covers and not card.get("clause"):
            continue
        for sentence in sentences(str(card.get("text", ""))):
            weight = len({match.group().lower() for match in CUES[aspect].finditer(sentence)})
            if weight and sentence not in found and clause_number(sentence) is None:
                found[sentence] = (weight, _claim(aspect, " ".join(sentence.split()), [(card, sentence)]))
    return [claim for _, claim in sorted(found.values(), key=lambda item: -item[0])[:MOST_PER_ASPECT]]


def _filled_in(aspect: str, card: Card, covers: Card) -> Iterator[Claim]:
    """The first sentences of each field that stand in a passage."""
    cover = covers.get(str(card.get("contribution")), {})
    for name in FIELDS_OF.get(aspect, ()):
        told = [sentence for sentence in sentences(cover.get(name, "")) if says_enough(sentence)]
        for sentence in told[:MOST_PER_ASPECT] if not card.get("clause") else ():
            if _stands_in(sentence, card):
                yield _claim(aspect, sentence, [(card, sentence)])


def _affected(change: Card, cards: Sequence[Card], language: Language) -> Claim:
    text = OfflineTexts.of(language).affected.format(contribution=change["contribution"], clause=change["clause"])
    return _claim("affected_clauses", text, _proof(change, cards))


def _changed(changes: Sequence[Card], cards: Sequence[Card], language: Language) -> Iterator[Claim]:
    texts = OfflineTexts.of(language)
    for change in changes[:MOST_CHANGED_CLAUSES]:
        told = [edit for edit in change.get("edits", ()) if says_enough(edit["after"] or edit["before"])]
        if not told:
            continue
        shown = told[:MOST_EDITS]
        what = [_edit(edit, texts) for edit in shown]
        if more := len(change["edits"]) - len(shown):
            what.append(texts.more_edits.format(count=more))
        form = texts.changed_clause if change.get("clause") else texts.changed
        text = form.format(
            contribution=change["contribution"], clause=change.get("clause"), what=texts.changes_joined.join(what)
        )
        yield _claim("changes", text, [proof for edit in shown for proof in _proof(change, cards, edit)])


def _edit(edit: Card, texts: OfflineTexts) -> str:
    form = texts.replaced if edit["before"] and edit["after"] else texts.inserted if edit["after"] else texts.deleted
    sides = [" ".join(str(edit[side]).split()) for side in ("before", "after")]
    before, after = around_difference(sides[0], sides[1], LONGEST_QUOTE)
    return form.format(before=before, after=after)


def _conflicts(changes: Sequence[Card], cards: Sequence[Card], language: Language) -> list[Claim]:
    texts = OfflineTexts.of(language)
    by_clause: dict[str, list[Card]] = {}
    for change in changes:
        if change.get("clause"):
            by_clause.setdefault(str(change["clause"]), []).append(change)
    return [
        _claim(
            "conflict",
            texts.both_change.format(
                contributions=texts.contributions_joined.join(str(one["contribution"]) for one in found),
                clause=clause,
            ),
            [proof for one in found for proof in _proof(one, cards)[:1]],
        )
        for clause, found in by_clause.items()
        if len({_without_revision(one) for one in found}) > 1
    ]


def _without_revision(change: Card) -> str:
    """A contribution and its own revision do not contradict each other."""
    return REVISION.sub("", str(change["contribution"]))


def _proof(change: Card, cards: Sequence[Card], edit: Card | None = None) -> list[tuple[Card, str]]:
    """The passages an edit was found in, each with a side of it that stands there; of any telling edit without one."""
    by_id = {card.get("id"): card for card in cards}
    passages = [by_id[number] for number in change.get("evidence_ids", ()) if number in by_id]
    edits = [edit] if edit else change.get("edits", ())
    sides = [side for one in edits for side in (one["after"], one["before"]) if says_enough(side)]
    found = [(card, side) for side in sides for card in passages if _stands_in(side, card)]
    return found if edit else list({id(card): (card, side) for card, side in reversed(found)}.values())


def _stands_in(text: str, card: Card) -> bool:
    parts = (str(card.get("text", "")), *(edit["before"] for edit in card.get("changes", ())))
    return any("".join(text.split()) in "".join(part.split()) for part in parts)


def _claim(aspect: str, text: str, cited: Sequence[tuple[Card, str]]) -> Claim:
    citations = [{"evidence_id": str(card.get("id", "")), "quote": quote} for card, quote in cited]
    return {"aspect": aspect, "text": text, "citations": citations}
