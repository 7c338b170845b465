"""Texts as typed objects: a section of the locale files is a class, and its keys are fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

from locator_search.locales import files
from locator_search.locales.files import Language


@dataclass(frozen=True)
class Plural:
    """One sentence with a form for one and a form for all other counts; some languages have only the latter."""

    other: str
    one: str = ""

    def format(self, count: int, **values: object) -> str:
        """The form of a count, filled in."""
        form = self.one if count == 1 and self.one else self.other
        return form.format(count=count, **values)


@dataclass(frozen=True)
class Section:
    """The texts of one section in one language; names in braces are filled in with `str.format`.

    A subclass names its section and declares each of its keys as a field: `str`, `Plural`, a tuple or a mapping of
    `str`. The subclass of a section has the texts of both.
    """

    section: ClassVar[str]
    language: Language

    def __init_subclass__(cls, section: str) -> None:
        cls.section = section

    @classmethod
    def of(cls, language: Language) -> Self:
        """The texts in a language, in Japanese where there is no file of it. Raises ConfigurationError."""
        kind: Any = cls
        texts: Self = _filled(kind, language, files.FOLDER)
        return texts


@dataclass(frozen=True)
class Common(Section, section="common"):
    """Each is here because more than one surface or flow says it in the same words."""

    nothing_found: str
    question_empty: str
    question_label: str
    answer_heading: str
    search_queries: str
    language_model: str
    by_model: str
    model_usage: str
    warnings: str
    failed: str
    none: str
    comma: str
    evidence: str
    evidence_links: str
    clause: str
    no_clause: str
    page: str
    estimated_page: str
    pages: Mapping[str, str]
    evidence_read: Mapping[str, str]
    made_up: str
    not_supported: str
    marked_not_supported: str
    unverified_numbers: str
    refused_citations: str
    doubts: Mapping[str, str]
    nearest_passage: str
    contributions: str
    changed_places: str
    searches: str
    model_extra: str
    space: str
    rule_names: Mapping[str, str]
    download: str
    new_hits: Plural
    popular_questions: str
    related_questions: str
    group_kinds: Mapping[str, str]
    likes: Plural
    time_left: str
    session_statuses: Mapping[str, str]
    positions_heading: str
    position_count: str
    joins: Mapping[str, str]
    same_thread: str
    coverage_all: Plural
    coverage_some: Plural
    coverage_none: str
    until: str
    recorded: str

    def together(self, *sentences: str) -> str:
        """Several sentences as one text; empty ones are left out."""
        return self.space.join(sentence for sentence in sentences if sentence)

    def dates(self, period: str) -> str:
        """A period such as 2026-04-01..2027-03-31 with its days joined as the language joins them."""
        return period.replace("..", self.until, 1).strip()

    def coverage_line(self, listed: int, searchable: int, where: str) -> str:
        """How many of the listed files were searched; the others are told of at `where`."""
        if not listed:
            return self.coverage_none
        if searchable == listed:
            return self.coverage_all.format(listed)
        return self.coverage_some.format(listed - searchable, listed=listed, searchable=searchable, where=where)


@cache
def _filled(kind: Any, language: Language, _folder: Path) -> Any:
    texts: dict[str, Any] = {}
    for section in (vars(each)["section"] for each in kind.__mro__ if "section" in vars(each)):
        texts |= reduce(lambda inner, name: inner[name], section.split("."), files.texts_of(language))
    return kind(language=language, **{name: _value(value) for name, value in texts.items()})


def _value(value: Any) -> Any:
    if files.is_plural(value):
        return Plural(**value)
    if isinstance(value, dict):
        return MappingProxyType(value)
    return tuple(value) if isinstance(value, list) else value
