"""Whether sentences state what a claim says. Pure.

Within one language every clause of the claim stands in a clause of one sentence (`within`). Across languages every
number and every name stands there, what can be compared is mostly found, nothing more or less is denied, and nobody
changes places. Nowhere may a claim bind more or less, bound otherwise (only, at most) or drop a condition.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from locator_search.text.clauses import clause_number
from locator_search.text.cutting import sentences
from locator_search.text.statements.across import doubts_across
from locator_search.text.statements.changes import is_permitted_only
from locator_search.text.statements.doubts import Doubt
from locator_search.text.statements.guards.settled import is_settled
from locator_search.text.statements.sameness import is_said, same
from locator_search.text.statements.tokens import Statement, Token, read_statement
from locator_search.text.statements.verbs import VERBS
from locator_search.text.statements.within import is_stated

_LABEL = regex.compile(r"(?:^|(?<=[\t\n]))[^\t\n.。:：]{1,60}[:：](?=\s|$)")
"""The name of a field, at the beginning of a line or cell."""
_FILE_NAME = regex.compile(r"\S+\.(?:docx?|zip|pdf|xlsx?|pptx?|txt|rtf|odt)\b", regex.IGNORECASE)

_KANJI_ALONE = regex.compile(r"[\p{Han}\W]+")
_NUMBERED = regex.compile(r"\W*\p{L}+\s*[\d.\-]+\W*")
"""A word with its number: Proposal 1, 課題1."""
_NAME = regex.compile(
    r"\W*(?:(?:the|an?)\s+)?(?:[a-z]+\s+)?(?:[A-Z0-9][A-Za-z0-9_\-/]*\s+)*[A-Z0-9][A-Za-z0-9_\-/]*"
    r"(?:\s+(?:messages?|timers?|procedures?|commands?|requests?|elements?|parameters?|lists?|fields?|services?|operations?))?\W*"
)
"""A name in capitals with the word for its kind: timer T3510, HANDOVER REQUEST message."""
_INFINITIVE = regex.compile(r"\bto (?!(?:the|an?|its|their|this|all|each) )[a-z]+")
_LONGEST_HEADING = 6
"""Words of a line with a clause number that is taken for a heading."""
FEWEST_WORDS = 2
FEWEST_OF_A_PART = 3
"""Telling words of an English quote that is only part of its sentence; how binding it is counts as one."""


def says_enough(quote: str) -> bool:
    """Whether a quote has enough telling words to be one: two that do not hang together as one name, a word among them
    and no word with its number alone (Proposal 1). Labels of a form, headings and file names tell nothing."""
    read = read_statement(_without_names(quote))
    if not any(token.kind == "word" for token in read.telling) or _NUMBERED.fullmatch(quote) or _NAME.fullmatch(quote):
        return False
    if not read.japanese and not _KANJI_ALONE.fullmatch(quote):
        return len(read.telling) >= FEWEST_WORDS
    return len({token.phrase for token in read.telling}) >= FEWEST_WORDS


def is_too_short_a_part(quote: str) -> bool:
    """Whether a quote has too few telling words where it is not its whole sentence (default value, the NWDAF sends), or
    no more than a name without a verb (service access point)."""
    read = read_statement(quote)
    words = [token for token in read.tokens if token.kind != "link"]
    if read.japanese or _KANJI_ALONE.fullmatch(quote):
        return False
    has_verb = bool(VERBS.intersection(quote.casefold().split()) or _INFINITIVE.search(quote))
    return len(words) < FEWEST_OF_A_PART or (len(words) == FEWEST_OF_A_PART and not has_verb)


def doubts_of(claim: Sequence[Token], read: Statement, sentence: Statement) -> tuple[Doubt, ...]:
    """The parts of a claim that one sentence does not say; nothing when it says it all. `claim` are the tokens of
    `read` that are to be proved."""
    if read.japanese == sentence.japanese:
        return _within_a_language(claim, read, sentence)
    return doubts_across(claim, read, sentence)


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
    lines = (line for line in quote.splitlines() if not _is_heading(line))
    return _FILE_NAME.sub(" ", _LABEL.sub(" ", "\n".join(lines)))


def _is_heading(line: str) -> bool:
    """Whether a line has a clause number and is no sentence."""
    ended = line.rstrip().endswith("。")
    return clause_number(line) is not None and len(line.split()) <= _LONGEST_HEADING and not ended


def _within_a_language(claim: Sequence[Token], read: Statement, sentence: Statement) -> tuple[Doubt, ...]:
    if read.negations > sentence.negations:
        return ("negation",)
    if is_permitted_only(claim, sentence.tokens):
        return ("obligation",)
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
