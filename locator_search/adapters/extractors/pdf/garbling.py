"""How odd a text looks when fonts lie about their characters.

A wrong character map gives text that is not empty, so nobody notices until a search fails. It shows in characters that
no honest text holds in any number: private, unassigned or control ones, letters of scripts that are never mixed, and
kanji or Hangul scattered over the whole of Unicode, where real texts keep to the few thousand that are in use.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CID = re.compile(r"\(cid:\d+\)")
_LATIN_SALAD = re.compile("[\u00a1-\u00ff]{4,}")
_COMMON_SCRIPTS = re.compile(
    "(?:LATIN|GREEK|CYRILLIC|ARABIC|HEBREW|CJK|HIRAGANA|KATAKANA|KATAKANA-HIRAGANA|HANGUL|THAI|DEVANAGARI|FULLWIDTH|"
    "HALFWIDTH|FEMININE|MASCULINE|MICRO|MODIFIER|COMBINING|IDEOGRAPHIC|SCRIPT|DOUBLE-STRUCK|MATHEMATICAL|SUPERSCRIPT|"
    "SUBSCRIPT|ANGSTROM|OHM|KELVIN|PLANCK|INFORMATION) "
)
_KANJI = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_ENCLOSED = re.compile("[\u2460-\u24ff\u2776-\u2793]{4,}")
_FEWEST_KINDS = 7
"""Kinds of circled letters and numbers on a garbled page, at least. Answers to a choice of five have fewer."""
_FEWEST = 5
_MOST_UNUSUAL = 0.4
"""Of random kanji 60 % are unusual and of random Hangul 80 %; of those in real texts, names included, hardly 2 %."""


def oddness(text: str) -> float:
    """How much of a text looks like a wrong character map, from 0 (nothing) to 1 (all of it).

    Counts unassigned, private-use and control characters, `(cid:7)`, runs of accented Latin letters, circled letters
    and numbers that stand together like a word, unusual kanji and Hangul when they are many, and, when at least three
    of them meet on one page, letters of scripts that are rarely mixed.
    """
    characters = [character for character in text if not character.isspace()]
    if not characters:
        return 0.0
    scripts = [script for character in characters if (script := _rare_script(character))]
    odd = sum(_is_odd(character) for character in characters)
    odd += sum(len(match) for match in _CID.findall(text)) + sum(len(match) for match in _LATIN_SALAD.findall(text))
    odd += len(scripts) if len(set(scripts)) >= 3 else 0
    odd += _scattered(_KANJI.findall(text)) + _scattered(_HANGUL.findall(text))
    odd += _enclosed(_ENCLOSED.findall(text))
    return min(odd / len(characters), 1.0)


def _enclosed(runs: list[str]) -> int:
    """The characters of runs that do not count up (①②③ and ⓐⓑⓒ do) when too many kinds of them are on the page."""
    words = [run for run in runs if not _counts_up(run.strip("⓪"))]
    return sum(map(len, words)) if len(set().union(*words)) >= _FEWEST_KINDS else 0


def _counts_up(run: str) -> bool:
    return list(run) == sorted(set(run))


def _scattered(letters: list[str]) -> int:
    """All of the letters when too many of them are unusual, else none."""
    unusual = sum(_is_unusual(letter) for letter in letters)
    return len(letters) if len(letters) >= _FEWEST and unusual > len(letters) * _MOST_UNUSUAL else 0


@lru_cache(maxsize=8192)
def _is_unusual(letter: str) -> bool:
    """Outside of what the national character sets hold of letters in daily use: JIS level 1, GB 2312 level 1, Big5
    level 1, the Hangul of KS X 1001."""
    if letter >= "\uac00":
        return not _encodes(letter, "euc_kr", 0xB0, 0xC8)
    return not (
        _encodes(letter, "euc_jp", 0xB0, 0xCF)
        or _encodes(letter, "gb2312", 0xB0, 0xD7)
        or _encodes(letter, "big5", 0xA4, 0xC6)
    )


def _encodes(letter: str, encoding: str, first: int, last: int) -> bool:
    try:
        return first <= letter.encode(encoding)[0] <= last
    except UnicodeEncodeError:
        return False


@lru_cache(maxsize=4096)
def _is_odd(character: str) -> bool:
    return character == "\ufffd" or (unicodedata.category(character) in ("Co", "Cn", "Cc") and character != "\ufffe")


@lru_cache(maxsize=4096)
def _rare_script(character: str) -> str:
    if unicodedata.category(character)[0] not in "LM":
        return ""
    name = unicodedata.name(character, "UNKNOWN")
    return "" if _COMMON_SCRIPTS.match(name) else name.partition(" ")[0]
