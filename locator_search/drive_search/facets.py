"""The narrowing question: which facet of the hits splits them best, and what an answer to it means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from locator_search.drive_search.file_types import type_name
from locator_search.model import Choice, Facet, FacetName, FacetValue, Period, Retrieval, SearchFilters
from locator_search.text.normalise import normalise

MOST_CHOICES = 6
LABEL_LENGTH = 40
FACET_ORDER: tuple[FacetName, ...] = ("folder", "period", "type", "owner", "keyword")
"""The order of facets that split equally well: first the one that people know best about a document they look for."""


@dataclass(frozen=True, slots=True)
class Split:
    """One way to narrow the hits: a facet and its choices with exact resulting counts."""

    facet: FacetName
    choices: tuple[Choice, ...]


def best_split(found: Retrieval, filters: SearchFilters) -> Split | None:
    """The facet whose answer is expected to tell most about the hits. None when no facet tells anything."""
    splits = [_split(facet, found.hit_count, filters) for facet in found.facets]
    useful = [split for split in splits if len(split.choices) > 1]
    return max(
        useful,
        key=lambda split: (information_gain(split.choices, found.hit_count), -FACET_ORDER.index(split.facet)),
        default=None,
    )


def information_gain(choices: Sequence[Choice], hit_count: int) -> float:
    """Expected bits learnt from one click (Shannon): the share of hits some choice reaches times the mean of
    log2(hits before / hits after), each choice as likely as it has hits.

    For choices that part the hits without overlap or rest this is their entropy.
    """
    reached = sum(choice.count for choice in choices)
    if not reached or not hit_count:
        return 0.0
    bits = sum(choice.count / reached * math.log2(hit_count / choice.count) for choice in choices)
    return min(1.0, reached / hit_count) * bits


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
    if choice.facet == "folder":
        return replace(filters, folders=(choice.value,))
    if choice.facet == "type":
        return replace(filters, mime_types=(choice.value,))
    if choice.facet == "owner":
        return replace(filters, owners=(choice.value,))
    if choice.facet == "keyword":
        return replace(filters, keywords=(*filters.keywords, choice.value))
    return replace(filters, period=period_of(choice.value, choice.label))


def period_of(value: str, label: str = "") -> Period:
    """The span of days a period facet's value stands for: `2024` or `2024-09`."""
    year, _, month = value.partition("-")
    if not month:
        return Period(date(int(year), 1, 1), date(int(year) + 1, 1, 1), label)
    start = date(int(year), int(month), 1)
    return Period(start, date(start.year + start.month // 12, start.month % 12 + 1, 1), label)


def _split(facet: Facet, hit_count: int, filters: SearchFilters) -> Split:
    telling = [
        value for value in facet.values if 0 < value.count < hit_count and _lies_within(facet.name, value, filters)
    ]
    chosen = sorted(telling, key=lambda value: -value.count)[:MOST_CHOICES]
    if facet.name == "period":
        chosen.sort(key=lambda value: value.value, reverse=True)
    labels = _labels(facet.name, chosen)
    return Split(
        facet.name,
        tuple(
            Choice(label=label, count=value.count, facet=facet.name, value=value.value)
            for label, value in zip(labels, chosen, strict=True)
        ),
    )


def _lies_within(name: FacetName, value: FacetValue, filters: SearchFilters) -> bool:
    if name == "keyword":
        return value.value not in filters.keywords
    if name != "period" or filters.period is None:
        return True
    period = period_of(value.value)
    return filters.period.start <= period.start and period.end <= filters.period.end


def _labels(name: FacetName, values: Sequence[FacetValue]) -> list[str]:
    """Readable and different from each other; where shortening would make two alike, all stay as they are."""
    full = [" ".join((value.label or value.value).split()) for value in values]
    if name == "type":
        full = [type_name(value.value) for value in values]
    elif name == "folder":
        full = [value.value for value in values]
        last_names = [path.rstrip("/").rpartition("/")[2] for path in full]
        full = last_names if len(set(last_names)) == len(full) else full
    short = [label if len(label) <= LABEL_LENGTH else f"{label[: LABEL_LENGTH - 1]}…" for label in full]
    return short if len(set(short)) == len(short) else full
