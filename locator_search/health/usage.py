"""Questions and costs of the last days in words: for the page, the terminal and a file to take away. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from locator_search.locales import Section
from locator_search.ports.feedback import QuestionFigures, QuestionUsage, UsageReport, Work
from locator_search.ports.sheets import Sheet, SheetSection, SheetTable


@dataclass(frozen=True)
class UsageTexts(Section, section="usage"):
    """Headings, columns and the names of what costs."""

    title: str
    days: str
    questions: str
    unanswered_share: str
    seconds: str
    cost: str
    no_questions: str
    by_day: str
    by_work: str
    unanswered: str
    dearest: str
    newest: str
    day_columns: tuple[str, ...]
    work_columns: tuple[str, ...]
    question_columns: tuple[str, ...]
    works: Mapping[Work, str]
    systems: Mapping[str, str]


def usage_sheet(report: UsageReport, say: UsageTexts, zone: ZoneInfo, days: int) -> Sheet:
    """The figures of so many days as a sheet: the totals as facts, then the questions, and the figures by kind of work
    and by day, newest day first. Sections without rows are left out."""
    total = report.total
    share = total.unanswered / total.questions if total.questions else 0.0
    facts = (
        (say.days, f"{days}"),
        (say.questions, f"{total.questions:,}"),
        (say.unanswered_share, f"{share:.0%}" if total.questions else "–"),
        (say.seconds, f"{_seconds(total.median_seconds)} / {_seconds(total.p95_seconds)}"),
        (say.cost, _dollars(sum(one.cost_usd for one in report.work))),
    )
    lists = {say.unanswered: report.unanswered, say.dearest: report.dearest, say.newest: report.newest}
    sections = [_section(title, say.question_columns, _questions(say, kept, zone)) for title, kept in lists.items()]
    sections.append(_section(say.by_work, say.work_columns, _by_work(report, say)))
    sections.append(_section(say.by_day, say.day_columns, _by_day(report)))
    return Sheet(say.title, facts, tuple(one for one in sections if one.table and one.table.rows))


def _section(title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> SheetSection:
    return SheetSection(title, table=SheetTable(columns, tuple(rows)))


def _questions(say: UsageTexts, kept: Sequence[QuestionUsage], zone: ZoneInfo) -> Iterable[tuple[str, ...]]:
    for one in kept:
        figures = (_seconds(one.seconds), f"{one.tokens:,}", _dollars(one.cost_usd))
        asked = f"{one.asked_at.astimezone(zone):%Y-%m-%d %H:%M}"
        yield (one.question, say.systems[one.system], f"{one.times:,}", asked, *figures)


def _by_work(report: UsageReport, say: UsageTexts) -> Iterable[tuple[str, ...]]:
    for work, name in say.works.items():
        if done := [one for one in report.work if one.work == work]:
            calls, tokens = sum(one.calls for one in done), sum(one.tokens for one in done)
            yield name, f"{calls:,}", f"{tokens:,}", _dollars(sum(one.cost_usd for one in done))


def _by_day(report: UsageReport) -> Iterable[tuple[str, ...]]:
    asked = {one.day: one for one in report.days}
    for day in sorted({*(one.day for one in report.work), *(day for day in asked if day)}, reverse=True):
        one = asked.get(day, QuestionFigures(day, 0, 0, None, None))
        cost = sum(paid.cost_usd for paid in report.work if paid.day == day)
        seconds = (_seconds(one.median_seconds), _seconds(one.p95_seconds))
        yield (day.isoformat(), f"{one.questions:,}", f"{one.unanswered:,}", *seconds, _dollars(cost))


def _seconds(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds:,.1f}"


def _dollars(cost: float) -> str:
    return f"${cost:,.4f}"
