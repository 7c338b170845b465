"""Writes the list of results to a file that Excel opens."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from locator_search.app.sheets import sheet_as
from locator_search.cli.shared.files import write_whole
from locator_search.cli.shared.texts import Texts
from locator_search.core.errors import ConfigurationError
from locator_search.drive_search.sheet import results_sheet

if TYPE_CHECKING:
    from locator_search.config.settings import Settings
    from locator_search.drive_search.searcher import SearchRun
    from locator_search.model import SearchOutcome
    from locator_search.ports.sheets import SheetFormat


def format_of(file: Path, settings: Settings) -> SheetFormat:
    """The format that the name of a file asks for. Raises ConfigurationError."""
    formats: dict[str, SheetFormat] = {".csv": "csv", ".xlsx": "xlsx"}
    if file.suffix.lower() not in formats:
        raise ConfigurationError(Texts.of(settings.locator_language).export_suffix.format(file=file))
    return formats[file.suffix.lower()]


def export_results(
    file: Path, export_format: SheetFormat, run: SearchRun, outcome: SearchOutcome, settings: Settings, now: datetime
) -> None:
    """The results as a whole file, or none. Raises LocatorError."""
    zone = ZoneInfo(settings.locator_time_zone)
    shown = outcome.evidence or outcome.closest
    sheet = results_sheet(run.inputs.question, outcome, shown, now, zone, settings.locator_language)
    write_whole(file, sheet_as(sheet, export_format))
