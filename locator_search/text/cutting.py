"""Where a text can be cut: how many tokens it is, its sentences, and what a reader sees as one character.

A sentence ends at 。！？ or at a full stop before a space, with the closing brackets that follow, but not inside
brackets (「はい。そうです。」と言った。 is one). A line break always ends one, and forgives brackets that stay open.
"""

from __future__ import annotations

import unicodedata
from math import ceil

import regex

TOKENS_PER_WIDE_CHARACTER = 1.2
TOKENS_PER_ASCII_CHARACTER = 0.3


def estimate_tokens(text: str) -> int:
    """An estimate on the safe side: 1.2 tokens for each character beyond ASCII, 0.3 for each ASCII one.

    A quarter of the characters, the usual rule for English, is three times too low for Japanese.
    """
    narrow = len(text.encode("ascii", "ignore"))
    return ceil((len(text) - narrow) * TOKENS_PER_WIDE_CHARACTER + narrow * TOKENS_PER_ASCII_CHARACTER)


_OPENING, _CLOSING = "「『（(【［[〈《“", "」』）)】］]〉》”"
_ABBREVIATION = regex.compile(
    r"(?:\b(?:mr|mrs|(?<!\d )ms|dr|prof|no|vol|fig|e\.g|i\.e|etc|vs|inc|ltd|co|st)|(?<!\d |[°/])\b[a-z])$", regex.I
)
"""Behind a number, ms and s are units, as are C behind a degree sign and h in km/h; a full stop after them ends a
sentence."""
_MAY_END = regex.compile(r"(?:\w.*\s[A-Z]|\b(?:etc|inc|ltd|co))$", regex.S | regex.I)
_BEGINS = regex.compile(
    r"\s+(?:The|An?|In|It|If|When|While|This|That|These|Those|We|For|To|No|All|Each|Every|After|Before|As|At|On|Both|"
    r"However|Therefore|There|They|Its|Our)\s"
)
"""Words that a sentence begins with, and hardly a name: option B. The gNB, but J. Smith."""
_TOKEN = regex.compile(rf"\n|\f|[{regex.escape(_OPENING + _CLOSING)}]|[。！？!?．]+|\.(?=\s|$)")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence without the white space around it, in order."""
    spans: list[tuple[int, int]] = []
    start = depth = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if token.start() < start:  # a bracket that already belongs to the last sentence
            continue
        if mark in "\n\f":
            _add(spans, text, start, token.start())
            start, depth = token.end(), 0
        elif mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0 and not (mark == "." and _is_abbreviation(text, start, token.start())):
            end = _after_closing(text, token.end())
            _add(spans, text, start, end)
            start = end
    _add(spans, text, start, len(text))
    return spans


def _is_abbreviation(text: str, start: int, stop: int) -> bool:
    """Whether the full stop at `stop` ends a word and not the sentence that begins at `start`."""
    if _ABBREVIATION.search(text, start, stop) is None:
        return False
    return not (_MAY_END.search(text, start, stop) and _BEGINS.match(text, stop + 1))


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order."""
    return [text[start:end] for start, end in sentence_spans(text)]


def _after_closing(text: str, end: int) -> int:
    while end < len(text) and text[end] in _CLOSING + "\"'":
        end += 1
    return end


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append((first, first + len(stripped)))


ELLIPSIS = "…"
_LONGEST_WORD = 40
_GRAPHEME = regex.compile(r"\X")
JOINED = regex.compile(
    r"[\r\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=Regional_Indicator}]"
)
"""Between two characters that are none of these lies a boundary between graphemes."""


def truncate(text: str, max_length: int) -> str:
    """The text in NFC, at most `max_length` code points; a cut text ends in … and between graphemes."""
    composed = unicodedata.normalize("NFC", text)
    if len(composed) <= max_length:
        return composed
    if max_length <= 0:
        return ""
    return composed[: grapheme_boundary(composed, max_length - len(ELLIPSIS))].rstrip() + ELLIPSIS


def around_difference(one: str, other: str, max_length: int) -> tuple[str, str]:
    """Two texts, each at most `max_length` code points around the first place where they differ, cut between words with
    … where something is left out. Of two long texts that begin alike the beginnings would tell nothing."""
    one, other = (unicodedata.normalize("NFC", text) for text in (one, other))
    differ = (at for at, (here, there) in enumerate(zip(one, other, strict=False)) if here != there)
    begin = _word_begin(one, next(differ, min(len(one), len(other))) - max_length // 2)
    return _from(one, begin, max_length), _from(other, begin, max_length)


def _from(text: str, begin: int, max_length: int) -> str:
    if len(text) <= max_length:
        return text
    head = ELLIPSIS if begin else ""
    rest = text[begin:]
    cut = truncate(rest, max_length - len(head))
    end = len(cut) - len(ELLIPSIS)
    inside = rest[end - 1 : end + 1]
    if len(cut) < len(rest) and inside.isascii() and inside.isalnum() and " " in cut:
        cut = f"{cut[: cut.rindex(' ')]}{ELLIPSIS}"
    return head + cut


def _word_begin(text: str, position: int) -> int:
    """Where the word at a position begins; of a text without spaces, a boundary between graphemes."""
    if position <= 0:
        return 0
    space = text.rfind(" ", max(0, position - _LONGEST_WORD), position)
    return space + 1 if space >= 0 else grapheme_boundary(text, position)


def truncate_at_sentence(text: str, max_length: int) -> str:
    """Like `truncate`, but at the end of the last whole sentence where that keeps at least half of the length."""
    composed = unicodedata.normalize("NFC", text)
    if len(composed) <= max_length:
        return composed
    ends = [end for _, end in sentence_spans(composed) if max_length // 2 <= end <= max_length]
    return composed[: ends[-1]] if ends else truncate(composed, max_length)


def grapheme_boundary(text: str, position: int) -> int:
    """The last boundary between graphemes at or before `position`."""
    if position >= len(text):
        return len(text)
    if position > 0 and not JOINED.search(text, position - 1, position + 1):
        return position  # the usual case, without a walk from the beginning
    boundary = 0
    for match in _GRAPHEME.finditer(text):
        if match.end() > position:
            break
        boundary = match.end()
    return boundary
