"""Things an operator should look at, besides the warnings about source roots. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from locator_search.locales import Language, Section
from locator_search.ports import CrawlRun, IndexStatus

AlarmKind = Literal["dropped", "stale", "cost"]

LATEST_SYNC = timedelta(hours=26)
"""The time after which an index is stale: the daily reconciliation, and some patience."""
DROP_WITHIN = timedelta(days=7)
SMALLEST_DROP = 20
DROP_SHARE = 0.1
COST_SHARE = 0.8


@dataclass(frozen=True)
class AlarmTexts(Section, section="alarms"):
    """A sentence for each kind of alarm, and one for none."""

    sentences: Mapping[AlarmKind, str]
    nothing: str


@dataclass(frozen=True, slots=True)
class Alarm:
    """One thing to look at, in a sentence."""

    kind: AlarmKind
    message: str


def alarms(
    status: IndexStatus, runs: Sequence[CrawlRun], ceiling_usd: float | None, now: datetime, language: Language
) -> list[Alarm]:
    """Far fewer files in the index than within the last week, no crawl for longer than a day, a ceiling almost reached
    (US dollars; None: there is none)."""
    sentences, found = AlarmTexts.of(language).sentences, list[Alarm]()
    indexed = status.coverage.by_state.get("indexed", 0)
    comparable = [run for run in runs if run.same_roots and now - run.finished_at <= DROP_WITHIN]
    before = max((run.states.get("indexed", 0) for run in comparable), default=0)
    if before - indexed > max(SMALLEST_DROP, DROP_SHARE * before):
        found.append(Alarm("dropped", sentences["dropped"].format(before=before, now=indexed)))
    sync = status.last_sync
    if sync is not None and now - sync.finished_at > LATEST_SYNC:
        hours = (now - sync.finished_at) / timedelta(hours=1)
        found.append(Alarm("stale", sentences["stale"].format(hours=hours)))
    if ceiling_usd is not None and status.cost_usd >= COST_SHARE * ceiling_usd:
        found.append(Alarm("cost", sentences["cost"].format(spent=status.cost_usd, ceiling=ceiling_usd)))
    return found
