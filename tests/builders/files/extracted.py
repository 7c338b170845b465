"""Extraction in the process of the test: quick, and good enough for files that mean no harm."""

from __future__ import annotations

from pathlib import Path

from locator_search.adapters.extractors.outcome import Ending
from locator_search.adapters.extractors.reading import read_file
from locator_search.model import Block, Document, Extraction


def extracted(path: Path, mime_type: str | None = None) -> Extraction:
    items = list(read_file(path, mime_type))
    blocks = tuple(item for item in items if isinstance(item, Block))
    (ending,) = (item for item in items if isinstance(item, Ending))
    return Extraction(ending.state, Document(blocks, ending.mime_type, ending.page_count), ending.reason)


def outline(extraction: Extraction) -> list[tuple[str, str]]:
    """Kind (with the level of headings) and text of every block."""
    return [(f"{block.kind}{block.level or ''}", block.text) for block in extraction.document.blocks]
