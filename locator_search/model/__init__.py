"""The nouns of the product, as frozen dataclasses. Pure: no I/O, no clock.

Times are timezone-aware (UTC in storage). Similarities are calibrated to [0, 1]; a cosine is the raw value of the
embedding model. Names are those of `docs/glossary.md`.
"""

from __future__ import annotations

from locator_search.model.files import FOLDER_MIME_TYPE, CoverageCounts, FileRef, FileState, FileSummary, Period
from locator_search.model.index import ChunkHit, IndexedChunk, IndexEntry, StandIn, StandInReason
from locator_search.model.retrieval import (
    Evidence,
    Facet,
    FacetName,
    FacetValue,
    Fusion,
    GroupKind,
    GroupMember,
    Matching,
    Retrieval,
    RetrievalMode,
    RetrievalQuery,
    SearchFilters,
    Variant,
)
from locator_search.model.roots import (
    RootState,
    RootWarning,
    RootWarningKind,
    SourceRoot,
    UnlistedFolder,
    root_warnings,
    scope_of,
)
from locator_search.model.search import Branch, Choice, OutcomeKind, Round, SearchOutcome
from locator_search.model.services import (
    FetchReply,
    SearchReply,
    Service,
    ServiceFailure,
    ServiceHit,
    ServiceQuery,
    ServiceSearch,
)
from locator_search.model.texts import (
    SUMMARY_STATE,
    TEXT_STATE,
    Block,
    BlockKind,
    Chunk,
    Document,
    Extraction,
    ExtractionState,
    SummaryState,
    Terms,
    TextState,
    TrackedChange,
)
from locator_search.model.values import JsonValue, Vector

__all__ = [
    "FOLDER_MIME_TYPE",
    "SUMMARY_STATE",
    "TEXT_STATE",
    "Block",
    "BlockKind",
    "Branch",
    "Choice",
    "Chunk",
    "ChunkHit",
    "CoverageCounts",
    "Document",
    "Evidence",
    "Extraction",
    "ExtractionState",
    "Facet",
    "FacetName",
    "FacetValue",
    "FetchReply",
    "FileRef",
    "FileState",
    "FileSummary",
    "Fusion",
    "GroupKind",
    "GroupMember",
    "IndexEntry",
    "IndexedChunk",
    "JsonValue",
    "Matching",
    "OutcomeKind",
    "Period",
    "Retrieval",
    "RetrievalMode",
    "RetrievalQuery",
    "RootState",
    "RootWarning",
    "RootWarningKind",
    "Round",
    "SearchFilters",
    "SearchOutcome",
    "SearchReply",
    "Service",
    "ServiceFailure",
    "ServiceHit",
    "ServiceQuery",
    "ServiceSearch",
    "SourceRoot",
    "StandIn",
    "StandInReason",
    "SummaryState",
    "Terms",
    "TextState",
    "TrackedChange",
    "UnlistedFolder",
    "Variant",
    "Vector",
    "root_warnings",
    "scope_of",
]
