"""The seams of the product: what the library needs of the outside world, one to four methods each.

Every implementation, fakes included, passes the same contract tests (`tests/contracts`). Ports are synchronous.
"""

from locator_search.ports.batches import (
    BatchAnswer,
    BatchedQuestion,
    BatchLog,
    BatchProgress,
    BatchService,
    WaitingBatch,
)
from locator_search.ports.calibration import CalibrationStore, MeasuredCalibration, SampledFile
from locator_search.ports.changes import (
    ChangeFeed,
    FeedLog,
    FeedPosition,
    Folder,
    FolderChanges,
    FolderTree,
    SourceChanges,
    Sweep,
)
from locator_search.ports.contributions import (
    ArchiveEntry,
    ChunkingStrategy,
    Contribution,
    ContributionFile,
    ContributionRequests,
    ContributionState,
    ContributionStore,
    Converter,
    DocumentState,
    KnownContribution,
    Meeting,
    MeetingArchive,
    NormalisedDocument,
    PackageMember,
    PageKind,
    RequestKind,
    Unpacker,
)
from locator_search.ports.coordination import Clock, FileLocks, OnProgress, RequestSlots
from locator_search.ports.documents import DocumentPart, DocumentReader
from locator_search.ports.feedback import FeedbackReader, IndexedText, Judgement
from locator_search.ports.index import (
    ChunkSearch,
    IndexHealth,
    IndexInspector,
    IndexStore,
    SchemaStatus,
    StoreUpkeep,
    VectorGraph,
)
from locator_search.ports.models import Answer, AnswerMemo, ChatModel, Embedder, EmbeddingMemo, Prompt, Task, UsageLog
from locator_search.ports.registry import Extent, ExtractionMemo, FileRegistry, KnownFile
from locator_search.ports.search import AccessChecker, EvidenceProvider, SearchLog
from locator_search.ports.services import ServiceGateway
from locator_search.ports.sources import Chunker, DocumentSource, TextExtractor
from locator_search.ports.status import IndexStatus, PartStatus, StatusReader, SyncState
from locator_search.ports.versions import VersionReader

__all__ = [
    "AccessChecker",
    "Answer",
    "AnswerMemo",
    "ArchiveEntry",
    "BatchAnswer",
    "BatchLog",
    "BatchProgress",
    "BatchService",
    "BatchedQuestion",
    "CalibrationStore",
    "ChangeFeed",
    "ChatModel",
    "ChunkSearch",
    "Chunker",
    "ChunkingStrategy",
    "Clock",
    "Contribution",
    "ContributionFile",
    "ContributionRequests",
    "ContributionState",
    "ContributionStore",
    "Converter",
    "DocumentPart",
    "DocumentReader",
    "DocumentSource",
    "DocumentState",
    "Embedder",
    "EmbeddingMemo",
    "EvidenceProvider",
    "Extent",
    "ExtractionMemo",
    "FeedLog",
    "FeedPosition",
    "FeedbackReader",
    "FileLocks",
    "FileRegistry",
    "Folder",
    "FolderChanges",
    "FolderTree",
    "IndexHealth",
    "IndexInspector",
    "IndexStatus",
    "IndexStore",
    "IndexedText",
    "Judgement",
    "KnownContribution",
    "KnownFile",
    "MeasuredCalibration",
    "Meeting",
    "MeetingArchive",
    "NormalisedDocument",
    "OnProgress",
    "PackageMember",
    "PageKind",
    "PartStatus",
    "Prompt",
    "RequestKind",
    "RequestSlots",
    "SampledFile",
    "SchemaStatus",
    "SearchLog",
    "ServiceGateway",
    "SourceChanges",
    "StatusReader",
    "StoreUpkeep",
    "Sweep",
    "SyncState",
    "Task",
    "TextExtractor",
    "Unpacker",
    "UsageLog",
    "VectorGraph",
    "VersionReader",
    "WaitingBatch",
]
