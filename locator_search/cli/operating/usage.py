"""`document-locator usage`: questions, those that found nothing, and the costs of all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from locator_search.cli.shared.output import JsonFlag, console, emit_json, reports_errors

SHOWN = 20
"""Rows of a list on the terminal; a file and JSON hold all."""


@reports_errors
def usage(
    days: Annotated[int, typer.Option(min=1, max=3650, help="So many days up to today.")] = 30,
    export: Annotated[Path | None, typer.Option(help="Write it to a file instead: .csv or .xlsx.")] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show questions, how many found nothing, how long they took, and costs by kind of work. For administrators.

    Example: document-locator usage --days 90 --export usage.xlsx
    """
    from rich.table import Table
    from rich.text import Text

    from locator_search.app.locator import open_locator
    from locator_search.app.sheets import sheet_as
    from locator_search.cli.search.exporting import format_of
    from locator_search.cli.shared.files import write_whole
    from locator_search.cli.shared.lines import show_line
    from locator_search.config.settings import load_settings
    from locator_search.health.usage import UsageTexts, usage_sheet

    settings = load_settings()
    sheet_format = format_of(export, settings) if export else None
    with open_locator(settings) as locator:
        report = locator.usage_reader.report(days)
    if json_output:
        emit_json(report)
        return
    say = UsageTexts.of(settings.locator_language)
    sheet = usage_sheet(report, say, ZoneInfo(settings.locator_time_zone), days)
    if export and sheet_format:
        write_whole(export, sheet_as(sheet, sheet_format))
        return
    for name, value in sheet.facts:
        show_line(f"{name}: ", (value, "bold"))
    for section in sheet.sections:
        if section.table:
            show_line((f"\n{section.title}", "bold"))
            table = Table(*section.table.columns, box=None, pad_edge=False)
            for row in section.table.rows[:SHOWN]:
                table.add_row(*map(Text, row))
            console.print(table)
