"""Whether sentences state what a claim says. Pure.

Within one language every clause of the claim stands in a clause of one sentence (`within`). Across languages every
number and every name stands there, what can be compared is mostly found, nothing more or less is denied, and nobody
changes places. Nowhere may a claim bind more or less, bound otherwise (only, at most) or drop a condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import regex

from locator_search.text.clauses import clause_number
from locator_search.text.cutting import sentences
from locator_search.text.statements.bilingual import is_comparable
from locator_search.text.statements.doubts import Doubt
from locator_search.text.statements.guards import (
    bounds_change,
    conditions_change,
    denied_elsewhere,
    grades_change,
    is_glued_together,
    is_paired_otherwise,
    is_settled,
    is_turned_round,
    names_instead,
    side_by_side,
)
from locator_search.text.statements.order import values_change
from locator_search.text.statements.sameness import same, with_whole_words
from locator_search.text.statements.tokens import Statement, Token, read_statement
from locator_search.text.statements.units import unit_of
from locator_search.text.statements.within import is_stated
from locator_search.text.statements.wording import LIGHT

_LABEL = regex.compile(r"(?:^|(?<=[\t\n]))[^\t\n.。:：]{1,60}[:：](?=\s|$)")
"""The name of a field, at the beginning of a line or cell."""
_FILE_NAME = regex.compile(r"\S+\.(?:docx?|zip|pdf|xlsx?|pptx?|txt|rtf|odt)\b", regex.IGNORECASE)

_KANJI_ALONE = regex.compile(r"[\p{Han}\W]+")
_LONGEST_HEADING = 6
"""Words of a line with a clause number that is taken for a heading."""
FEWEST_WORDS = 2
_NAMES = frozenset({"word", "identifier"})
_OPPOSITES = (
    ("agent", frozenset({"object", "to", "from"})),
    ("to", frozenset({"object", "from", "agent"})),
    ("from", frozenset({"to", "agent"})),
)
"""Roles, and those that cannot be meant by the same word in the other language."""
MOST_MISSING = 2
"""Words in a row of a claim that cannot be found in a sentence of the other language."""
FOUND_ACROSS = 2 / 3
"""The share of the words that can be compared across languages that a sentence must hold."""
FOUND_OF_ALL = 2 / 5
"""The share of all telling words of a claim that must be found in a sentence of the other language."""
MORE_WORDS = 1.25
"""The words that cannot be found, for each word of the sentence that nothing of the claim means."""
_TELLING = frozenset({"word", "identifier", "number"})


def says_enough(quote: str) -> bool:
    """Whether a quote has enough telling words to be one: two that do not hang together as one name.
    Labels of a form, headings and file names tell nothing."""
    read = read_statement(_without_names(quote))
    if not read.japanese and not _KANJI_ALONE.fullmatch(quote):
        return len(read.telling) >= FEWEST_WORDS
    return len({token.phrase for token in read.telling}) >= FEWEST_WORDS


def doubts_of(claim: Sequence[Token], read: Statement, sentence: Statement) -> tuple[Doubt, ...]:
    """The parts of a claim that one sentence does not say; nothing when it says it all. `claim` are the tokens of
    `read` that are to be proved."""
    if read.japanese == sentence.japanese:
        return _within_a_language(claim, read, sentence)
    return _across_languages(claim, read, sentence)


def is_said(token: Token, sentence: Statement) -> bool:
    """Whether a sentence has a word, number or name, wherever and however."""
    return any(same(token, other) for other in sentence.tokens)


def is_said_as_often(claim: Sequence[Token], quoted: Sequence[Statement]) -> bool:
    """Whether sentences in the language of a claim hold each of its words as often as the claim does."""
    left = [token for sentence in quoted for token in sentence.tokens]
    for token in claim:
        place = next((place for place, other in enumerate(left) if same(token, other)), None)
        if place is None:
            return False
        del left[place]
    return True


def claims_in(text: str) -> list[Statement]:
    """A claim sentence by sentence."""
    return [read_statement(sentence) for sentence in sentences(text)]


def _without_names(quote: str) -> str:
    lines = (line for line in quote.splitlines() if clause_number(line) is None or len(line.split()) > _LONGEST_HEADING)
    return _FILE_NAME.sub(" ", _LABEL.sub(" ", "\n".join(lines)))


# Within one language


def _within_a_language(claim: Sequence[Token], read: Statement, sentence: Statement) -> tuple[Doubt, ...]:
    if read.negations > sentence.negations:
        return ("negation",)
    if is_settled(read, [sentence]):
        return ("words",)
    if is_stated(claim, sentence.tokens):
        return ()
    missing = [token for token in claim if not is_said(token, sentence)]
    if missing:
        return tuple(dict.fromkeys(_doubt_about(token) for token in missing))
    alike = [[other for other in sentence.tokens if same(token, other)] for token in claim]
    if any(token.negated not in {other.negated for other in found} for token, found in zip(claim, alike, strict=True)):
        return ("negation",)
    if any(token.bounds not in {other.bounds for other in found} for token, found in zip(claim, alike, strict=True)):
        return ("scope",)
    if {token.relation for token in claim} != {token.relation for token in sentence.tokens}:
        return ("conditions",)
    return ("roles",)


def _doubt_about(token: Token) -> Doubt:
    if token.kind == "modal":
        return "obligation"
    return "numbers" if token.kind in ("number", "identifier") else "words"


# Across languages


def _across_languages(claim: Sequence[Token], read: Statement, sentence: Statement) -> tuple[Doubt, ...]:
    claim = list(with_whole_words(claim, sentence.tokens))
    sentence = replace(sentence, tokens=tuple(with_whole_words(sentence.tokens, claim)))
    found = frozenset(token for token in claim if is_said(token, sentence))
    exact = [token for token in claim if token.kind in ("number", "identifier") or _is_foreign(token, read)]
    doubts: list[Doubt] = []
    if any(token not in found for token in exact) or _counts_change(claim, sentence):
        doubts.append("numbers")
    untold = not _mostly_found(claim, found, sentence) or is_turned_round(claim, sentence.tokens)
    if untold or is_settled(read, [sentence]):
        doubts.append("words")
    ours = read.negations, sum(token.hidden and not is_said(token, sentence) for token in claim)
    theirs = sentence.negations, sum(token.hidden and not is_said(token, read) for token in sentence.tokens)
    if ours[0] > sum(theirs) or theirs[0] - denied_elsewhere(claim, sentence.tokens) > sum(ours):
        doubts.append("negation")
    if grades_change(claim, sentence.tokens):
        doubts.append("obligation")
    if (
        _places_change(claim, sentence.tokens)
        or any(_places_change(ours.tokens, one.tokens) for ours, one in side_by_side(claim, sentence.tokens))
        or _deeds_change(claim, sentence.tokens)
        or values_change(claim, sentence.tokens)
        or is_glued_together(claim, sentence.tokens)
        or names_instead(claim, sentence.tokens)
        or is_paired_otherwise(claim, sentence.tokens)
    ):
        doubts.append("roles")
    if bounds_change(claim, sentence.tokens):
        doubts.append("scope")
    if conditions_change(claim, sentence.tokens):
        doubts.append("conditions")
    return tuple(doubts)


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
        and not (token.kind == "word" and (unit_of(token.text) or (token.key in LIGHT and token not in found)))
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
    clauses = ([token in found for token in tokens] for _, tokens in groupby(known, key=lambda token: token.clause))
    return all(2 * sum(clause) >= len(clause) for clause in clauses)


def _places_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether somebody who does something in the claim has it done to them in the sentence, and another one takes their
    place; the same of what goes from and to. Also whether the claim names one twice in the place of another."""
    pairs = [(token, other) for token in claim for other in sentence if token.kind in _NAMES and same(token, other)]
    for role, opposite in _OPPOSITES:
        ours = {token.text for token, _ in pairs if token.role == role}
        theirs = {token.text for token, other in pairs if other.role == role}
        came = {token.text for token, other in pairs if token.text in ours - theirs and other.role in opposite}
        went = {token.text for token, _ in pairs if token.text in theirs - ours and token.role in opposite}
        if came and went:
            return True
    ways = frozenset({"from", "to"})
    if any({token.role, other.role} == ways for token, other in _once_each(claim, sentence)):
        return True
    ours_named, theirs_named = (
        Counter(token.key for token in tokens if token.kind == "identifier") for tokens in (claim, sentence)
    )
    return bool(ours_named - theirs_named and theirs_named.keys() - ours_named.keys())


def _once_each(claim: Sequence[Token], sentence: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """The words that a claim and its sentence have once each."""
    for token in claim:
        found = [other for other in sentence if same(token, other)]
        if len(found) == 1 and sum(same(one, found[0]) for one in claim) == 1:
            yield token, found[0]


def _deeds_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause says of one what the sentence says of another one whom the claim names elsewhere."""
    names = [other for other in sentence if other.kind == "identifier"]
    for _, group in groupby(claim, key=lambda token: token.clause):
        tokens = list(group)
        said = [token for token in tokens if token.kind in ("word", "number")]
        clauses = Counter(other.clause for token in said for other in sentence if same(token, other))
        ours = {token.key for token in tokens if token.kind == "identifier" and token.role == "agent"}
        own = max((clauses[other.clause] for other in names if other.key in ours), default=None)
        elsewhere = {token.key for token in claim if token not in tokens}
        theirs = [clauses[other.clause] for other in names if other.role == "agent" and other.key in elsewhere - ours]
        if own is not None and max(theirs, default=0) > own:
            return True
    return False
