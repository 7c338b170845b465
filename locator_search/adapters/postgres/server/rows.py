"""Conversions for all tables: a file's metadata as columns, and text as PostgreSQL accepts it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from locator_search.core.errors import StoreError
from locator_search.model import SUMMARY_STATE, TEXT_STATE, FileRef, SummaryState, Terms, TextState
from locator_search.ports import KnownFile

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

STATE_COLUMNS = (
    "file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location, size, owner,"
    " parent_ids, root_id, state, reason, done_revision, pipeline_version, attempts, next_try_at, content_hash,"
    " missing_since"
)


COLLECTIONS = (list, tuple)
AS_IT_IS = (int, datetime)
"""Most of what is neither text nor a collection of it."""


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
    counts: dict[str, int] = {}
    for term, frequency in zip(terms.terms, terms.frequencies, strict=True):
        term = clean(term)
        counts[term] = counts.get(term, 0) + frequency
    return counts


def known_file(**columns: Any) -> KnownFile:
    """A file as the registry returns it, from the columns of its row in `file_state`."""
    file = {name: columns.pop(name) for name in FileRef.__dataclass_fields__ if name in columns}
    file |= {name: tuple(file[name]) for name in ("parent_ids", "readers") if name in file}
    return KnownFile(FileRef(**file), **columns)


def text_state(metadata: Mapping[str, Any]) -> TextState:
    """How well a file was read, as its metadata say; most say nothing, because nothing is amiss."""
    state = metadata.get(TEXT_STATE)
    return state if state in ("partial", "suspicious") else "ok"


def summary_state(metadata: Mapping[str, Any]) -> SummaryState:
    """Whether an extract stands in for the summary of a file."""
    return "stand-in" if metadata.get(SUMMARY_STATE) == "stand-in" else "ok"
