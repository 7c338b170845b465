"""The entry of a file in the index, and the chunks that a ledger finds there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

from locator_search.model.files import FileRef, FileSummary, Period
from locator_search.model.texts import Chunk, Terms

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

StandInReason = Literal["refused", "unavailable"]

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

# A string, so that commands that compute nothing need not import NumPy.
Vector: TypeAlias = "NDArray[float32]"


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk ready for the index: its keyword terms and its embedding (float32, unit length; None where the model gave
    none, then words alone find it)."""

    chunk: Chunk
    terms: Terms
    embedding: Vector | None


@dataclass(frozen=True, slots=True)
class StandIn:
    """Why a file is indexed without what a model should have made of it: the model refused this file, or could not be
    asked. It is asked again at `next_try_at` (None: not by itself); `attempts` are those in vain, in a row."""

    reason: StandInReason
    attempts: int
    next_try_at: datetime | None


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Everything the index keeps of one file; written in one transaction.

    `text_key` is equal for equal texts; without one the file is a document of its own, whatever others hold.

    `summary_key` is that of the remembered answer the summary came from. Without `embedding`, and where chunks have
    none, the file is found by its words.

    `metadata` is what a program that fills the index of its own keeps beside a file, to filter and to find it again.
    """

    file: FileRef
    content_hash: str
    parser_version: str
    chunker_version: str
    summary: FileSummary
    embedding: Vector | None
    embedding_model: str
    chat_model: str
    chunks: tuple[IndexedChunk, ...]
    name_terms: Terms
    document_period: Period | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    summary_key: str | None = None
    stand_in: StandIn | None = None
    text_key: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """One chunk that a search of a ledger found. `metadata` is that of its document; `matched_terms` are those of the
    text searched for that it holds, without repeats."""

    chunk_id: str
    file_id: str
    ordinal: int
    text: str
    metadata: Mapping[str, JsonValue]
    matched_terms: tuple[str, ...] = ()
    page: int | None = None
    heading_path: tuple[str, ...] = ()
