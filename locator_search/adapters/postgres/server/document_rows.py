"""A document as JSON, as the tables keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from locator_search.adapters.postgres.server.rows import clean
from locator_search.model import Block, Document, TrackedChange


def document_as_json(document: Document) -> dict[str, object]:
    """A document with its blocks as rows; tracked changes only where there are some."""
    return {
        "mime_type": document.mime_type,
        "page_count": document.page_count,
        "blocks": [_row(block) for block in document.blocks],
    }


def document_from_json(stored: dict[str, object]) -> Document:
    """The document that `document_as_json` wrote."""
    blocks: list[list[object]] = stored["blocks"]  # type: ignore[assignment]  # written by document_as_json
    return Document(
        blocks=tuple(Block.from_row(row) for row in blocks),
        mime_type=str(stored["mime_type"]),
        page_count=stored["page_count"],  # type: ignore[arg-type]
    )


def changes_as_json(changes: Sequence[TrackedChange]) -> list[list[object]]:
    """Tracked changes as rows: kind, text, offset, author, time."""
    return [[clean(part) if isinstance(part, str) else part for part in astuple(change)] for change in changes]


def changes_from_json(stored: Sequence[Sequence[Any]]) -> tuple[TrackedChange, ...]:
    """The tracked changes that `changes_as_json` wrote."""
    return tuple(TrackedChange(*row) for row in stored)


def _row(block: Block) -> list[object]:
    row: list[object] = [block.kind, clean(block.text), block.level, block.page]
    return [*row, changes_as_json(block.changes)] if block.changes else row
