"""A passage as sentences that can be quoted: as it reads now, and what was deleted. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from locator_search.contributions.analysis.edits import before_changes, now
from locator_search.contributions.cover_page import without_label
from locator_search.model import Evidence
from locator_search.text.cutting import sentence_spans
from locator_search.text.normalise import normalise
from locator_search.text.statements.proof import is_too_short_a_part, says_enough
from locator_search.text.statements.tokens import Statement, read_statement

_GOES_ON = re.compile(r"[\w,)%][ \t]*\n[ \t]*(?:[a-z(]|\d+(?:[.,]\d+)?,? [a-z])")
"""The end of a line of English prose that the next one goes on with."""
_SHORTEST_LINE = 30
"""Characters; a shorter line is a heading or a cell of a table."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a passage. `deleted`: it stood there before a tracked change."""

    text: str
    read: Statement
    deleted: bool = False


def quoted_sentences(evidence: Evidence, quote: str) -> list[Sentence]:
    """The sentences a quote was copied out of, wherever it stands; none where it stands nowhere or says too little.

    White space, width, case, and the forms of quotation marks and dashes do not matter. Labels of a form, headings and
    file names are no statements.
    """
    if not says_enough(quote):
        return []
    wanted = _folded(quote)
    found = (sentence for text, deleted in _texts(evidence) for sentence in _holding(text, wanted, deleted=deleted))
    if is_too_short_a_part(quote):
        found = (one for one in found if _is_whole_sentence(_bare(wanted), one.text))
    by_text: dict[str, Sentence] = {}
    for sentence in found:
        by_text.setdefault(sentence.text, sentence)
    return list(by_text.values())


def _texts(evidence: Evidence) -> Iterator[tuple[str, bool]]:
    yield now(evidence), False
    if evidence.changes:
        yield before_changes(evidence), True


def _holding(text: str, wanted: str, *, deleted: bool) -> Iterator[Sentence]:
    spans, folded = _sentences_of(text)
    ends: list[int] = []
    length = 0
    for piece in folded:
        length += len(piece)
        ends.append(length)
    stream, place = "".join(folded), -1
    while (place := stream.find(wanted, place + 1)) >= 0:
        for (start, end), piece, after in zip(spans, folded, ends, strict=True):
            if after > place and after - len(piece) < place + len(wanted):
                yield Sentence(text[start:end], read_statement(text[start:end]), deleted)


@lru_cache(maxsize=512)
def _sentences_of(text: str) -> tuple[Sequence[tuple[int, int]], Sequence[str]]:
    spans = _whole(sentence_spans(text), text)
    return spans, [_folded(text[start:end]) for start, end in spans]


def _whole(spans: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Sentences with the lines that end in their midst joined: what goes on in small letters begins nothing."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and _GOES_ON.match(text, joined[-1][1] - 1) and joined[-1][1] - joined[-1][0] >= _SHORTEST_LINE:
            start = joined.pop()[0]
        joined.append((start, end))
    return joined


def _bare(folded: str) -> str:
    return folded.strip(".,;:")


def _is_whole_sentence(wanted: str, text: str) -> bool:
    """Whether a quote is a sentence without the name of the field it begins (Reason for change: ...)."""
    whole = _bare(_folded(text))
    return whole == wanted or whole.endswith(f":{wanted}") or _bare(_folded(without_label(text))) == wanted


def _folded(text: str) -> str:
    return "".join(normalise(text).replace('"', "").replace("'", "").split())
