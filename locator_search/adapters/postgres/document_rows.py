"""A document as JSON, as the tables keep it."""

from __future__ import annotations

from dataclasses import astuple

from locator_search.adapters.postgres.rows import clean
from locator_search.model import Block, Document


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


def _row(block: Block) -> list[object]:
    row: list[object] = [block.kind, clean(block.text), block.level, block.page]
    if not block.changes:
        return row
    changes = (astuple(change) for change in block.changes)
    return [*row, [[clean(part) if isinstance(part, str) else part for part in change] for change in changes]]
