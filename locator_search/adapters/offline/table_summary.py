"""A summary of a file that is mostly tables: its notes, the columns, and what the rows are about."""

from __future__ import annotations

from collections.abc import Iterator

import regex

_WORD = regex.compile(r"\p{L}{2,}")
_DIGIT = regex.compile(r"\d")
_JAPANESE = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}]")
_MOST_NAMES = 8
_LONGEST_CELL = 40
_LOOKED_AT = 200
"""Rows that decide which column names things."""


def table_summary(lines: list[str], aim: int) -> list[str]:
    """Parts of a summary of about `aim` characters: notes beside the tables, then columns and names of each table."""
    tables = list(_tables(lines))
    japanese = any(_JAPANESE.search(cell) for table in tables for row in table[:20] for cell in row)
    notes = [line for line in lines if "\t" not in line and len(line) > 3][:2]
    parts = list(notes)
    for table in tables:
        part = _described(table, max(30, aim - sum(map(len, parts))), japanese)
        if sum(map(len, parts)) + len(part) <= aim or len(parts) == len(notes):
            parts.append(part)
    return parts


def _tables(lines: list[str]) -> Iterator[list[list[str]]]:
    table: list[list[str]] = []
    for line in [*lines, ""]:
        if "\t" in line:
            table.append([cell.strip() for cell in line.split("\t")])
        elif table:
            yield table
            table = []


def _described(table: list[list[str]], room: int, japanese: bool) -> str:
    comma, more = ("、", " ほか") if japanese else (", ", " and more")
    header, *rows = table
    columns = comma.join(cell for cell in header if cell)
    names = [name.rstrip("。.") for name in _names(rows)]  # sentences stand in a list here
    shown = names[:_MOST_NAMES]
    while len(shown) > 1 and len(columns) + len(comma.join(shown)) > room:
        shown.pop()
    if not shown:
        return columns
    return f"{columns}: {comma.join(shown)}{more if len(shown) < len(names) else ''}"


def _names(rows: list[list[str]]) -> list[str]:
    """The different cells of the column that names things: the first one made of words without digits, mostly."""
    looked_at = rows[:_LOOKED_AT]
    width = max(map(len, looked_at), default=0)
    columns = [[row[index] for row in looked_at if index < len(row) and row[index]] for index in range(width)]
    best = max(columns, key=_names_things, default=[])
    return list(dict.fromkeys(cell for cell in best if _WORD.search(cell) and len(cell) <= _LONGEST_CELL))


def _names_things(cells: list[str]) -> float:
    if not cells:
        return 0
    words = sum(bool(_WORD.search(cell)) and len(cell) <= _LONGEST_CELL for cell in cells)
    plain = sum(bool(_WORD.search(cell)) and not _DIGIT.search(cell) for cell in cells)
    different = len(set(cells)) / len(cells)
    return round((words + plain) / (2 * len(cells)) * (0.5 + different / 2), 1)
