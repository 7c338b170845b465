"""`document-locator audit`: who asked what and who opened which file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from locator_search.cli.search.filters import AfterOption, filters_from
from locator_search.cli.shared.output import JsonFlag, emit_json, reports_errors

if TYPE_CHECKING:
    from locator_search.ports.search import AuditEntry


@reports_errors
def audit(
    after: AfterOption = None,
    export: Annotated[Path | None, typer.Option(help="Write them to a file instead: .csv or .xlsx.")] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show questions and openings of files, for administrators. It is kept while permissions are on.

    Example: document-locator audit --after 2026-11-01 --export audit.csv
    """
    from locator_search.app.locator import open_locator
    from locator_search.app.sheets import sheet_as
    from locator_search.cli.operating.texts import AuditTexts
    from locator_search.cli.search.exporting import format_of
    from locator_search.cli.shared.files import write_whole
    from locator_search.cli.shared.lines import show_line
    from locator_search.config.settings import load_settings
    from locator_search.ports.sheets import Sheet, SheetSection, SheetTable

    settings = load_settings()
    say, zone = AuditTexts.of(settings.locator_language), ZoneInfo(settings.locator_time_zone)
    sheet_format = format_of(export, settings) if export else None
    with open_locator(settings) as locator:
        entries = locator.kept_audit().entries(
            filters_from(after, None, None, settings, locator.clock.now()).modified_after
        )
    if json_output:
        emit_json({"entries": [asdict(entry) | {"at": entry.at.isoformat()} for entry in entries]})
        return
    rows = tuple(_row(entry, zone, say.kinds) for entry in entries)
    if export and sheet_format:
        table = SheetTable(tuple(say.columns.split("|")), rows)
        write_whole(export, sheet_as(Sheet(say.title, (), (SheetSection(say.title, table=table),)), sheet_format))
        return
    for row in rows:
        show_line("  ".join(cell for cell in row if cell))


def _row(entry: AuditEntry, zone: ZoneInfo, kinds: Mapping[str, str]) -> tuple[str, ...]:
    at, name = f"{entry.at.astimezone(zone):%Y-%m-%d %H:%M}", entry.file_name or entry.file_id
    return at, entry.person, kinds[entry.kind], entry.surface, entry.question, name
