"""The raw text of a PDF page, made readable; and how odd it looks when its fonts lie."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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

_CID = re.compile(r"\(cid:\d+\)")
_LATIN_SALAD = re.compile("[\u00a1-\u00ff]{4,}")
_COMMON_SCRIPTS = re.compile(
    "(?:LATIN|GREEK|CYRILLIC|ARABIC|HEBREW|CJK|HIRAGANA|KATAKANA|KATAKANA-HIRAGANA|HANGUL|THAI|DEVANAGARI|FULLWIDTH|"
    "HALFWIDTH|FEMININE|MASCULINE|MICRO|MODIFIER|COMBINING|IDEOGRAPHIC|SCRIPT|DOUBLE-STRUCK|MATHEMATICAL|SUPERSCRIPT|"
    "SUBSCRIPT|ANGSTROM|OHM|KELVIN|PLANCK|INFORMATION) "
)


def paragraphs(raw: str) -> list[str]:
    """The lines of a page put together again: Japanese lines run on without a break, short lines end a paragraph."""
    lines = [line.strip() for line in clean(_JOINED_HYPHEN.sub("", raw)).split("\n")]
    widths = sorted(_width(line) for line in lines if line)
    if not widths:
        return []
    full = widths[len(widths) * 9 // 10] * _FULL_LINE_SHARE
    vertical = full <= 2  # vertical text comes one character per line
    found: list[str] = []
    waiting: list[str] = []
    for line in lines:
        if waiting and (not line or _STARTS_PARAGRAPH.match(line) or (not vertical and _TITLE.fullmatch(line))):
            found.append(_joined(waiting))
            waiting = []
        if line:
            waiting.append(line)
        if waiting and not vertical and (_width(line) < full or line.endswith(_ENDS_SENTENCE)):
            found.append(_joined(waiting))
            waiting = []
    return [*found, _joined(waiting)] if waiting else found


def _width(line: str) -> int:
    """Columns a line takes where Japanese characters take two."""
    return len(line) + sum(character >= "\u2e80" for character in line)


def _joined(lines: list[str]) -> str:
    return _BETWEEN_CJK.sub("", "\n".join(lines))


def oddness(text: str) -> float:
    """How much of a text looks like a wrong character map, from 0 (nothing) to 1 (all of it).

    Counts unassigned, private-use and control characters, `(cid:7)`, runs of accented Latin letters, and, when at
    least three of them meet on one page, letters of scripts that are rarely mixed.
    """
    characters = [character for character in text if not character.isspace()]
    if not characters:
        return 0.0
    scripts = [script for character in characters if (script := _rare_script(character))]
    odd = sum(_is_odd(character) for character in characters)
    odd += sum(len(match) for match in _CID.findall(text)) + sum(len(match) for match in _LATIN_SALAD.findall(text))
    odd += len(scripts) if len(set(scripts)) >= 3 else 0
    return min(odd / len(characters), 1.0)


@lru_cache(maxsize=4096)
def _is_odd(character: str) -> bool:
    return character == "\ufffd" or (unicodedata.category(character) in ("Co", "Cn", "Cc") and character != "\ufffe")


@lru_cache(maxsize=4096)
def _rare_script(character: str) -> str:
    if unicodedata.category(character)[0] not in "LM":
        return ""
    name = unicodedata.name(character, "UNKNOWN")
    return "" if _COMMON_SCRIPTS.match(name) else name.partition(" ")[0]
