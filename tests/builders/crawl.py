"""A folder, the real parts that index it, and counters in front of the two costly ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from threading import Lock

from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import (
    Database,
    PostgresAnswerMemo,
    PostgresExtractionMemo,
    PostgresFileLocks,
    PostgresFileRegistry,
    PostgresIndexStore,
    PostgresStatusReader,
    PostgresUpkeep,
    PostgresUsageLog,
)
from locator_search.adapters.postgres.index.folder_tree import PostgresFeedLog
from locator_search.adapters.postgres.index.status import PostgresIndexInspector
from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from locator_search.indexing.cost import ModelPrices
from locator_search.indexing.file_stages import FileStages
from locator_search.indexing.memo import MemoisedChatModel
from locator_search.indexing.pipeline import Indexer
from locator_search.indexing.reading import Reader
from locator_search.indexing.summaries import Summariser
from locator_search.llm.budget import Budget
from locator_search.model import Extraction, FileRef, RootWarning, root_warnings
from locator_search.ports import Answer, Prompt, TextExtractor
from tests.fakes.clock import HeldClock


@dataclass
class CountingExtractor:
    """Counts the files it hands on to a real extractor; `before` may interfere with one."""

    real: TextExtractor
    version: str = "test-1"
    calls: Counter[str] = field(default_factory=Counter)
    guarded: Counter[str] = field(default_factory=Counter)
    before: Callable[[Path], None] = lambda _path: None
    ends_with: Exception | None = None
    """How the next reader ends while it holds a file."""

    def extract(
        self,
        path: Path,
        mime_type: str | None = None,
        *,
        begun: Callable[[], None] = lambda: None,
        guarded: bool = False,
    ) -> Extraction:
        with _counting:
            self.calls[path.name] += 1
            self.guarded[path.name] += guarded
        self.before(path)
        if (end := self.ends_with) is not None:
            self.ends_with = None
            begun()
            raise end
        return self.real.extract(path, mime_type, begun=begun, guarded=guarded)


@dataclass
class CountingChatModel:
    """Counts the answers the offline model really makes; `before` may interfere."""

    model_name: str = "offline-test"
    answers: int = 0
    before: Callable[[], None] = lambda: None
    real: OfflineChatModel = field(default_factory=OfflineChatModel)

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        self.before()
        with _counting:
            self.answers += 1
        return self.real.answer(prompt)


_counting = Lock()


class CrawlBench:
    """Everything a crawl needs, over one folder and one database. It is what the assets take for `parts`."""

    files_at_once = 5
    crawl_slots = 1
    model_prices: ModelPrices | None = None

    def __init__(self, folder: Path, database: Database, extractor: TextExtractor) -> None:
        self.folder = folder
        self.database = database
        self.extractor = CountingExtractor(extractor)
        self.chat_model = CountingChatModel()
        self.clock = HeldClock()
        self.source = LocalFolderSource([folder])
        self.registry = PostgresFileRegistry(database)
        self.index = PostgresIndexStore(database)
        self.status_reader = PostgresStatusReader(database)
        self.index_inspector = PostgresIndexInspector(database)
        self.upkeep = PostgresUpkeep(database)
        self.locks = PostgresFileLocks(database)
        self.budget = Budget(PostgresUsageLog(database))
        self.feed_log = PostgresFeedLog(database)
        self.reconcile_after = timedelta(days=1)
        self.forget_after = self.history_after = timedelta(days=30)

    @property
    def indexer(self) -> Indexer:
        """A new one each time: it remembers nothing itself."""
        stages = FileStages(
            source=self.source,
            reader=Reader(self.extractor, PostgresExtractionMemo(self.database)),
            chunker=HeadingChunker(),
            summariser=Summariser(
                MemoisedChatModel(self.chat_model, PostgresAnswerMemo(self.database)), OfflineChatModel(), self.clock
            ),
            embedder=OfflineEmbedder(),
            index=self.index,
            locks=self.locks,
            clock=self.clock,
        )
        return Indexer(stages, self.registry, self.index, self.locks, self.clock)

    def write(self, name: str, text: str) -> FileRef:
        """Write a file and return it as the source lists it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return self.listed(name)

    def write_many(self, count: int) -> None:
        """Small files, each with a text of its own."""
        for number in range(count):
            self.write(f"{number % 7}/報告{number:04}.txt", f"第{number}号報告書\n\n案件{number}の進み具合を報告する。")

    def listed(self, name: str) -> FileRef:
        """The listed file at a path inside the folder."""
        return next(file for file in self.source.list_files() if file.location == name)

    def root_warnings(self) -> tuple[RootWarning, ...]:
        """What a person should know about the roots of the source."""
        own = [root.root_id for root in self.source.roots]
        return root_warnings(self.registry.roots(), own, "", self.clock.now())

    def page_of(self, file_id: str) -> str:
        """The address of the page that tells about a file."""
        return f"http://127.0.0.1:8501/status?file={file_id}"

    def wait(self, **time: float) -> None:
        """Let time pass."""
        self.clock.sleep(timedelta(**time).total_seconds())

    def count(self, table: str, where: str = "true") -> int:
        """Rows of a table."""
        with self.database.connection() as connection:
            found = connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchall()
        return int(found[0][0])

    def indexed_names(self) -> list[str]:
        """Names of the files in the index, sorted."""
        with self.database.connection() as connection:
            return [row[0] for row in connection.execute("SELECT file_name FROM drive_file_index ORDER BY file_name")]
