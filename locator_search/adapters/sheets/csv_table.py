"""Sheets as CSV: their tables alone, so that the first row names the columns."""

from __future__ import annotations

import csv
import io

from locator_search.adapters.sheets.cells import defused
from locator_search.ports.sheets import Sheet


class CsvSheetWriter:
    """A SheetWriter."""

    suffix = ".csv"
    mime_type = "text/csv"

    def write(self, sheet: Sheet) -> bytes:
        """UTF-8 with the mark by which Excel knows it. Every cell is one line and quoted."""
        written = io.StringIO()
        rows = csv.writer(written, quoting=csv.QUOTE_ALL)
        for table in (section.table for section in sheet.sections if section.table):
            for row in (table.columns, *table.rows):
                rows.writerow([defused(" ".join(cell.split())) for cell in row])
        return written.getvalue().encode("utf-8-sig")
