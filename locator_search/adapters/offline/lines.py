"""The lines of a file's text that tell something: no page numbers, rules, running heads; wrapped sentences rejoined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import regex

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
