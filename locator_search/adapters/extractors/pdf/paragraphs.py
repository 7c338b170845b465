"""The raw text of a PDF page, made readable."""

from __future__ import annotations

import re
from collections.abc import Callable

from locator_search.adapters.extractors.cleaning import clean

# PDFium marks a hyphen that only parts a word at a line end.
_JOINED_HYPHEN = re.compile("[\x02\ufffe]\\s*")
_CJK = "\u3001-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60"
_BETWEEN_CJK = re.compile(f"(?<=[{_CJK}])\n(?=[{_CJK}])")
_ENDS_SENTENCE = ("。", "！", "？", "」", ".", ":", "：")
_NUMBER = r"[\d一二三四五六七八九十百]+"
_STARTS_PARAGRAPH = re.compile(
    rf"第{_NUMBER}[編章節条]|\d+(?:[.．]\d+)*[.．)）]?[ 　]|[(（]{_NUMBER}[)）]|[①-⑳•・◆◇■□●○※]"
)
_FULL_LINE_SHARE = 0.8
# A few characters that end neither a sentence nor in hiragana are a title; what is left of a sentence ends so.
_TITLE = re.compile("[^、。，．！？]{1,8}(?<![ぁ-ん」）)])")


def paragraphs(raw: str, is_title: Callable[[str], bool] = lambda _line: False) -> list[str]:
    """The lines of a page put together again: Japanese lines run on without a break, short lines end a paragraph, and
    titles that are known stand alone."""
    lines = [line.strip() for line in clean(_JOINED_HYPHEN.sub("", raw)).split("\n")]
    widths = sorted(_width(line) for line in lines if line)
    if not widths:
        return []
    full = widths[len(widths) * 9 // 10] * _FULL_LINE_SHARE
    vertical = full <= 2  # vertical text comes one character per line
    found: list[str] = []
    waiting: list[str] = []
    for line in lines:
        alone = bool(line) and is_title(line)
        starts = not line or _STARTS_PARAGRAPH.match(line) or (not vertical and _TITLE.fullmatch(line))
        if waiting and (alone or starts):
            found.append(_joined(waiting))
            waiting = []
        if line:
            waiting.append(line)
        ends = not vertical and (_width(line) < full or line.endswith(_ENDS_SENTENCE))
        if waiting and (alone or ends):
            found.append(_joined(waiting))
            waiting = []
    return [*found, _joined(waiting)] if waiting else found


def _width(line: str) -> int:
    """Columns a line takes where Japanese characters take two."""
    return len(line) + sum(character >= "\u2e80" for character in line)


def _joined(lines: list[str]) -> str:
    return _BETWEEN_CJK.sub("", "\n".join(lines))
