"""Markdown: headings and tables become structure; the rest stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from locator_search.adapters.extractors.cleaning import clean, table_blocks
from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.text_formats.plain_text import read_text
from locator_search.model import Block

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Blocks of a Markdown text."""
    return blocks_of(clean(read_text(data, notes)))


def blocks_of(text: str) -> Iterator[Block]:
    """Blocks of Markdown given as text."""
    waiting: list[str] = []  # lines of the paragraph or table that is not finished yet
    fence = ""
    for line in [*text.split("\n"), ""]:
        if fence:
            waiting.append(line)
            if line.strip().startswith(fence):
                fence = ""
                yield from _finish(waiting)
            continue
        if opening := _FENCE.match(line):
            yield from _finish(waiting)
            waiting.append(line)
            fence = opening[1]
            continue
        if (heading := _HEADING.match(line)) and heading[2]:
            yield from _finish(waiting)
            yield Block("heading", heading[2].strip(), level=len(heading[1]))
        elif (underline := _UNDERLINE.match(line)) and len(waiting) == 1 and not _TABLE_ROW.match(waiting[0]):
            yield Block("heading", waiting.pop().strip(), level=1 if underline[1].startswith("=") else 2)
        elif not line.strip():
            yield from _finish(waiting)
        else:
            if waiting and bool(_TABLE_ROW.match(line)) != bool(_TABLE_ROW.match(waiting[-1])):
                yield from _finish(waiting)
            waiting.append(line)
    yield from _finish(waiting)


def _finish(lines: list[str]) -> Iterator[Block]:
    if lines and all(_TABLE_ROW.match(line) for line in lines):
        yield from table_blocks(_cells(line) for line in lines if not _TABLE_RULE.match(line))
    elif any(line.strip() for line in lines):
        yield Block("paragraph", "\n".join(lines))
    lines.clear()


def _cells(line: str) -> list[str]:
    return [cell.replace("\\|", "|") for cell in _CELL_BORDER.split(line.strip().strip("|"))]
