"""A meeting at a glance: its contributions by agenda item, how each revises another, and what became of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from locator_search.contributions.analysis.messages import Sentences
from locator_search.locales import Language
from locator_search.ports import Contribution, KnownContribution
from locator_search.ports.sheets import SheetTable

_DECISION_COLUMNS = ("decision", "conclusion", "result", "outcome")


@dataclass(frozen=True, slots=True)
class MeetingRow:
    """One contribution as the TDoc list has it.

    `decision` is that of the list where it has such a column, else the status of the last revision there is;
    `decided_by` is the number of that revision, "" where it is the contribution itself.
    """

    agenda_item: str
    number: str
    title: str
    source: str
    kind: str
    status: str
    revision_of: str
    revised_to: str
    decision: str
    decided_by: str


def meeting_rows(shown: Sequence[KnownContribution], known: Sequence[KnownContribution]) -> list[MeetingRow]:
    """The contributions of one meeting that are shown, by agenda item (6.2 before 6.10) and number.

    `known` are all of that meeting: a list may name a revision on one of the two rows only.
    """
    by_number = {one.contribution.number: one.contribution for one in known}
    revised = {one.revision_of: number for number, one in by_number.items() if one.revision_of}
    rows = [_row(one.contribution, by_number, revised) for one in shown]
    return sorted(rows, key=lambda row: (_order(row.agenda_item), row.number))


def meeting_table(rows: Sequence[MeetingRow], language: Language) -> SheetTable:
    """The rows under their column names, in the order of the fields."""
    columns = Sentences.of(language).meeting_columns
    return SheetTable(tuple(columns), tuple(tuple(asdict(row).values()) for row in rows))


def _row(one: Contribution, by_number: Mapping[str, Contribution], revised: Mapping[str, str]) -> MeetingRow:
    last, seen = one, {one.number}
    while (following := _revised_to(last, revised)) in by_number and following not in seen:
        seen.add(following)
        last = by_number[following]
    return MeetingRow(
        agenda_item=one.agenda_item,
        number=one.number,
        title=one.title,
        source=one.source,
        kind=one.kind,
        status=one.status,
        revision_of=one.revision_of or "",
        revised_to=_revised_to(one, revised),
        decision=_decision(one) or _decision(last) or last.status,
        decided_by="" if last is one or _decision(one) else last.number,
    )


def _revised_to(one: Contribution, revised: Mapping[str, str]) -> str:
    return one.revised_to or revised.get(one.number, "")


def _decision(one: Contribution) -> str:
    columns = {name.strip().casefold(): value for name, value in one.details.items()}
    return next((columns[name] for name in _DECISION_COLUMNS if columns.get(name)), "")


def _order(agenda_item: str) -> list[tuple[int, str]]:
    """6.2 before 6.10; what has no number comes last."""
    parts = re.findall(r"\d{1,9}|[^\d.]+", agenda_item)
    return [(int(part), "") if part.isdigit() else (10**9, part) for part in parts] or [(10**10, "")]
