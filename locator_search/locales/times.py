"""How days and times are written for people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from locator_search.locales.files import Language
from locator_search.locales.sections import Section


@dataclass(frozen=True)
class Times(Section, section="times"):
    """The forms of a language."""

    day: str
    minute: str
    short_minute: str


def day(time: datetime, zone: tzinfo, language: Language) -> str:
    """The day: 2026年9月5日, 5 Sep 2026."""
    return Times.of(language).day.format(time=time.astimezone(zone))


def moment(time: datetime, zone: tzinfo, language: Language, *, short: bool = False) -> str:
    """The day and the minute on the person's clock: 2026年9月5日 09:03 JST, 5 Sep 2026, 09:03 JST; `short`: no year."""
    forms = Times.of(language)
    return (forms.short_minute if short else forms.minute).format(time=time.astimezone(zone))
