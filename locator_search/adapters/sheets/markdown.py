"""Sheets as Markdown. Text of contributions and of models stays text: what could be markup is escaped."""

from __future__ import annotations

import re

from locator_search.ports.sheets import Sheet, SheetLine, SheetTable
from locator_search.text.markdown.writing import text_as_markdown as escaped

_BARE_PIPE = re.compile(r"(?<!\\)\|")
_RULE = "---"


class MarkdownSheetWriter:
    """A SheetWriter."""

    suffix = ".md"
    mime_type = "text/markdown"

    def write(self, sheet: Sheet) -> bytes:
        """UTF-8 with a line end at the end."""
        lines = [f"# {escaped(sheet.title)}", ""]
        lines += [f"- **{escaped(name)}**: {escaped(value)}" for name, value in sheet.facts]
        for section in sheet.sections:
            lines += ["", f"## {escaped(section.title)}", ""]
            lines += _table(section.table) if section.table else []
            lines += [written for line in section.lines for written in _written(line)]
        return ("\n".join(lines) + "\n").encode()


def _written(line: SheetLine) -> list[str]:
    text = escaped(line.text)
    if line.inserted:
        text = f"**{text}**"
    if line.deleted:
        text = f"~~{text}~~"
    if line.marked:
        text = f"⚠ {text}"
    return [f"- {text}", *(f"  - {escaped(source)}" for source in line.sources)]


def _table(table: SheetTable) -> list[str]:
    rows = [table.columns, (_RULE,) * len(table.columns), *table.rows]
    return [*(f"| {' | '.join(map(_cell, row))} |" for row in rows), ""]


def _cell(text: str) -> str:
    lines = (_BARE_PIPE.sub(r"\|", escaped(line)) for line in text.split("\n"))
    return text if text == _RULE else "<br>".join(lines)
