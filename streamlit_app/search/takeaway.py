"""The list of results to take away, as CSV and as an Excel workbook."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from locator_search.app.sheets import sheet_as
from locator_search.core.reader import Reader, reader_now, reading_as
from locator_search.drive_search.searcher import SearchRun
from locator_search.drive_search.sheet import results_sheet
from locator_search.model import Evidence, SearchOutcome
from locator_search.ports.sheets import SheetFormat
from locator_search.retrieval.grouping import files_of
from streamlit_app.shared import session
from streamlit_app.shared.texts import Texts

NAMES: dict[SheetFormat, str] = {"csv": "CSV", "xlsx": "Excel"}


def downloads(texts: Texts, run: SearchRun, outcome: SearchOutcome, shown: Sequence[Evidence]) -> None:
    """A button per format, in a box that opens; the file is written when it is clicked."""
    with st.popover(texts.export, type="tertiary", icon=":material/download:"):
        for sheet_format, name in NAMES.items():
            st.download_button(
                texts.download.format(format=name),
                data=partial(_written, texts, run.inputs.question, outcome, shown, reader_now(), sheet_format),
                file_name=f"{texts.export_name}.{sheet_format}",
                on_click="ignore",
                type="tertiary",
                key=f"export-{sheet_format}",
            )


def _written(
    texts: Texts,
    question: str,
    outcome: SearchOutcome,
    shown: Sequence[Evidence],
    reader: Reader | None,
    sheet_format: SheetFormat,
) -> bytes:
    """The file, unless what it would hold may be read no longer."""
    locator = session.locator()
    with reading_as(reader):
        files = files_of(shown)
        if locator.settings.locator_permissions:
            files = tuple(locator.access_checker.check(files))
    readable = {file.file_id for file in files}
    kept = [item for item in shown if {file.file_id for file in files_of([item])} <= readable]
    sheet = results_sheet(question, outcome, kept, locator.clock.now(), session.zone(), texts.language)
    return sheet_as(sheet, sheet_format)
