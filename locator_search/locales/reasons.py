"""Why a file or a contribution has no text in the index, or only some of it: in words, for every surface.

A reason is kept as `code` or `code: what the program said`. The words stand for the code; what the program said is a
detail. What has no code we know was not foreseen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from locator_search.locales.files import Language
from locator_search.locales.said import told
from locator_search.locales.sections import Section


@dataclass(frozen=True)
class Reasons(Section, section="reasons"):
    """The words of each code, and of the states of files."""

    states: Mapping[str, str]
    unforeseen: str
    words: Mapping[str, str]


class ReasonText(NamedTuple):
    """A reason for a person: its words, and what the program said, "" where it said no more."""

    words: str
    detail: str


def reason_text(reason: str, language: Language) -> ReasonText:
    """A reason in words."""
    code, _, detail = reason.partition(": ")
    reasons = Reasons.of(language)
    words, said = (reasons.words[code], detail) if code in reasons.words else (reasons.unforeseen, reason)
    return ReasonText(words, told(said, language))


def counted(counts: Mapping[str, int], language: Language) -> list[tuple[str, int]]:
    """How many files have each reason, in words, most frequent first and then by words; details are not told
    apart."""
    by_words: Counter[str] = Counter()
    for reason, count in counts.items():
        by_words[reason_text(reason, language).words] += count
    return sorted(by_words.items(), key=lambda one: (-one[1], one[0]))
