"""The owner's dictionary, line by line: words that mean the same (`PC, パソコン`), words that questions ignore
(`ignore: 弊社`), and files or folders that come first or last where a question says a phrase
(`first: 就業規則 = 規程/`). Lines that begin with # are remarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import regex

from locator_search.model import Placement
from locator_search.text.normalise import normalise

_COMMA = regex.compile("[,，、､]")
LONGEST_WORD = 64
"""Characters; a longer one is a sentence, and no question holds it."""


_DIRECTED = regex.compile(r"\s*(ignore|first|last|無視|先頭|末尾)\s*[:：](.*)", regex.IGNORECASE)
_EQUALS = regex.compile("[=＝]")


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Groups of words that mean the same, words that questions ignore (as they are compared), what comes first or
    last for which phrase, and the numbers of the lines (from 1) that are none of these."""

    groups: tuple[tuple[str, ...], ...] = ()
    ignored: tuple[str, ...] = ()
    placements: tuple[Placement, ...] = ()
    bad_lines: tuple[int, ...] = ()


def parse_dictionary(text: str) -> Dictionary:
    """Read a dictionary. A line with too few words, with one that is too long, or without a place is bad and left
    out."""
    groups: list[tuple[str, ...]] = []
    ignored: list[str] = []
    placements: list[Placement] = []
    bad: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        directed = _DIRECTED.fullmatch(line)
        kind, rest = (directed[1].lower(), directed[2]) if directed else ("", line)
        listed, place = rest, ""
        if kind in ("first", "last", "先頭", "末尾"):
            listed, _, place = _EQUALS.sub("=", rest, count=1).partition("=")
        words = {normalise(word).strip(): " ".join(word.split()) for word in _COMMA.split(listed)}
        group = tuple(word for compared, word in words.items() if compared)
        if len(group) < (1 if kind else 2) or any(len(word) > LONGEST_WORD for word in group):
            bad.append(number)
        elif not kind:
            groups.append(group)
        elif kind in ("ignore", "無視"):
            ignored += filter(None, words)
        elif compared := normalise(place).strip().lstrip("/"):
            placements += (Placement(normalise(phrase), compared, kind in ("first", "先頭")) for phrase in group)
        else:
            bad.append(number)
    return Dictionary(tuple(groups), tuple(ignored), tuple(placements), tuple(bad))


@cache
def office_words() -> tuple[tuple[str, ...], ...]:
    """The groups that come with the product: everyday words of an office, Japanese and English."""
    return parse_dictionary((files(__package__) / "office_words.txt").read_text("utf-8")).groups


@dataclass(frozen=True, slots=True)
class SynonymsByWord:
    """For each word of a dictionary, as questions are compared, the words that mean the same. `longest`: characters."""

    others: Mapping[str, tuple[str, ...]]
    longest: int


@lru_cache(maxsize=4)
def synonyms_by_word(groups: tuple[tuple[str, ...], ...]) -> SynonymsByWord:
    """The groups the other way round. Made once for a dictionary: one of many thousand lines takes half a second."""
    others: dict[str, dict[str, None]] = {}
    for group in groups:
        for word in group:
            if compared := normalise(word):
                others.setdefault(compared, {}).update(dict.fromkeys(other for other in group if other != word))
    return SynonymsByWord({word: tuple(found) for word, found in others.items()}, max(map(len, others), default=0))
