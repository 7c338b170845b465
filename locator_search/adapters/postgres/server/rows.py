"""Nouns as rows of all tables and back: text as PostgreSQL accepts it, documents as JSON, rows as evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from psycopg.types.array import ListDumper

from locator_search.core.errors import StoreError
from locator_search.model import (
    ANCHORS,
    SUMMARY_STATE,
    TEXT_STATE,
    Block,
    Document,
    Evidence,
    FileRef,
    SummaryState,
    Terms,
    TextState,
    TrackedChange,
)
from locator_search.ports import KnownFile
from locator_search.text.dates.periods import label

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from psycopg.abc import Buffer


COLLECTIONS = (list, tuple)
AS_IT_IS = (int, datetime)
"""Most of what is neither text nor a collection of it."""
LONG = 50
"""Texts. From so many on a list is written at once."""


class TextsDumper(ListDumper):
    """Long lists of texts, which psycopg looks at one by one: 100,000 ids take it 150 ms, and this one 10 ms. A search
    with as many hits sends them several times."""

    def dump(self, obj: list[Any]) -> Buffer | None:
        """The list as PostgreSQL writes an array. Anything but texts that need no escapes is left to psycopg."""
        if len(obj) < LONG or {*map(type, obj)} != {str}:
            return super().dump(obj)
        written = "".join(obj)
        if '"' in written or "\\" in written or "\0" in written:
            return super().dump(obj)
        return ('{"' + '","'.join(obj) + '"}').encode()


def clean(text: str) -> str:
    """The text without what PostgreSQL refuses: NUL, and surrogates from undecodable file names."""
    if text.isascii() and "\0" not in text:  # known at once
        return text
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def columns_of(noun: DataclassInstance) -> dict[str, Any]:
    """The fields of a dataclass by name, as PostgreSQL accepts them: text without NUL, tuples as lists."""
    return {name: clean_json(getattr(noun, name)) for name in noun.__dataclass_fields__}


def clean_json(value: Any) -> Any:
    """A JSON value as PostgreSQL accepts it. Raises StoreError for numbers that JSON has no form of."""
    if isinstance(value, str):
        return clean(value)
    if value is None or isinstance(value, AS_IT_IS):
        return value
    if isinstance(value, COLLECTIONS):
        return [clean_json(part) for part in value]
    if isinstance(value, Mapping):
        return {clean(str(name)): clean_json(part) for name, part in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        raise StoreError("Metadata holds a number that is not finite.", hint="Leave it out, or write it as text.")
    return value


def term_counts(terms: Terms) -> dict[str, int]:
    """Terms with their frequencies, as PostgreSQL accepts them."""
    together = "\n".join(terms.terms)
    if clean(together) == together:  # as good as always: looked at once, not term by term
        return dict(zip(terms.terms, terms.frequencies, strict=True))
    counts: dict[str, int] = {}
    for term, frequency in zip(terms.terms, terms.frequencies, strict=True):
        term = clean(term)
        counts[term] = counts.get(term, 0) + frequency
    return counts


_FIELDS_OF_FILE = len(FileRef.__dataclass_fields__)


def known_file(**columns: Any) -> KnownFile:
    """A file as the registry returns it, from the columns of its row in `file_state`."""
    file = {name: columns.pop(name) for name in FileRef.__dataclass_fields__ if name in columns}
    file |= {name: tuple(file[name]) for name in ("parent_ids", "readers") if name in file}
    return KnownFile(FileRef(**file), **columns)


def known_file_of_row(*row: Any) -> KnownFile:
    """A file as the registry returns it, from all fields of FileRef and then those of KnownFile, in their order: for
    statements that may return every file there is."""
    *file, parent_ids, root_id, readers = row[:_FIELDS_OF_FILE]
    return KnownFile(FileRef(*[*file, tuple(parent_ids), root_id, tuple(readers)]), *row[_FIELDS_OF_FILE:])


def text_state(metadata: Mapping[str, Any]) -> TextState:
    """How well a file was read, as its metadata say; most say nothing, because nothing is amiss."""
    state = metadata.get(TEXT_STATE)
    return state if state in ("partial", "suspicious") else "ok"


def summary_state(metadata: Mapping[str, Any]) -> SummaryState:
    """Whether an extract stands in for the summary of a file."""
    return "stand-in" if metadata.get(SUMMARY_STATE) == "stand-in" else "ok"


def at_heading(link: str, heading_path: Sequence[str], metadata: Mapping[str, Any]) -> str:
    """The link of a Google Doc at the innermost of these headings whose id is known, else the link as it is."""
    anchors: Mapping[str, str] = metadata.get(ANCHORS) or {}
    anchor = next((anchors[title] for title in reversed(heading_path) if title in anchors), "")
    return f"{link}#heading={anchor}" if anchor and "#" not in link else link


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
    if block.anchor:
        return [*row, changes_as_json(block.changes), block.page_is_estimated, block.anchor]
    if block.changes or block.page_is_estimated:
        row.append(changes_as_json(block.changes))
    return [*row, True] if block.page_is_estimated else row


def file_evidence(row: Mapping[str, Any]) -> Evidence:
    """The file itself, as if somebody had named it: who searches replaces what the search found."""
    return Evidence(
        file_id=row["file_id"],
        file_name=row["file_name"],
        summary=row["summary"],
        link=row["link"],
        mime_type=row["mime_type"],
        modified_at=row["drive_modified_at"],
        similarity=1.0,
        score=1.0,
        keywords=tuple(row["keywords"] or ()),
        folder_path=row["folder_path"],
        location=row["location"],
        revision=row["revision"],
        size=row["size"],
        owner=row["owner"],
        source=row["source"],
        text_state=text_state(row["metadata"]),
        summary_state=summary_state(row["metadata"]),
        document_date=label((period.lower, period.upper)) if (period := row["document_period"]) else "",
        indexed_at=row["indexed_at"],
    )


def chunk_evidence(row: Mapping[str, Any]) -> Evidence:
    """The file with one of its chunks; without one (its columns are NULL), the file alone."""
    metadata: Mapping[str, Any] = row["metadata"]
    return replace(
        file_evidence(row),
        link=at_heading(row["link"], row["heading_path"] or (), metadata),
        text=row["text"] or "",
        chunk_id=row["chunk_id"],
        heading_path=tuple(row["heading_path"] or ()),
        page_number=row["page"],
        clause_number=row["clause"],
        contribution_number=metadata.get("contribution_number"),
        meeting=metadata.get("meeting"),
        source_file=metadata.get("source_file", ""),
        page_is_estimated=bool(row["page_is_estimated"]),
        changes=changes_from_json(row["changes"] or ()),
    )
