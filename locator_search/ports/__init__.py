"""The seams of the product: what the library needs of the outside world, one to four methods each.

Every implementation, fakes included, passes the same contract tests (`tests/contracts`). Ports are synchronous.
"""

from locator_search.core.clock import Clock
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
    FeedSweep,
    Folder,
    FolderChanges,
    FolderTree,
    SourceChanges,
)
from locator_search.ports.contributions.archive import (
    ArchiveEntry,
    Converter,
    MeetingArchive,
    PackageMember,
    Unpacker,
)
from locator_search.ports.contributions.chunking import ChunkingStrategy
from locator_search.ports.contributions.documents import (
    Contribution,
    ContributionFile,
    ContributionState,
    DocumentState,
    KnownContribution,
    Meeting,
    NormalisedDocument,
    PageKind,
)
from locator_search.ports.contributions.store import ContributionRequests, ContributionStore, RequestKind
from locator_search.ports.coordination import DaemonTurn, FileLocks, OnProgress, RequestSlots
from locator_search.ports.crawls import CrawlProgress, CrawlRun, Extent, KnownFile, ListedRoot
from locator_search.ports.documents import DocumentPart, DocumentReader
from locator_search.ports.extraction_memo import ExtractionMemo
from locator_search.ports.feedback import FeedbackReader, IndexedText, Judgement
from locator_search.ports.index import IndexStore
from locator_search.ports.models import (
    Answer,
    AnswerMemo,
    ChatModel,
    Embedder,
    EmbeddingMemo,
    EmbeddingWidths,
    Prompt,
    Refusal,
    Task,
    UsageLog,
)
from locator_search.ports.registry import FileRegistry
from locator_search.ports.search import (
    AccessChecker,
    EvidenceProvider,
    NotedEvidenceProvider,
    SearchLog,
    UnreadReader,
)
from locator_search.ports.services import ServiceGateway, SignIns
from locator_search.ports.sources import (
    Chunker,
    DocumentSource,
    GroupStore,
    SourceBeside,
    Sweep,
    TextExtractor,
    mark_of,
)
from locator_search.ports.status import (
    FileStory,
    IndexStatus,
    MetricsReader,
    PartStatus,
    Sample,
    StatusReader,
    SyncState,
)
from locator_search.ports.upkeep import (
    Backup,
    BackupReport,
    Forgotten,
    IndexHealth,
    IndexInspector,
    SchemaStatus,
    StoreUpkeep,
    VectorGraph,
)
from locator_search.ports.versions import VersionReader

__all__ = [
    "AccessChecker",
    "Answer",
    "AnswerMemo",
    "ArchiveEntry",
    "Backup",
    "BackupReport",
    "BatchAnswer",
    "BatchLog",
    "BatchProgress",
    "BatchService",
    "BatchedQuestion",
    "CalibrationStore",
    "ChangeFeed",
    "ChatModel",
    "Chunker",
    "ChunkingStrategy",
    "Clock",
    "Contribution",
    "ContributionFile",
    "ContributionRequests",
    "ContributionState",
    "ContributionStore",
    "Converter",
    "CrawlProgress",
    "CrawlRun",
    "DaemonTurn",
    "DocumentPart",
    "DocumentReader",
    "DocumentSource",
    "DocumentState",
    "Embedder",
    "EmbeddingMemo",
    "EmbeddingWidths",
    "EvidenceProvider",
    "Extent",
    "ExtractionMemo",
    "FeedLog",
    "FeedPosition",
    "FeedSweep",
    "FeedbackReader",
    "FileLocks",
    "FileRegistry",
    "FileStory",
    "Folder",
    "FolderChanges",
    "FolderTree",
    "Forgotten",
    "GroupStore",
    "IndexHealth",
    "IndexInspector",
    "IndexStatus",
    "IndexStore",
    "IndexedText",
    "Judgement",
    "KnownContribution",
    "KnownFile",
    "ListedRoot",
    "MeasuredCalibration",
    "Meeting",
    "MeetingArchive",
    "MetricsReader",
    "NormalisedDocument",
    "NotedEvidenceProvider",
    "OnProgress",
    "PackageMember",
    "PageKind",
    "PartStatus",
    "Prompt",
    "Refusal",
    "RequestKind",
    "RequestSlots",
    "Sample",
    "SampledFile",
    "SchemaStatus",
    "SearchLog",
    "ServiceGateway",
    "SignIns",
    "SourceBeside",
    "SourceChanges",
    "StatusReader",
    "StoreUpkeep",
    "Sweep",
    "SyncState",
    "Task",
    "TextExtractor",
    "Unpacker",
    "UnreadReader",
    "UsageLog",
    "VectorGraph",
    "VersionReader",
    "WaitingBatch",
    "mark_of",
]
