"""The documents that go in and come out: LangChain's `Document` where it is installed, else one of the same shape.

LangChain is imported with the first document that comes out, not before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from uuid import UUID

from locator_search.core.errors import ConfigurationError

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from locator_search.finderledge.finder import FoundChunk
    from locator_search.model import JsonValue


@dataclass
class PlainDocument:
    """A document where LangChain is not installed: the three fields that everybody reads."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@cache
def document_class() -> type[Document]:
    """The class of the documents that come out."""
    try:
        from langchain_core.documents import Document
    except ImportError:
        return PlainDocument  # type: ignore[return-value]  # the same three fields
    return Document


def make_document(page_content: str, metadata: dict[str, Any], document_id: str | None) -> Document:
    """A document as FinderLedge gives it out."""
    return document_class()(page_content=page_content, metadata=metadata, id=document_id)


def as_document(found: FoundChunk, *, explain: bool) -> Document:
    """A chunk that was found: the metadata of its document, and where and how well it was found."""
    chunk = found.chunk
    metadata: dict[str, Any] = {**chunk.metadata, "document_id": chunk.file_id, "chunk_index": chunk.ordinal}
    if chunk.page is not None:
        metadata["page"] = chunk.page
    if chunk.heading_path:
        metadata["heading_path"] = list(chunk.heading_path)
    metadata["relevance_score"] = found.relevance
    if explain:
        metadata["explain"] = found.explain
    return make_document(chunk.text, metadata, chunk.chunk_id)


def is_document(value: object) -> bool:
    """Whether a value has the shape of a document, whoever made it."""
    return hasattr(value, "page_content") and hasattr(value, "metadata")


def kind_of(value: object) -> str:
    """The type of a value with its article: an int, a list; None as it is."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def storable_text(text: str) -> str:
    """The text as PostgreSQL takes it: without NUL, and with `?` for halves of broken characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def storable_metadata(metadata: Mapping[str, Any]) -> dict[str, JsonValue]:
    """A copy of the metadata as JSON; dates, paths and the like become text.

    Raises ConfigurationError that names the entry which cannot be kept.
    """
    if not isinstance(metadata, Mapping):
        raise ConfigurationError(f"Metadata is a dictionary, not {kind_of(metadata)}.")
    return {storable_text(str(name)): _as_json(value, str(name)) for name, value in metadata.items()}


def _as_json(value: Any, name: str) -> JsonValue:
    if isinstance(value, Enum):
        return _as_json(value.value, name)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, PurePath | UUID):
        return storable_text(str(value))
    if isinstance(value, Mapping):
        return {storable_text(str(key)): _as_json(inner, name) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(inner, name) for inner in value]
    if isinstance(value, set | frozenset):
        return sorted((_as_json(inner, name) for inner in value), key=str)
    if hasattr(value, "item"):  # a number of numpy
        return _as_json(value.item(), name)
    raise ConfigurationError(
        f"The metadata entry {name!r} holds {kind_of(value)}, which cannot be kept.",
        hint="Text, finite numbers, truth values, dates, lists and dictionaries of them can.",
    )
