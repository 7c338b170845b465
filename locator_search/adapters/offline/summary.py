"""A summary made of the file's own sentences: its title, then what tells most, in the order of the file.

It is made of the lines that tell something: no page numbers, rules or running heads; wrapped sentences rejoined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from math import log

import regex

from locator_search.adapters.offline.table_summary import table_summary
from locator_search.text.cutting import sentences, truncate, truncate_at_sentence
from locator_search.text.terms import telling_parts

_PAGE_NUMBER = regex.compile(
    r"[-–—\s\[(]*(?:page|p\.)?\s*\d{1,4}\s*(?:(?:/|of)\s*\d{1,4}|ページ|頁)?[-–—\s\])]*", regex.I
)
_CODE = regex.compile(r"[{};]$")
_RULE = regex.compile(r"[\W_]*")
_MARK = regex.compile(r"^(?:[#>◆■●○◎□▪・*•‣–→※-]+\s*|[(（]?\d{1,2}[)）.．]\s+|[QA]\d{0,2}[.．::]\s*)+")
_CELLS = regex.compile(r"\t|^\S+\s*[::]\s")
_GOES_ON_JAPANESE = regex.compile(r"[はがをにでともやへのて、][ 　]*$")
_GOES_ON_ENGLISH = regex.compile(r"[a-z,;]$")
_LOWER_CASE = regex.compile(r"[a-z]")

_WRAPPED = 24
"""A shorter line did not reach the margin, so it was not wrapped there."""


def informative_lines(text: str) -> list[str]:
    """Lines in order, stripped, tabs between cells kept."""
    lines = [line.strip(" \r\f\u3000") for line in text.replace("\f", "\n").split("\n")]
    counts = Counter(lines)
    return _unwrapped(
        line
        for line in lines
        if not (_RULE.fullmatch(line) or _PAGE_NUMBER.fullmatch(line) or _CODE.search(line))
        and (counts[line] <= 2 or "\t" in line)
    )


def without_mark(line: str) -> str:
    """A line without its bullet, heading mark or list number."""
    return _MARK.sub("", line)


def is_table(lines: list[str]) -> bool:
    """Whether most lines are rows of cells."""
    return sum("\t" in line for line in lines) > len(lines) / 2


def _unwrapped(lines: Iterable[str]) -> list[str]:
    joined: list[str] = []
    for line in lines:
        if joined and _goes_on(joined[-1], line):
            joined[-1] += line if _GOES_ON_JAPANESE.search(joined[-1]) else f" {line}"
        else:
            joined.append(line)
    return joined


def _goes_on(line: str, following: str) -> bool:
    if len(line) < _WRAPPED or "\t" in line or _MARK.match(following) or _CELLS.search(following):
        return False
    if _GOES_ON_JAPANESE.search(line):
        return True
    return bool(_GOES_ON_ENGLISH.search(line)) and bool(_LOWER_CASE.match(following))


_AIM = 240
"""Characters a summary aims at when more are allowed: a person reads it in a list of results."""

_LONGEST_TITLE = 60
_HEADING_MARK = regex.compile(r"^(?:[#◆■●◎□]|第[\d一二三四五六七八九十]+[章条節]|\d+(?:\.\d+)*[.\s]\s*\D)")
_ENDS_SENTENCE = regex.compile(r"[。．！？!?.…][」』）)】\"']*$")
_GREETING = regex.compile(
    r"お疲れ|お世話に|よろしくお願い|拝啓|敬具|御中|宛先|各位|dear\b|regards|thank you|best wishes|hello|https?://\S+$",
    regex.I,
)
_TELLING = regex.compile(
    r"目的|概要|要旨|結論|決定|決め|承認|提案|原因|合計|期限|まで|とする|変更|開始|終了|対象|件名|番号|日時|期間|有効|契約"
    r"|\b(?:purpose|summary|decided|decision|approved|total|agreement|deadline|because|proposed?|valid|must|shall)\b",
    regex.I,
)
_PEOPLE = regex.compile(
    r"^・?(?:出席|参加|欠席|作成者?|確認|記録|承認|起案者?|報告者|場所|担当|place|present|author)\s*[::]", regex.I
)
_ROW = regex.compile(r"(?:\s[\d.,%±]+){2,}$")
_NUMBER = regex.compile(r"\d")
_JAPANESE_END = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}。！？」』）】]$")
_JAPANESE = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}]")


@dataclass(frozen=True, slots=True)
class _Sentence:
    order: int
    text: str
    parts: frozenset[str]
    is_row: bool


def summarise(text: str, max_length: int) -> str:
    """A summary of at most `max_length` characters, never empty; the language is that of the text."""
    lines = informative_lines(text)
    if not lines:
        return truncate(" ".join(text.split()), max_length) or "-"
    title, rest = _title(lines)
    aim = max(0, min(max_length, _AIM) - len(title) - 1)
    body = table_summary(rest, aim) if is_table(rest) else _best_sentences(rest, aim)
    return truncate_at_sentence(_joined([title, *body]), max_length)


def _title(lines: list[str]) -> tuple[str, list[str]]:
    """The title of a file is its first line; a line of table cells is none."""
    first = without_mark(lines[0])
    if "\t" in lines[0] or len(first) > _LONGEST_TITLE:
        return "", lines
    return first, [line for line in lines[1:] if without_mark(line) != first]


def _best_sentences(lines: list[str], aim: int) -> list[str]:
    candidates = _sentences(lines)
    frequencies = Counter(chain.from_iterable(one.parts for one in candidates))
    masses = {part: log(1 + frequency) for part, frequency in frequencies.items()}
    ranked = sorted(candidates, key=lambda one: -_weight(one, masses, len(candidates)))
    chosen: list[_Sentence] = []
    length = 0
    for one in ranked:
        if length + len(one.text) + 1 <= aim and not any(_repeats(one, other) for other in chosen):
            chosen.append(one)
            length += len(one.text) + 1
    if not chosen and ranked:
        return [truncate(ranked[0].text, max(aim, 20))]
    return [one.text for one in sorted(chosen, key=lambda one: one.order)]


def _sentences(lines: list[str]) -> list[_Sentence]:
    found: list[_Sentence] = []
    for previous, line in zip(["", *lines], lines, strict=False):
        is_table_head = "\t" in line and "\t" not in previous
        if is_table_head or _is_heading(line):
            continue
        for sentence in sentences(without_mark(line).replace("\t", " ")):
            parts = telling_parts(sentence)
            is_greeting = len(sentence) < 30 and _GREETING.search(sentence)
            if parts and not is_greeting:
                found.append(
                    _Sentence(len(found), sentence, parts, is_row="\t" in line or bool(_ROW.search(line[-100:])))
                )
    return found


def _is_heading(line: str) -> bool:
    return (
        len(line) <= 40
        and not _ENDS_SENTENCE.search(line)
        and (bool(_HEADING_MARK.match(line)) or (len(line) <= 12 and ":" not in line and "\t" not in line))
    )


def _weight(sentence: _Sentence, masses: Mapping[str, float], count: int) -> float:
    central = sum(map(masses.__getitem__, sentence.parts)) / float((4 + len(sentence.parts)) ** 0.7)
    weight = central * (1 + 0.6 * (1 - sentence.order / max(count, 1)))
    if _TELLING.search(sentence.text):
        weight *= 1.3
    if _NUMBER.search(sentence.text):
        weight *= 1.15
    if _PEOPLE.match(sentence.text):
        weight *= 0.5
    if sentence.is_row:
        weight *= 0.4
    if len(sentence.text) < 8:
        weight *= 0.2
    return weight


def _repeats(one: _Sentence, other: _Sentence) -> bool:
    return len(one.parts & other.parts) > 0.7 * min(len(one.parts), len(other.parts))


def _joined(parts: list[str]) -> str:
    text = ""
    for part in (part.strip() for part in parts):
        if not part:
            continue
        if text and not _ENDS_SENTENCE.search(text):
            text = text.rstrip(" ,、:;")
            text += "。" if _JAPANESE.search(text) else "."
        text += (" " if text and not _JAPANESE_END.search(text) else "") + part
    return text
