"""The seams of the product: what the library needs of the outside world, one to four methods each.

Every implementation, fakes included, passes the same contract tests (`tests/contracts`). Ports are synchronous.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

from locator_search.metering import NOTHING_USED, Usage
from locator_search.model import (
    Chunk,
    CoverageCounts,
    Document,
    Evidence,
    Extraction,
    Facet,
    FileRef,
    FileState,
    IndexEntry,
    Retrieval,
    RetrievalQuery,
    SearchFilters,
    SearchOutcome,
)

if TYPE_CHECKING:
    from locator_search.model import Vector

Answer = TypeVar("Answer", bound=BaseModel)
Task = Literal["summarise", "search_keywords", "narrowing_question", "rerank", "rewrite", "relax"]
OnProgress = Callable[[str], None]
"""Receives one short line about what is being done now."""


class DocumentSource(Protocol):
    """A place where files live."""

    name: str

    def list_files(self) -> Iterator[FileRef]:
        """Every file in scope. Raises SourceError before the first file when a target folder cannot be listed."""
        ...

    def read(self, file: FileRef, directory: Path) -> Path:
        """The content of a file as a path: its own, or a copy in `directory`. Raises FileGone or AccessDenied."""
        ...


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder in scope, or a shortcut that lies in one: what tells where a file lies without asking its source.

    `target_id` is what a shortcut leads to (`drive_id` and `resource_key` are then those of the target), empty for a
    folder. A root is a folder a person named; wherever else it may lie, paths begin there.
    """

    folder_id: str
    name: str
    parent_ids: tuple[str, ...] = ()
    drive_id: str = ""
    resource_key: str = ""
    target_id: str = ""
    is_root: bool = False


class FolderTree(Protocol):
    """The folders in scope as they were when the changes of a source were last read."""

    def folders(self, folder_ids: Collection[str]) -> dict[str, Folder]:
        """Those of the named folders and shortcuts that are in scope, by id."""
        ...

    def below(self, folder_ids: Collection[str]) -> list[Folder]:
        """Folders and shortcuts that lie directly in the named ones."""
        ...

    def shortcuts_to(self, target_ids: Collection[str]) -> list[Folder]:
        """Shortcuts in scope that lead to the named files and folders."""
        ...

    def files_in(self, folder_ids: Collection[str]) -> list[FileRef]:
        """Listed files that lie directly in the named folders."""
        ...


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """What became of the folders in scope. `everything`: `put` is the whole tree, whatever was known before."""

    put: tuple[Folder, ...] = ()
    removed: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """Where the changes of a source go on. `scope` stands for the folders crawled: a cursor is worth nothing in
    another one."""

    cursor: str
    scope: str


@dataclass(frozen=True, slots=True)
class SourceChanges:
    """What changed since a position, to be recorded before the next position is.

    `gone` may name files that were never listed. Incomplete: more changes wait behind `position`.
    """

    changed: tuple[FileRef, ...]
    gone: tuple[str, ...]
    folders: FolderChanges
    position: FeedPosition
    complete: bool = True


class Sweep(Protocol):
    """One full listing that changes can be read from afterwards."""

    def files(self) -> Iterator[FileRef]:
        """As `DocumentSource.list_files`."""
        ...

    def ending(self) -> tuple[FeedPosition, FolderChanges]:
        """Where the changes since the beginning of the listing go on. To be asked after the last file."""
        ...


@runtime_checkable
class ChangeFeed(Protocol):
    """A source that can tell what changed."""

    @property
    def scope(self) -> str:
        """What stands for the folders crawled."""
        ...

    def sweep(self) -> Sweep:
        """A full listing; nothing that changes while it runs is lost."""
        ...

    def changes_since(self, cursor: str, out_of_time: Callable[[], bool] = lambda: False) -> SourceChanges:
        """What changed since the cursor. Raises CursorExpired, or SourceError as `list_files` does.

        Out of time it returns what it has read, unless whole folders have to be listed: then it raises CursorExpired.
        """
        ...


class FeedLog(Protocol):
    """Remembers where the changes of the source go on (table `drive_sync_state`), together with its folders."""

    def position(self) -> FeedPosition | None:
        """The position saved last, None before the first full listing."""
        ...

    def last_full_at(self) -> datetime | None:
        """When everything was last listed."""
        ...

    def save(self, position: FeedPosition, folders: FolderChanges, full_at: datetime | None = None) -> None:
        """Move on, folders and position in one transaction; `full_at` after a full listing."""
        ...


class TextExtractor(Protocol):
    """Reads text out of a file. Never raises for bad content: the state of the result says what happened."""

    version: str

    def extract(self, path: Path, mime_type: str | None = None) -> Extraction:
        """The text of one file, within limits of time and memory."""
        ...


class Chunker(Protocol):
    """Cuts a document into chunks."""

    version: str

    def chunk(self, document: Document) -> list[Chunk]:
        """Chunks in reading order; their spans cover every block with text."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    model_name: str
    dimensions: int

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 of shape (len(texts), dimensions), every row of length 1. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Prompt(Generic[Answer]):
    """One structured question to a model.

    `inputs` are data (file text, names, the person's words) and are sent apart from `instructions`, so a sentence
    inside a file cannot pass for an instruction. `version` belongs to the task's wording: a new version means new
    answers. `max_length` bounds the answer in characters where the task writes prose.
    """

    task: Task
    version: str
    instructions: str
    inputs: Mapping[str, object]
    output_model: type[Answer]
    max_tokens: int = 400
    max_length: int = 400
    language: Literal["ja", "en"] = "ja"


class ChatModel(Protocol):
    """A language model that answers in a schema. Offline stand-ins answer by `prompt.task`."""

    model_name: str

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        """A validated instance of `prompt.output_model`. Raises ModelUnavailable or BadModelOutput."""
        ...


class AnswerMemo(Protocol):
    """Remembers model answers, so that none is paid twice. Committed the moment an answer arrives."""

    def get(self, key: str) -> str | None:
        """The remembered answer as JSON, or None."""
        ...

    def put(
        self, key: str, *, task: str, prompt_version: str, model: str, answer: str, usage: Usage = NOTHING_USED
    ) -> None:
        """Remember one answer and what was paid for it."""
        ...


class EmbeddingMemo(Protocol):
    """Remembers embeddings that were paid for, by model and key. Committed the moment they arrive."""

    def get(self, model: str, keys: Sequence[str]) -> dict[str, Vector]:
        """The remembered embeddings by key."""
        ...

    def put(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Remember embeddings by key."""
        ...


class UsageLog(Protocol):
    """Everything ever asked of models that count tokens: of this index, by whatever process."""

    def add(self, task: str, model: str, usage: Usage) -> None:
        """Enter one call; committed when this returns."""
        ...

    def total(self) -> Usage:
        """All calls together."""
        ...


@dataclass(frozen=True, slots=True)
class BatchedQuestion:
    """One question as a line of a batch file, and the most its answer may cost (None: the price is not known)."""

    line: bytes
    at_most_usd: float | None


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """What came of one question: the validated answer as JSON, or the problem. `expired`: it was never asked."""

    key: str
    answer: str | None
    usage: Usage
    problem: str = ""
    expired: bool = False


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a batch has come. `ending` is one word, empty while it runs; `problem` says why all of it was refused."""

    ending: str = ""
    done: int = 0
    problem: str = ""


class BatchService(Protocol):
    """A model service that answers many questions within a day at half price.

    Methods raise ModelUnavailable, ModelError or ConfigurationError.
    """

    def question(self, key: str, prompt: Prompt[Answer]) -> BatchedQuestion:
        """The line that asks `prompt`; its answer comes back under `key`."""
        ...

    def submit(self, file: Path, token: str) -> str:
        """Hand over a file of lines; returns the id of the batch. With a token used before: the batch made then."""
        ...

    def find(self, token: str) -> str | None:
        """The id of the batch that was submitted with a token, None where there is none."""
        ...

    def progress(self, batch_id: str) -> BatchProgress | None:
        """How far a batch has come; None where the service knows of none."""
        ...

    def answers(self, batch_id: str, model: str, output_model: type[Answer]) -> list[BatchAnswer]:
        """Everything that came of an ended batch, in any order."""
        ...

    def forget(self, batch_id: str) -> None:
        """Delete the files of a batch at the service. Never fails."""
        ...


@dataclass(frozen=True, slots=True)
class WaitingBatch:
    """A batch whose answers were not collected yet. `batch_id` is None as long as its submission is not confirmed."""

    number: int
    token: str
    batch_id: str | None
    model: str
    task: str
    prompt_version: str
    requests: int
    files: int
    estimated_usd: float
    submitted_at: datetime


class BatchLog(Protocol):
    """Remembers which batches are under way and which files wait for them. Everything is committed at once."""

    def prepare(
        self,
        *,
        model: str,
        task: str,
        prompt_version: str,
        keys: Mapping[str, str],
        estimated_usd: float,
        now: datetime,
    ) -> WaitingBatch:
        """Enter a batch before it is submitted. `keys`: of the answer each file waits for, by file id."""
        ...

    def submitted(self, number: int, batch_id: str) -> None:
        """The service has accepted it."""
        ...

    def join(self, number: int, file_id: str, key: str) -> None:
        """One more file waits for an answer that was asked for already."""
        ...

    def waiting(self) -> list[WaitingBatch]:
        """Batches that have not ended, oldest first."""
        ...

    def keys(self, number: int) -> dict[str, str]:
        """The key of the answer each file waits for, by file id."""
        ...

    def end(self, number: int, ending: str, answered: int, now: datetime) -> None:
        """Nobody waits for it any more."""
        ...


class ExtractionMemo(Protocol):
    """Remembers what was read out of a content, by (content hash, parser version)."""

    def get(self, content_hash: str, parser_version: str) -> Extraction | None:
        """The remembered extraction, or None."""
        ...

    def put(self, content_hash: str, parser_version: str, extraction: Extraction) -> None:
        """Remember one extraction (good or bad: a poison file is tried once)."""
        ...

    def attempts(self, content_hash: str, parser_version: str) -> int:
        """Count one more attempt, committed before the work begins, and return the count (1 for the first)."""
        ...


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What the registry knows of one listed file.

    `done_revision` is the revision `state` speaks of; it differs from `file.revision` while work is waiting. A pending
    file with `next_try_at` waits for a batch of the model service, at the longest until then.
    """

    file: FileRef
    state: FileState
    reason: str = ""
    done_revision: str | None = None
    pipeline_version: str = ""
    attempts: int = 0
    next_try_at: datetime | None = None
    content_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the work on the files of a source has come.

    `waiting` counts those never looked at, changed since, to be forgotten, or failed and tried again later;
    `covered_until` is the newest modification time below the oldest of them, None when nothing is covered.
    """

    listed: int
    waiting: int
    covered_until: datetime | None


class FileRegistry(Protocol):
    """Every listed file with its one state (table `file_state`)."""

    def known(self, source: str | None = None, file_ids: Sequence[str] | None = None) -> dict[str, KnownFile]:
        """Known files by id: all, those of one source, or those named."""
        ...

    def record_listing(self, files: Iterable[FileRef], seen_at: datetime) -> None:
        """Insert or refresh listed files; keeps their state; new ones, and those let go, are `pending`."""
        ...

    def let_go(self, file_ids: Sequence[str]) -> None:
        """Listed files are gone from their source: `out_of_scope` until they are deleted, or listed again."""
        ...

    def due(self, source: str, pipeline_version: str, now: datetime, limit: int) -> dict[str, KnownFile]:
        """At most `limit` files by id with something to be done now: new, changed, let go, of another pipeline, or
        due for another try. Reads no others."""
        ...

    def extent(self, source: str) -> Extent:
        """How far the work on the files of a source has come."""
        ...

    def set_state(
        self,
        file_id: str,
        state: FileState,
        *,
        reason: str = "",
        revision: str | None = None,
        pipeline_version: str = "",
        content_hash: str | None = None,
        next_try_at: datetime | None = None,
    ) -> None:
        """Say what became of a file at a revision; failed ones count one more attempt, others reset the count."""
        ...

    def coverage(self) -> CoverageCounts:
        """Counts by state and reason."""
        ...


class IndexStore(Protocol):
    """The searchable index."""

    def replace(self, entry: IndexEntry, pipeline_version: str) -> None:
        """Write one file with chunks, terms, embeddings and its state `indexed` in one transaction.

        Raises DimensionMismatch when the index holds vectors of another model or dimension.
        """
        ...

    def chunk_embeddings(self, content_hash: str, embedding_model: str) -> dict[str, Vector]:
        """The embeddings kept for chunks of that content under any file, by chunk text: a copy takes them over."""
        ...

    def delete(self, file_ids: Sequence[str]) -> int:
        """Remove files with everything kept of them, their registry rows too; returns how many were there."""
        ...

    def retrieve(self, query: RetrievalQuery, query_embedding: Vector | None) -> Retrieval:
        """Hybrid, vector or keyword retrieval. Counts are exact. `query_embedding` is None in keyword mode."""
        ...


class EvidenceProvider(Protocol):
    """Anything that answers a query with evidence."""

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first."""
        ...

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same without blocking an event loop."""
        ...


class Reranker(Protocol):
    """Puts evidence into the order of a person's intent."""

    def rerank(self, question: str, evidence: Sequence[Evidence]) -> list[str]:
        """File ids, best first: exactly those given, none missing, none invented."""
        ...


class AccessChecker(Protocol):
    """Asks the source, at query time, whether files still exist, may be read and are unchanged."""

    def check(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        """The evidence that may be shown, with `verified` and `freshness` filled in; gone or forbidden are left out."""
        ...


class RequestSlots(Protocol):
    """At most five requests in flight to one service, counted over the whole deployment."""

    def slot(self, service: str) -> AbstractContextManager[None]:
        """Holds one of the service's slots while the block runs."""
        ...


class FileLocks(Protocol):
    """One worker at a time per file, over all processes; freed when a worker dies."""

    def hold(self, name: str) -> AbstractContextManager[None]:
        """Wait for the lock of that name and hold it while the block runs."""
        ...

    def is_held(self, name: str) -> bool:
        """Whether some living worker holds it."""
        ...


@dataclass(frozen=True, slots=True)
class SyncState:
    """The last completed crawl (table `drive_sync_state`). `drive_modified_at` is the newest time it covered."""

    drive_modified_at: datetime
    mode: str
    started_at: datetime
    finished_at: datetime
    listed: int


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The index in figures, for `status` and the status page."""

    coverage: CoverageCounts
    chunks: int
    last_sync: SyncState | None
    newest_indexed_at: datetime | None
    embedding_model: str | None
    model_calls: int
    tokens: int
    cost_usd: float
    batches: tuple[WaitingBatch, ...] = ()


class StatusReader(Protocol):
    """Figures about the index."""

    def status(self) -> IndexStatus:
        """Counts, last sync and cost so far."""
        ...

    def files_in(self, states: Sequence[FileState], limit: int = 200) -> list[KnownFile]:
        """Files in some states, newest first."""
        ...

    def facets(self) -> tuple[Facet, ...]:
        """How the indexed files spread over folders, types and periods (for filters)."""
        ...

    def text_lengths(self, file_ids: Sequence[str]) -> dict[str, int]:
        """Characters of text by file, of those among the named files that are indexed."""
        ...

    def finish_sync(self, state: SyncState) -> None:
        """Record a completed crawl; `drive_modified_at` never moves backward."""
        ...


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """What is wrong with the index, in figures that are 0, and what it is made of, in values that are one at most."""

    rows: int
    files_without_row: int
    rows_without_file: int
    vectors_not_unit: int
    dimensions: tuple[int, ...]
    embedding_models: tuple[str, ...]


class IndexInspector(Protocol):
    """Looks for damage in the index."""

    def inspect(self) -> IndexHealth:
        """One look at all rows and chunks."""
        ...


@dataclass(frozen=True, slots=True)
class SchemaStatus:
    """The tables of the store: migrations applied and pending, rows by table (empty while some are pending)."""

    embedded: bool
    server_version: str
    size_bytes: int
    applied: tuple[str, ...]
    pending: tuple[str, ...]
    rows: Mapping[str, int]
    embedding_model: str | None


class StoreUpkeep(Protocol):
    """Looks after the tables themselves."""

    def apply(self) -> list[str]:
        """Apply the migrations that are missing and return their names. Raises SchemaOutOfDate."""
        ...

    def schema(self) -> SchemaStatus:
        """The tables as they are, without changing them."""
        ...

    def clear_index_of_other_model(self, embedding_model: str) -> int:
        """Empty an index made with another model, so that the next crawl rebuilds it; returns how many files it held,
        0 when it belongs to `embedding_model` already."""
        ...


class SearchLog(Protocol):
    """Keeps what was asked and how it ended."""

    def record(self, question: str, outcome: SearchOutcome, surface: str) -> int:
        """Store one finished search; returns its id."""
        ...

    def feedback(self, search_id: int, file_id: str, useful: bool) -> None:
        """Store what a person thought of one result."""
        ...


class Clock(Protocol):
    """The present time, so that tests can hold it."""

    def now(self) -> datetime:
        """Timezone-aware UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


@dataclass(frozen=True, slots=True)
class PartStatus:
    """What stands behind one part of the product. `state`: real, offline, embedded, missing or failing."""

    name: str
    state: Literal["real", "offline", "embedded", "missing", "failing"]
    detail: str
    hint: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)
