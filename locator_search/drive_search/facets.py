"""The narrowing question: which facet of the hits splits them best, and what an answer to it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from locator_search.drive_search.file_types import type_name
from locator_search.locales.files import REFERENCE, Language
from locator_search.model import Choice, Facet, FacetName, FacetValue, Period, Retrieval, SearchFilters
from locator_search.retrieval.splitting import MOST_CHOICES, expected_questions
from locator_search.text.normalise import normalise

LABEL_LENGTH = 40
FACET_ORDER: tuple[FacetName, ...] = ("folder", "name", "period", "type", "owner", "editor", "drive", "keyword")
"""What people know best about a document they look for comes first when two facets split equally well."""


@dataclass(frozen=True, slots=True)
class Split:
    """One way to narrow the hits: a facet and its choices with exact resulting counts."""

    facet: FacetName
    choices: tuple[Choice, ...]


def best_split(
    found: Retrieval, filters: SearchFilters, question: str = "", language: Language = REFERENCE
) -> Split | None:
    """The facet after which the fewest questions are to be expected; of two such, the one whose choices hold more of
    the hits. None when no facet tells anything."""
    splits = [_split(facet, found.hit_count, filters, normalise(question), language) for facet in found.facets]
    useful = [split for split in splits if len(split.choices) > 1]
    return min(useful, key=lambda split: _cost(split, found.hit_count), default=None)


def _cost(split: Split, hit_count: int) -> tuple[float, int, int]:
    counts = [choice.count for choice in split.choices]
    questions = round(expected_questions(counts, hit_count), 1)
    return questions, -min(sum(counts), hit_count), FACET_ORDER.index(split.facet)


def others(split: Split, label: str, count: int) -> Choice:
    """The choice of the hits that none of the others holds."""
    return Choice(label, count, split.facet, but_not=tuple(choice.value for choice in split.choices))


def matching_choice(answer: str, choices: Sequence[Choice]) -> Choice | None:
    """The choice an answer names: its label, its number from 1, or its label with the count as shown."""
    wanted = normalise(answer).strip()
    for choice in choices:
        label = normalise(choice.label)
        if wanted in (label, f"{label} ({choice.count})", f"{label}({choice.count})"):
            return choice
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(choices):
        return choices[int(wanted) - 1]
    return None


def narrowed_by(filters: SearchFilters, choice: Choice) -> SearchFilters:
    """The filters with a choice added. Its value lies within the filters already set, so it takes their place."""
    if choice.facet is None:
        return filters
    if choice.but_not:
        return replace(filters, but_not=(*filters.but_not, *_left_out(choice)))
    if choice.facet == "folder":
        return replace(filters, folders=(choice.value,))
    if choice.facet == "type":
        return replace(filters, mime_types=(choice.value,))
    if choice.facet == "owner":
        return replace(filters, owners=(choice.value,))
    if choice.facet == "editor":
        return replace(filters, editors=(choice.value,))
    if choice.facet == "drive":
        return replace(filters, drives=(choice.value,))
    if choice.facet == "name":
        return replace(filters, names=(*filters.names, choice.value))
    if choice.facet == "keyword":
        return replace(filters, keywords=(*filters.keywords, choice.value))
    return in_period(filters, period_of(choice.value, choice.label))


def _left_out(choice: Choice) -> tuple[SearchFilters, ...]:
    """The values of a choice's `but_not`; those of a kind whose values are alternatives are one filter."""
    if choice.facet == "folder":
        return (SearchFilters(folders=choice.but_not),)
    if choice.facet == "type":
        return (SearchFilters(mime_types=choice.but_not),)
    if choice.facet == "owner":
        return (SearchFilters(owners=choice.but_not),)
    if choice.facet == "editor":
        return (SearchFilters(editors=choice.but_not),)
    if choice.facet == "drive":
        return (SearchFilters(drives=choice.but_not),)
    return tuple(narrowed_by(SearchFilters(), Choice("", 0, choice.facet, value)) for value in choice.but_not)


def in_period(filters: SearchFilters, period: Period) -> SearchFilters:
    """The filters with a period a person answered; its months are counted as those of dated files are."""
    return replace(filters, period=period, period_by="stated" if filters.period_by == "stated" else "dated")


def period_of(value: str, label: str = "") -> Period:
    """The span of days a period facet's value stands for: `2024` or `2024-09`."""
    year, _, month = value.partition("-")
    if not month:
        return Period(date(int(year), 1, 1), date(int(year) + 1, 1, 1), label)
    start = date(int(year), int(month), 1)
    return Period(start, date(start.year + start.month // 12, start.month % 12 + 1, 1), label)


def _split(facet: Facet, hit_count: int, filters: SearchFilters, question: str, language: Language) -> Split:
    telling = [
        value
        for value in facet.values
        if 0 < value.count < hit_count
        and _lies_within(facet.name, value, filters)
        and not (facet.name in ("name", "keyword") and normalise(value.value) in question)
    ]
    chosen = sorted(telling, key=lambda value: -value.count)[:MOST_CHOICES]
    if facet.name == "period":
        chosen.sort(key=lambda value: value.value, reverse=True)
    labels = _labels(facet.name, chosen, language)
    return Split(
        facet.name,
        tuple(
            Choice(label=label, count=value.count, facet=facet.name, value=value.value)
            for label, value in zip(labels, chosen, strict=True)
        ),
    )


def _lies_within(name: FacetName, value: FacetValue, filters: SearchFilters) -> bool:
    if name in ("name", "keyword"):
        return value.value not in (*filters.names, *filters.keywords)
    if name == "type":  # whoever named a kind of file is not asked for it again
        return not filters.mime_types
    if name != "period" or filters.period is None:
        return True
    period = period_of(value.value)
    return filters.period.start <= period.start and period.end <= filters.period.end


def _labels(name: FacetName, values: Sequence[FacetValue], language: Language) -> list[str]:
    """Readable and different from each other; where shortening would make two alike, all stay as they are."""
    full = [" ".join((value.label or value.value).split()) for value in values]
    if name == "type":
        full = [type_name(value.value, language) for value in values]
    elif name == "folder":
        full = [value.value for value in values]
        last_names = [path.rstrip("/").rpartition("/")[2] for path in full]
        full = last_names if len(set(last_names)) == len(full) else full
    short = [label if len(label) <= LABEL_LENGTH else f"{label[: LABEL_LENGTH - 1]}…" for label in full]
    return short if len(set(short)) == len(short) else full
