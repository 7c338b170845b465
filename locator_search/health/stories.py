"""Why a file is found, or is not: the way of any listed file from the listing to the search."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from locator_search.locales import Language, Plural, Section
from locator_search.locales.reasons import Reasons, reason_text
from locator_search.locales.times import moment
from locator_search.ports import FileStory, KnownFile

SHOWN = 20
"""Files that are told of at once."""


@dataclass(frozen=True)
class StoryTexts(Section, section="stories"):
    """The same on the status page and in the terminal."""

    find: str
    find_placeholder: str
    no_such_file: str
    more_files: str
    listed: str
    read: str
    summarised: str
    searchable: str
    tried: str
    was_listed: str
    was_read: Plural
    waits: str
    by_model: str
    extract: str
    is_searchable: str
    older_text: str
    is_not: str
    was_tried: str
    next_due: str
    next_at: str
    next_by_hand: str


class Step(NamedTuple):
    """One thing that has or has not happened to a file; `state` is one of the colours of parts."""

    state: Literal["real", "offline", "missing", "failing"]
    name: str
    detail: str


def steps_of(story: FileStory, language: Language, now: datetime, zone: ZoneInfo) -> list[Step]:
    """The way of a file from the listing to the search, and its tries."""
    say, known = StoryTexts.of(language), story.known
    waits, tried_at = known.state == "pending", moment(story.tried_at, zone, say.language)
    why = why_of(known, language)
    tries = say.waits if waits else say.was_tried.format(time=tried_at, count=known.attempts)
    steps = [Step("real", say.listed, say.was_listed.format(time=moment(story.seen_at, zone, say.language)))]
    if story.indexed_at is None:
        nothing: Literal["offline", "failing"] = "offline" if waits or known.state == "skipped" else "failing"
        steps.append(Step(nothing, say.read, say.waits if waits else why))
        steps.append(Step("missing", say.searchable, say.is_not))
    else:
        steps.append(Step("real", say.read, say.was_read.format(story.characters, chunks=story.chunks)))
        written = Step("real", say.summarised, say.by_model) if story.by_model else None
        steps.append(written or Step("offline", say.summarised, say.extract))
        words = say.is_searchable if known.state == "indexed" else say.older_text
        at = words.format(time=moment(story.indexed_at, zone, say.language), why=why)
        steps.append(Step("real" if known.state == "indexed" else "offline", say.searchable, at))
    return [*steps, Step("missing", say.tried, f"{tries} {_next_try(known, say, now, zone)}".strip())]


def why_of(known: KnownFile, language: Language) -> str:
    """Why a file is not read, or its state where nothing says more."""
    return reason_text(known.reason, language).words if known.reason else Reasons.of(language).states[known.state]


def _next_try(known: KnownFile, say: StoryTexts, now: datetime, zone: ZoneInfo) -> str:
    if known.next_try_at is not None:
        at = moment(known.next_try_at, zone, say.language)
        return say.next_due if known.next_try_at <= now else say.next_at.format(time=at)
    return say.next_by_hand if known.state in ("failed", "skipped") else ""
