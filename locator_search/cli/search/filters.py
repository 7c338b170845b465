"""The options that limit which files are found, as search filters; `--matching-off`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from locator_search.cli.shared.texts import Texts
from locator_search.core.errors import ConfigurationError

if TYPE_CHECKING:
    from locator_search.config.settings import Settings
    from locator_search.model import SearchFilters
    from locator_search.text.dates.periods import Span

AfterOption = Annotated[
    str | None, typer.Option("--after", help="Modified on or after: a date, a time, or 令和6年9月.", metavar="D")
]
BeforeOption = Annotated[
    str | None,
    typer.Option("--before", help="Modified up to and including this day or month, or before a time.", metavar="D"),
]
MimeOption = Annotated[
    list[str] | None, typer.Option("--mime", help="File type: pdf, word, excel, ... or a MIME type. Repeatable.")
]
FolderOption = Annotated[
    list[str] | None,
    typer.Option("--folder", help="Folder with everything below it, such as samples/法務. Repeatable.", metavar="PATH"),
]
OwnerOption = Annotated[
    list[str] | None,
    typer.Option("--owner", help="Owner, by the name that the source gives. Repeatable.", metavar="NAME"),
]
EditorOption = Annotated[
    list[str] | None, typer.Option("--editor", help="Who edited a file last. Repeatable.", metavar="NAME")
]
DriveOption = Annotated[
    list[str] | None, typer.Option("--drive", help="Shared drive, by its name. Repeatable.", metavar="NAME")
]
AnyPeriodFlag = Annotated[bool, typer.Option("--any-period", help="A period in the question limits nothing.")]
AnyTypeFlag = Annotated[bool, typer.Option("--any-type", help="A file type in the question limits nothing.")]
MatchingOffOption = Annotated[
    list[str] | None,
    typer.Option(
        "--matching-off",
        help="Matching rule to switch off: width, kanji, kana, okurigana, number, era, quarter, company, romaji,"
        " synonym or office. Repeatable.",
        metavar="RULE",
    ),
]


def filters_from(
    after: str | None, before: str | None, mime: Sequence[str] | None, settings: Settings, now: datetime
) -> SearchFilters:
    """The filters these options mean at the moment `now`. Raises ConfigurationError."""
    from locator_search.model import SearchFilters

    today = now.astimezone(ZoneInfo(settings.locator_time_zone)).date()
    start = _moment("--after", after, settings, today, at_end=False) if after else None
    end = _moment("--before", before, settings, today, at_end=True) if before else None
    if start and end and start >= end:
        raise ConfigurationError(Texts.of(settings.locator_language).empty_period)
    return SearchFilters(modified_after=start, modified_before=end, mime_types=_mime_types(mime or ()))


def also_in(
    filters: SearchFilters,
    folders: Sequence[str] | None,
    owners: Sequence[str] | None,
    editors: Sequence[str] | None,
    drives: Sequence[str] | None,
) -> SearchFilters:
    """The filters with where files lie and whose they are."""
    return replace(
        filters,
        folders=tuple(folder.strip("/") for folder in folders or ()),
        owners=tuple(owners or ()),
        editors=tuple(editors or ()),
        drives=tuple(drives or ()),
    )


def _moment(option: str, value: str, settings: Settings, today: date, *, at_end: bool) -> datetime:
    """The instant an option means. A day, month or year given as an end belongs to the period with all its hours."""
    zone = ZoneInfo(settings.locator_time_zone)
    exact = _exact_time(value)
    if exact is not None:
        return exact if exact.tzinfo else exact.replace(tzinfo=zone)
    days = _days(value, settings, today)
    if days is None:
        say = Texts.of(settings.locator_language)
        raise ConfigurationError(say.bad_time.format(option=option, value=value), hint=say.bad_time_hint)
    return datetime.combine(days[1] if at_end else days[0], time(), tzinfo=zone)


def _exact_time(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value.strip()) if ":" in value or "T" in value else None
    except ValueError:
        return None


def _days(value: str, settings: Settings, today: date) -> Span | None:
    """The days a value means, as (first, day after the last); None unless it says a period and nothing else."""
    from locator_search.text.dates.finding import find_periods
    from locator_search.text.dates.periods import Calendar, day_span
    from locator_search.text.normalise import normalise

    try:
        return day_span(date.fromisoformat(value.strip()))
    except (ValueError, OverflowError):
        written = normalise(value).strip()
    if (
        len(written) == 4 and written.isdigit()
    ):  # an option's four digits are a year; in a question they are too often something else
        written += "年"
    found = find_periods(written, Calendar(today, settings.locator_fiscal_year_start))
    whole = [period.span for period in found if (period.start, period.end) == (0, len(written))]
    return whole[0] if len(whole) == 1 else None


def _mime_types(names: Sequence[str]) -> tuple[str, ...]:
    from locator_search.text.file_types import mime_types_for

    parts = [part for value in names for part in value.split(",") if part.strip()]
    return tuple(dict.fromkeys(mime_type for part in parts for mime_type in mime_types_for(part)))
