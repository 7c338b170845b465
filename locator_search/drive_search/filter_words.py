"""The filters a person set, in words: the page shows them as chips, the terminal beside a saved search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from locator_search.drive_search.file_types import type_name
from locator_search.drive_search.page_filters import CUSTOM, PageFilters
from locator_search.locales import Common


@dataclass(frozen=True)
class FilterTexts(Common, section="filters"):
    """Names of the filters."""

    period: str
    periods: Mapping[str, str]
    months: str
    owners: str
    editors: str
    drives: str
    rule_off: str


def chosen_filters(texts: FilterTexts, chosen: PageFilters) -> Iterator[tuple[str, PageFilters]]:
    """Each filter in words, with the filters that are left without it."""
    if chosen.period:
        yield f"{texts.period}: {_period_words(texts, chosen)}", replace(chosen, period="")
    for mime_type in chosen.mime_types:
        yield type_name(mime_type, texts.language), replace(chosen, mime_types=_without(chosen.mime_types, mime_type))
    for folder in chosen.folders:
        yield folder, replace(chosen, folders=_without(chosen.folders, folder))
    if chosen.month:
        yield f"{texts.months}: {chosen.month}", replace(chosen, month="")
    for owner in chosen.owners:
        yield f"{texts.owners}: {owner}", replace(chosen, owners=_without(chosen.owners, owner))
    for editor in chosen.editors:
        yield f"{texts.editors}: {editor}", replace(chosen, editors=_without(chosen.editors, editor))
    for drive in chosen.drives:
        yield f"{texts.drives}: {drive}", replace(chosen, drives=_without(chosen.drives, drive))
    for rule in chosen.matching_off:
        words = texts.rule_off.format(rule=texts.rule_names[rule])
        yield words, replace(chosen, matching_off=_without(chosen.matching_off, rule))


def _without(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return tuple(other for other in values if other != value)


def _period_words(texts: FilterTexts, chosen: PageFilters) -> str:
    if chosen.period != CUSTOM:
        return texts.periods[chosen.period]
    return texts.dates(f"{chosen.after or ''}..{chosen.before or ''}")
