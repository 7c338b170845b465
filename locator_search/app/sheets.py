"""Sheets to take away, in any format."""

from __future__ import annotations

from locator_search.ports.sheets import Sheet, SheetFormat


def sheet_as(sheet: Sheet, sheet_format: SheetFormat) -> bytes:
    """A sheet as a whole file."""
    from locator_search.adapters.sheets import sheet_writer

    return sheet_writer(sheet_format).write(sheet)
