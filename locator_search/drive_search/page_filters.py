"""The filters of the page as a person sets them. Pure: an address, search filters and words are made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import get_args
from zoneinfo import ZoneInfo

from locator_search.drive_search.facets import period_of
from locator_search.drive_search.file_types import type_name
from locator_search.drive_search.questions import ConditionKind
from locator_search.locales import Common
from locator_search.model import FacetName, SearchFilters
from locator_search.text.variants.rules import RULES

PRESETS: Mapping[str, timedelta] = {
    "24h": timedelta(hours=24),
    "1w": timedelta(days=7),
    "1m": timedelta(days=30),
    "6m": timedelta(days=182),
    "1y": timedelta(days=365),
}
CUSTOM = "custom"
EARLIEST, LATEST = date(1970, 1, 1), date(2099, 12, 31)


@dataclass(frozen=True, slots=True)
class PageFilters:
    """`period` is a key of PRESETS, `custom`, or empty for any time.

    `after` and `before` are days of the person's time zone, both included, and count only for `custom`. `month`, such
    as 2026-09, is what files speak of or were changed in. `ignored` are conditions of the question the person lifted,
    `matching_off` matching rules that are off beside those of the settings.
    """

    period: str = ""
    after: date | None = None
    before: date | None = None
    mime_types: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    month: str = ""
    owners: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    ignored: tuple[ConditionKind, ...] = ()
    matching_off: tuple[str, ...] = ()

    @property
    def in_order(self) -> bool:
        """Whether the custom period does not end before it begins."""
        return not (self.period == CUSTOM and self.after and self.before and self.after > self.before)

    def narrowed_to(self, facet: FacetName, value: str) -> PageFilters:
        """These filters with one more value of a facet."""
        if facet == "folder":
            return replace(self, folders=(value,))
        if facet == "type":
            return replace(self, mime_types=(value,))
        if facet == "owner":
            return replace(self, owners=(value,))
        if facet == "editor":
            return replace(self, editors=(value,))
        if facet == "drive":
            return replace(self, drives=(value,))
        return replace(self, month=value)

    def as_search_filters(self, now: datetime, zone: ZoneInfo) -> SearchFilters:
        """The filters of the search; relative times count from `now`."""
        after = before = None
        if self.period == CUSTOM:
            after = _midnight(self.after, zone)
            before = _midnight(self.before + timedelta(days=1), zone) if self.before else None
        elif self.period:
            after = now - PRESETS[self.period]
        return SearchFilters(
            modified_after=after,
            modified_before=before,
            period=period_of(self.month, self.month) if self.month else None,
            period_by="dated" if self.month else "any",
            mime_types=self.mime_types,
            folders=self.folders,
            owners=self.owners,
            editors=self.editors,
            drives=self.drives,
        )

    def as_query(self) -> dict[str, list[str]]:
        """Query parameters of the address; what is not set is left out."""
        query: dict[str, list[str]] = {
            "period": [self.period],
            "after": [self.after.isoformat()] if self.after else [],
            "before": [self.before.isoformat()] if self.before else [],
            "type": list(self.mime_types),
            "folder": list(self.folders),
            "month": [self.month],
            "owner": list(self.owners),
            "editor": list(self.editors),
            "drive": list(self.drives),
            "without": list(self.ignored),
            "off": list(self.matching_off),
        }
        return {name: values for name, values in query.items() if any(values)}


def filters_from_query(query: Mapping[str, Sequence[str]]) -> PageFilters:
    """The filters an address names. Whatever does not parse counts as not set: addresses are typed by people."""
    period = _first(query, "period")
    return PageFilters(
        period=period if period in PRESETS or period == CUSTOM else "",
        after=_day(_first(query, "after")),
        before=_day(_first(query, "before")),
        mime_types=tuple(query.get("type", ())),
        folders=tuple(query.get("folder", ())),
        month=_month(_first(query, "month")),
        owners=tuple(query.get("owner", ())),
        editors=tuple(query.get("editor", ())),
        drives=tuple(query.get("drive", ())),
        ignored=tuple(kind for kind in get_args(ConditionKind) if kind in query.get("without", ())),
        matching_off=tuple(rule for rule in RULES if rule in query.get("off", ())),
    )


def _first(query: Mapping[str, Sequence[str]], name: str) -> str:
    return next(iter(query.get(name, ())), "")


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if EARLIEST <= day <= LATEST else None


def _month(text: str) -> str:
    return text if len(text) == len("2026-09") and _day(f"{text}-01") else ""


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC) if day else None


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
