"""Sheets as files of Word, Excel and Markdown, and as CSV."""

from __future__ import annotations

from locator_search.adapters.sheets.csv_table import CsvSheetWriter
from locator_search.adapters.sheets.excel import ExcelSheetWriter
from locator_search.adapters.sheets.markdown import MarkdownSheetWriter
from locator_search.adapters.sheets.word import WordSheetWriter
from locator_search.ports.sheets import SheetFormat, SheetWriter


def sheet_writer(sheet_format: SheetFormat) -> SheetWriter:
    """The writer of a format."""
    writers: dict[SheetFormat, SheetWriter] = {
        "csv": CsvSheetWriter(),
        "docx": WordSheetWriter(),
        "md": MarkdownSheetWriter(),
        "xlsx": ExcelSheetWriter(),
    }
    return writers[sheet_format]
