"""The results of a search as a sheet to take away. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from locator_search.drive_search.file_types import type_name
from locator_search.drive_search.messages import Sentences
from locator_search.locales import Language
from locator_search.model import Evidence, SearchOutcome
from locator_search.ports.sheets import Sheet, SheetSection, SheetTable


def results_sheet(
    question: str, outcome: SearchOutcome, shown: Sequence[Evidence], made: datetime, zone: ZoneInfo, language: Language
) -> Sheet:
    """One row per file in the order in which it is shown; versions and copies follow the one they are folded under."""
    say = Sentences.of(language)
    facts = (
        (say.question_label, question),
        (say.sheet_outcome, outcome.message),
        (say.sheet_made, f"{made.astimezone(zone):%Y-%m-%d %H:%M %Z}"),
    )
    columns = tuple(column.format(zone=zone.key) for column in say.sheet_columns)
    rows = tuple(row for number, evidence in enumerate(shown, start=1) for row in _rows(number, evidence, zone, say))
    title = say.sheet_results if outcome.evidence else say.sheet_closest
    return Sheet(say.sheet_title, facts, (SheetSection(title, table=SheetTable(columns, rows)),))


def _rows(number: int, evidence: Evidence, zone: ZoneInfo, say: Sentences) -> Iterator[tuple[str, ...]]:
    yield _row(number, evidence, "", zone, say)
    for member in evidence.group:
        yield _row(number, member.evidence, say.group_kinds[member.kind], zone, say)


def _row(number: int, file: Evidence, folded_as: str, zone: ZoneInfo, say: Sentences) -> tuple[str, ...]:
    return (
        str(number),
        file.file_name,
        folded_as,
        type_name(file.mime_type, say.language),
        file.folder_path,
        say.dates(file.document_date),
        f"{file.modified_at.astimezone(zone):%Y-%m-%d %H:%M}",
        file.owner or "",
        f"{file.similarity:.2f}",
        file.snippet,
        file.summary,
        file.link,
        file.file_id,
    )
