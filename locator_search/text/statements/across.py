"""Whether a sentence of another language states what a claim says. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from locator_search.text.statements.bilingual import is_comparable
from locator_search.text.statements.doubts import Doubt
from locator_search.text.statements.guards.amounts import counts_change, counts_per_another
from locator_search.text.statements.guards.bounds import bounds_change
from locator_search.text.statements.guards.conditions import (
    conditions_change,
    denied_elsewhere,
    grades_change,
    side_by_side,
)
from locator_search.text.statements.guards.counterparts import is_modal_of
from locator_search.text.statements.guards.crossed import is_crossed
from locator_search.text.statements.guards.denials import denies_another, takes_for_opposite
from locator_search.text.statements.guards.exchanged import is_exchanged, values_exchange
from locator_search.text.statements.guards.joined import is_glued_together, is_paired_otherwise
from locator_search.text.statements.guards.opposed import is_turned_round
from locator_search.text.statements.guards.partners import (
    bears_another_name,
    deeds_change,
    describes_another,
    names_instead,
    places_change,
    recipients_change,
)
from locator_search.text.statements.guards.replaced import GRAMMAR, is_replaced
from locator_search.text.statements.guards.settled import is_settled
from locator_search.text.statements.guards.sweeping import is_inside_out, is_sweeping, leaves_exception_out
from locator_search.text.statements.one_language.order import is_numbered_otherwise, values_change
from locator_search.text.statements.sameness import is_said, same, with_denied_words, with_whole_words
from locator_search.text.statements.tokens import Statement, Token
from locator_search.text.statements.units import unit_of
from locator_search.text.statements.wording import LIGHT

MOST_MISSING = 2
"""Words in a row of a claim that cannot be found in a sentence of the other language."""
FOUND_ACROSS = 2 / 3
"""The share of the words that can be compared across languages that a sentence must hold."""
FOUND_OF_ALL = 2 / 5
"""The share of all telling words of a claim that must be found in a sentence of the other language."""
MORE_WORDS = 1.25
"""The words that cannot be found, for each word of the sentence that nothing of the claim means."""
_TELLING = frozenset({"word", "identifier", "number"})


def doubts_across(claim: Sequence[Token], read: Statement, sentence: Statement) -> tuple[Doubt, ...]:
    """The parts of a claim that one sentence of the other language does not say. `claim` are the tokens of `read`
    that are to be proved."""
    claim = list(with_whole_words(claim, sentence.tokens))
    sentence = replace(sentence, tokens=tuple(with_whole_words(sentence.tokens, claim)))
    sentence, read = _with_denied_words(sentence, claim), _with_denied_words(read, sentence.tokens)
    claim = list(with_denied_words(claim, sentence.tokens))
    found = frozenset(
        token
        for token in claim
        if is_said(token, sentence) or any(is_modal_of(token, other) for other in sentence.tokens)
    )
    exact = [token for token in claim if token.kind in ("number", "identifier") or _is_foreign(token, read)]
    doubts: list[Doubt] = []
    if any(token not in found for token in exact) or _counts_change(claim, sentence):
        doubts.append("numbers")
    untold = not _mostly_found(claim, found, sentence) or is_turned_round(claim, sentence.tokens)
    untold = untold or is_replaced(claim, sentence.tokens)
    if untold or is_settled(read, [sentence]):
        doubts.append("words")
    ours = read.negations, sum(token.hidden and not is_said(token, sentence) for token in claim)
    theirs = sentence.negations, sum(token.hidden and not is_said(token, read) for token in sentence.tokens)
    more, less = ours[0] > sum(theirs), theirs[0] - denied_elsewhere(claim, sentence.tokens) > sum(ours)
    if (
        takes_for_opposite(read.tokens, sentence.tokens)
        or takes_for_opposite(sentence.tokens, read.tokens)
        or more
        or less
        or denies_another(claim, sentence.tokens, fewer=sum(ours) < sum(theirs))
    ):
        doubts.append("negation")
    if grades_change(claim, sentence.tokens):
        doubts.append("obligation")
    if (
        places_change(claim, sentence.tokens)
        or any(places_change(ours.tokens, one.tokens) for ours, one in side_by_side(claim, sentence.tokens))
        or deeds_change(claim, sentence.tokens)
        or values_change(claim, sentence.tokens)
        or is_glued_together(claim, sentence.tokens)
        or names_instead(claim, sentence.tokens)
        or is_paired_otherwise(claim, sentence.tokens)
        or bears_another_name(claim, sentence.tokens)
        or describes_another(claim, sentence.tokens)
        or is_crossed(claim, sentence.tokens)
        or is_exchanged(claim, sentence.tokens)
        or recipients_change(claim, sentence.tokens)
        or values_exchange(claim, sentence.tokens)
        or is_inside_out(read, sentence)
        or counts_change(claim, sentence.tokens)
        or is_numbered_otherwise(read.tokens, sentence.tokens)
    ):
        doubts.append("roles")
    if bounds_change(claim, sentence.tokens) or counts_per_another(claim, sentence.tokens):
        doubts.append("scope")
    if conditions_change(claim, sentence.tokens) or is_sweeping(read, sentence) or leaves_exception_out(read, sentence):
        doubts.append("conditions")
    return tuple(doubts)


def _is_made_up(found: Sequence[bool]) -> bool:
    """Whether most of what an and adds stands nowhere, and at least two words of it."""
    return found.count(False) >= MOST_MISSING and 2 * sum(found) < len(found)


def _with_denied_words(read: Statement, others: Sequence[Token]) -> Statement:
    tokens = tuple(with_denied_words(read.tokens, others))
    more = sum(one is not token for one, token in zip(tokens, read.tokens, strict=True))
    return replace(read, tokens=tokens, negations=read.negations + more)


def _counts_change(claim: Sequence[Token], sentence: Statement) -> bool:
    """Whether a claim has a number oftener than its sentence, which has another one there."""
    left = [other for other in sentence.tokens if other.kind == "number"]
    more = 0
    for token in claim:
        place = next((place for place, other in enumerate(left) if same(token, other)), None)
        if place is not None:
            del left[place]
        else:
            more += token.kind == "number"
    return bool(more and left)


def _is_foreign(token: Token, read: Statement) -> bool:
    """An English word that a Japanese claim keeps as it is, and the other way round."""
    return token.kind == "word" and token.japanese != read.japanese


def _mostly_found(claim: Sequence[Token], found: frozenset[Token], sentence: Statement) -> bool:
    """Whether enough of what can be compared stands there, and what cannot has as many words there to come from."""
    words = [
        token
        for token in claim
        if token.kind in _TELLING
        and not (
            token.kind == "word" and (unit_of(token.text) or (token.key in LIGHT | GRAMMAR and token not in found))
        )
    ]
    known = [token for token in words if token in found or is_comparable(token.key, japanese=token.japanese)]
    held = sum(token in found for token in words)
    if held < FOUND_ACROSS * len(known) or held < FOUND_OF_ALL * len(words) or not held:
        return False
    rest = sum(not any(same(token, other) for token in words) for other in sentence.telling)
    if len(words) - held > MORE_WORDS * rest + 1:
        return False
    runs = groupby(words, key=lambda token: token in found)
    if any(not there and len(list(run)) > MOST_MISSING for there, run in runs):
        return False
    joined = groupby(words, key=lambda token: (token.section, token.joint))
    if any(_is_made_up([token in found for token in tokens]) for (_, joint), tokens in joined if joint):
        return False
    clauses = ([token in found for token in tokens] for _, tokens in groupby(known, key=lambda token: token.clause))
    return all(2 * sum(clause) >= len(clause) for clause in clauses)
