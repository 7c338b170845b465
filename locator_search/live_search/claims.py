"""Holds the statements of an answer against the evidence they cite, sentence by sentence. Pure.

A claim is proved as those of an analysis of contributions are (`text.statements`). The titles of its evidence and words
about documents need no proof: they say where it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from locator_search.live_search.outcome import LiveCitation, LiveClaim
from locator_search.text.cutting import sentence_spans, sentences
from locator_search.text.markdown.tree import (
    Block,
    Citation,
    Code,
    Inline,
    Items,
    LineBreak,
    Marked,
    Paragraph,
    Quote,
    Table,
    Text,
)
from locator_search.text.statements.sameness import is_said
from locator_search.text.statements.supporting import REPORTING, doubts_about
from locator_search.text.statements.tokens import Statement, Token, read_statement

MOST_COMPARED = 12
"""Sentences of the evidence that a claim is compared with: those that share most with it."""
_INTRODUCES = (":", "：", "?", "？")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of evidence as it was read for the answer."""

    service: str
    title: str
    text: str


def claims_of(blocks: Sequence[Block], passages: Mapping[int, Passage]) -> tuple[LiveClaim, ...]:
    """The claims of an answer. What introduces a list, asks, or says that something is not there claims nothing."""
    drafts = (draft for line in _lines(blocks) for draft in _sentences(line))
    checked = (_checked(text, numbers, passages) for text, numbers in drafts)
    return tuple(claim for claim in checked if claim)


def _lines(blocks: Sequence[Block]) -> Iterator[tuple[Inline, ...]]:
    """The lines that belong together: paragraphs, also those of lists and quotes, and rows of tables."""
    for block in blocks:
        match block:
            case Paragraph(parts):
                yield parts
            case Items(items, _):
                for item in items:
                    yield from _lines(item)
            case Quote(inner):
                yield from _lines(inner)
            case Table(rows):
                yield from (tuple(part for cell in row for part in (*cell, Text(" "))) for row in rows[1:])
            case _:
                pass


def _sentences(line: Sequence[Inline]) -> list[tuple[str, tuple[int, ...]]]:
    """Each sentence with the numbers it cites; one that cites nothing has those of the next, else of the last one."""
    text, cited = _flat(line)
    spans = sentence_spans(text)
    numbers: list[list[int]] = [[] for _ in spans]
    for place, number in cited:
        owner = max((index for index, (start, _) in enumerate(spans) if start < place), default=0)
        if spans:
            numbers[owner].append(number)
    for index in [*reversed(range(len(spans) - 1)), *range(1, len(spans))]:
        near = index + 1 if index + 1 < len(spans) and numbers[index + 1] else index - 1
        numbers[index] = numbers[index] or (numbers[near] if near >= 0 else [])
    return [
        (" ".join(text[start:end].split()), tuple(dict.fromkeys(found)))
        for (start, end), found in zip(spans, numbers, strict=True)
    ]


def _flat(parts: Sequence[Inline]) -> tuple[str, list[tuple[int, int]]]:
    """The words of a line, and where in them which number is cited."""
    text = ""
    cited: list[tuple[int, int]] = []
    for part in parts:
        match part:
            case Text(words) | Code(words):
                text += words
            case LineBreak():
                text += "\n"
            case Citation(number):
                cited.append((len(text), number))
            case Marked(_, inner):
                words, places = _flat(inner)
                cited += [(len(text) + place, number) for place, number in places]
                text += words
    return text, cited


def _checked(text: str, numbers: Sequence[int], passages: Mapping[int, Passage]) -> LiveClaim | None:
    read = _read(text)
    free = REPORTING.union(
        token.key
        for number in numbers
        for name in (passages[number].title, passages[number].service)
        for token in _read(name).tokens
    )
    claim = [token for token in read.tokens if token.key not in free]
    if not numbers:
        is_claim = read.telling and not read.negations and not text.rstrip("*").endswith(_INTRODUCES)
        return LiveClaim(text) if is_claim else None
    if not claim:  # it says where something is
        return LiveClaim(text, tuple(LiveCitation(number, passages[number].title) for number in numbers))
    near = {number: _nearest(claim, passages[number].text) for number in numbers}
    compared = [sentence for found in near.values() for sentence in found]
    if not compared:
        return LiveClaim(text, doubts=("words",))
    doubts = doubts_about(claim, read, [_read(sentence) for sentence in compared])
    quotes = (LiveCitation(number, _best(claim, read, found)) for number, found in near.items() if found)
    return LiveClaim(text, tuple(quotes), doubts)


def _nearest(claim: Sequence[Token], text: str) -> list[str]:
    """The sentences of a text that share most with a claim, each at least a word."""
    shared = Counter({one: sum(is_said(token, _read(one)) for token in claim) for one in sentences(text)})
    return [sentence for sentence, count in shared.most_common(MOST_COMPARED) if count]


def _best(claim: Sequence[Token], read: Statement, found: Sequence[str]) -> str:
    return min(found, key=lambda sentence: len(doubts_about(claim, read, [_read(sentence)])))


@lru_cache(maxsize=2048)
def _read(sentence: str) -> Statement:
    return read_statement(sentence)
