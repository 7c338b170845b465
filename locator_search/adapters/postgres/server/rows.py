"""What the tables share: a file's metadata as columns, and text as PostgreSQL accepts it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from locator_search.core.errors import StoreError
from locator_search.model import SUMMARY_STATE, TEXT_STATE, FileRef, JsonValue, SummaryState, Terms, TextState
from locator_search.ports import KnownFile

STATE_COLUMNS = (
    "file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location, size, owner,"
    " parent_ids, root_id, state, reason, done_revision, pipeline_version, attempts, next_try_at, content_hash,"
    " missing_since"
)


def clean(text: str) -> str:
    """The text without what PostgreSQL refuses: NUL, and surrogates from undecodable file names."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def clean_json(value: JsonValue) -> JsonValue:
    """A JSON value as PostgreSQL accepts it. Raises StoreError for numbers that JSON has no form of."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise StoreError("Metadata holds a number that is not finite.", hint="Leave it out, or write it as text.")
    if isinstance(value, Mapping):
        return {clean(str(name)): clean_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [clean_json(part) for part in value]
    return value


def term_counts(terms: Terms) -> dict[str, int]:
    """Terms with their frequencies, as PostgreSQL accepts them."""
    counts: dict[str, int] = {}
    for term, frequency in zip(terms.terms, terms.frequencies, strict=True):
        term = clean(term)
        counts[term] = counts.get(term, 0) + frequency
    return counts


def file_columns(file: FileRef) -> dict[str, object]:
    """A file's metadata by column name of `file_state`."""
    return {
        "file_id": file.file_id,
        "file_name": clean(file.file_name),
        "source": file.source,
        "mime_type": clean(file.mime_type),
        "modified_at": file.modified_at,
        "revision": clean(file.revision),
        "link": clean(file.link),
        "folder_path": clean(file.folder_path),
        "location": clean(file.location),
        "size": file.size,
        "owner": clean(file.owner) if file.owner is not None else None,
        "parent_ids": list(file.parent_ids),
        "root_id": clean(file.root_id),
    }


def known_file(row: Mapping[str, Any]) -> KnownFile:
    """A row of `file_state` (its STATE_COLUMNS) as the registry returns it."""
    return KnownFile(
        file=FileRef(
            file_id=row["file_id"],
            file_name=row["file_name"],
            source=row["source"],
            mime_type=row["mime_type"],
            modified_at=row["modified_at"],
            revision=row["revision"],
            link=row["link"],
            folder_path=row["folder_path"],
            location=row["location"],
            size=row["size"],
            owner=row["owner"],
            parent_ids=tuple(row["parent_ids"]),
            root_id=row["root_id"],
        ),
        state=row["state"],
        reason=row["reason"],
        done_revision=row["done_revision"],
        pipeline_version=row["pipeline_version"],
        attempts=row["attempts"],
        next_try_at=row["next_try_at"],
        content_hash=row["content_hash"],
        missing_since=row["missing_since"],
    )


def text_state(metadata: Mapping[str, Any]) -> TextState:
    """How well a file was read, as its metadata say; most say nothing, because nothing is amiss."""
    state = metadata.get(TEXT_STATE)
    return state if state in ("partial", "suspicious") else "ok"


def summary_state(metadata: Mapping[str, Any]) -> SummaryState:
    """Whether an extract stands in for the summary of a file."""
    return "stand-in" if metadata.get(SUMMARY_STATE) == "stand-in" else "ok"
