"""The composition root: settings in, working parts out. The only module that knows every adapter.

Each part is made on first use, so a command imports and starts only what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, Self

from locator_search.app.model_choice import ModelChoice, chosen_chat_model, chosen_embedding_model
from locator_search.config.folders import folders_to_crawl, names_of_folders
from locator_search.config.settings import Settings, load_settings

if TYPE_CHECKING:
    from locator_search.adapters.extractors.isolated import IsolatedExtractor
    from locator_search.adapters.google_drive import DriveClient, GoogleCredentials
    from locator_search.adapters.openai_models.calendar import ModelCalendar
    from locator_search.adapters.openai_models.client import OpenAiClient
    from locator_search.adapters.postgres import Database
    from locator_search.app.contributions import ContributionParts
    from locator_search.app.live import LiveParts
    from locator_search.drive_search.searcher import DriveSearch
    from locator_search.indexing.backfill import Backfill
    from locator_search.indexing.cost import ModelPrices
    from locator_search.indexing.memo import MemoisedChatModel
    from locator_search.indexing.pipeline import Indexer
    from locator_search.indexing.summaries import Summariser
    from locator_search.llm.budget import Spending
    from locator_search.model import RootWarning
    from locator_search.ports import (
        AccessChecker,
        AnswerMemo,
        Backup,
        BatchLog,
        CalibrationStore,
        ChatModel,
        Chunker,
        Clock,
        DocumentReader,
        DocumentSource,
        Embedder,
        EmbeddingMemo,
        ExtractionMemo,
        FeedbackReader,
        FeedLog,
        FileLocks,
        FileRegistry,
        FolderTree,
        IndexInspector,
        IndexStore,
        NotedEvidenceProvider,
        RequestSlots,
        SearchLog,
        ServiceGateway,
        StatusReader,
        StoreUpkeep,
        VersionReader,
    )
    from locator_search.retrieval.fusion import Fusion
    from locator_search.x_search.searcher import XSearch

LONGEST_CHECK_SECONDS = 3.0
"""So long may a search wait for the source to confirm what was found."""


class Locator:
    """Every part of the product for one set of settings. A context manager; `close()` frees what was opened.

    With a `schema`, over tables of its own beside the main index.
    """

    def __init__(self, settings: Settings, schema: str | None = None) -> None:
        self.settings = settings
        self._schema = schema
        self._openai_clients: dict[str | None, OpenAiClient] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """End worker processes and database connections that were started."""
        made = vars(self)
        if "live" in made:
            self.live.close()
        if "contributions" in made:
            self.contributions.close()
        if "extractor" in made:
            self.extractor.close()
        if "services" in made:
            self.services.close()
        for client in self._openai_clients.values():
            client.close()
        if "database" in made:
            self.database.close()

    # The outside world

    @cached_property
    def clock(self) -> Clock:
        from locator_search.core.clock import SystemClock

        return SystemClock()

    @cached_property
    def folders(self) -> tuple[Path, ...]:
        """The local folders to crawl."""
        return folders_to_crawl(self.settings)

    @property
    def home_name(self) -> str:
        """This machine and home, for others that share the database."""
        return f"{gethostname()}:{self.settings.home}"

    @cached_property
    def root_ids(self) -> tuple[str, ...]:
        """The ids of the source roots that this home crawls; other homes may crawl others into the same database."""
        if self.settings.uses_google_drive:
            from locator_search.adapters.google_drive import DriveScope

            return tuple(root.root_id for root in DriveScope(self.settings.google_drive_target_folder_ids).roots)
        from locator_search.adapters.local_files.roots import local_roots

        return tuple(root.root_id for root in local_roots(self.folders, names_of_folders(self.settings)))

    @property
    def _roots_of_index(self) -> tuple[str, ...] | None:
        """Tables beside the main index hold what their owner puts there."""
        return self.root_ids if self._schema is None else None

    @cached_property
    def source(self) -> DocumentSource:
        if self.settings.uses_google_drive:
            from locator_search.adapters.google_drive import DriveSource

            return DriveSource(
                self._drive_client(),
                self.settings.google_drive_target_folder_ids,
                self.folder_tree,
                page_size=self.settings.google_drive_page_size,
                follow_shortcuts=self.settings.google_drive_follow_shortcuts,
            )
        from locator_search.adapters.local_files.source import LocalFolderSource

        return LocalFolderSource(self.folders, self.settings.home, names_of_folders(self.settings))

    @cached_property
    def access_checker(self) -> AccessChecker:
        if self.settings.uses_google_drive:
            from locator_search.adapters.google_drive import DriveAccessChecker

            return DriveAccessChecker(
                self._drive_client(timeout=LONGEST_CHECK_SECONDS, patient=False),
                self.settings.google_drive_target_folder_ids,
                self.folder_tree,
                self.registry,
                self.clock,
                seconds=LONGEST_CHECK_SECONDS,
            )
        from locator_search.adapters.local_files.access import LocalAccessChecker

        return LocalAccessChecker(self.folders, self.registry, names_of_folders(self.settings))

    def _drive_client(self, timeout: float | None = None, *, patient: bool = True) -> DriveClient:
        from locator_search.adapters.google_drive import DriveClient

        return DriveClient(
            self._google_credentials,
            self.slots,
            self.clock,
            endpoint=self.settings.google_api_endpoint,
            timeout=timeout,
            patient=patient,
        )

    def drive_folders(self) -> list[str]:
        """The names of the target folders, asked of Drive now and once. Raises SourceError or ConfigurationError."""
        from locator_search.adapters.google_drive import DriveScope

        client = self._drive_client(timeout=LONGEST_CHECK_SECONDS, patient=False)
        return [folder.name for folder in DriveScope(self.settings.google_drive_target_folder_ids).resolve(client)]

    @cached_property
    def _google_credentials(self) -> GoogleCredentials:
        from locator_search.adapters.google_drive import credentials_for

        return credentials_for(self.settings)

    @cached_property
    def extractor(self) -> IsolatedExtractor:
        from locator_search.adapters.extractors.isolated import IsolatedExtractor

        return IsolatedExtractor()

    @cached_property
    def services(self) -> ServiceGateway:
        """The live services of servers.yaml; mocks alone where ALLOW_REAL is 0."""
        from locator_search.adapters.mcp_services import open_gateway

        return open_gateway(self.settings)

    # Models

    @cached_property
    def embedder(self) -> Embedder:
        if chosen_embedding_model(self.settings).provider == "offline":
            return self.bare_embedder
        from locator_search.indexing.gathering import GatheringEmbedder
        from locator_search.indexing.memo import MemoisedEmbedder

        return MemoisedEmbedder(GatheringEmbedder(self.bare_embedder, self._is_summarising), self.embedding_memo)

    def _is_summarising(self) -> bool:
        return any(client.under_way["summarise"] for client in list(self._openai_clients.values()))

    @cached_property
    def files_at_once(self) -> int:
        """Files that a crawl works on at the same time: more than fit into a model's slots where one is waited for."""
        return 5 if self.model_prices is None else 48

    @cached_property
    def bare_embedder(self) -> Embedder:
        """The embedder that remembers nothing."""
        choice = chosen_embedding_model(self.settings)
        if choice.provider == "offline":
            from locator_search.adapters.offline.embedder import OfflineEmbedder

            return OfflineEmbedder()
        if choice.provider == "huggingface":
            from locator_search.adapters.huggingface_embedder import HuggingFaceEmbedder

            return HuggingFaceEmbedder(choice.model, self.embedding_memo)
        from locator_search.adapters.openai_models.embedder import OpenAiEmbedder

        return OpenAiEmbedder(self._openai_client(choice.base_url), choice.model, self.embedding_memo)

    @cached_property
    def chat_model(self) -> MemoisedChatModel:
        from locator_search.indexing.memo import MemoisedChatModel

        return MemoisedChatModel(self.bare_chat_model, self.answer_memo)

    @cached_property
    def bare_chat_model(self) -> ChatModel:
        """The chat model that remembers nothing."""
        choice = chosen_chat_model(self.settings)
        if choice.provider == "offline":
            from locator_search.adapters.offline.chat_model import OfflineChatModel

            return OfflineChatModel()
        from locator_search.adapters.openai_models.chat_model import OpenAiChatModel

        return OpenAiChatModel(self._openai_client(choice.base_url), choice.model)

    @cached_property
    def offline_chat_model(self) -> ChatModel:
        """What answers a question where the chat model does not."""
        from locator_search.adapters.offline.chat_model import OfflineChatModel

        return OfflineChatModel()

    def chat_model_named(self, name: str) -> MemoisedChatModel:
        """Another model of the provider of the chat model."""
        choice = chosen_chat_model(self.settings)
        if choice.provider == "offline" or name == choice.model:
            return self.chat_model
        from locator_search.adapters.openai_models.chat_model import OpenAiChatModel
        from locator_search.indexing.memo import MemoisedChatModel

        return MemoisedChatModel(OpenAiChatModel(self._openai_client(choice.base_url), name), self.answer_memo)

    def _openai_client(self, base_url: str | None) -> OpenAiClient:
        from locator_search.adapters.openai_models.client import OpenAiClient

        if base_url not in self._openai_clients:
            self._openai_clients[base_url] = OpenAiClient(
                api_key=self.settings.openai_api_key,
                base_url=base_url,
                organization=self.settings.openai_org,
                slots=self.slots,
                clock=self.clock,
                spending=self.spending,
            )
        return self._openai_clients[base_url]

    def model_calendar(self, choice: ModelChoice) -> ModelCalendar:
        """When the models of a provider shut down."""
        from locator_search.adapters.openai_models.calendar import ModelCalendar

        client = self._openai_client(choice.base_url)
        return ModelCalendar(client, self.settings.home / "model_calendar.json", self.clock)

    def look_up_model(self, choice: ModelChoice) -> None:
        """Ask its server about a model. Raises ModelUnavailable or ConfigurationError."""
        self._openai_client(choice.base_url).look_up(choice.model)

    @cached_property
    def model_prices(self) -> ModelPrices | None:
        """What indexing pays; None where no model that counts tokens is chosen."""
        from locator_search.app.model_choice import prices_of

        return prices_of(self.settings)

    @cached_property
    def spending(self) -> Spending:
        from locator_search.adapters.postgres import PostgresUsageLog
        from locator_search.llm.budget import Spending

        def promised() -> float:
            return sum(batch.estimated_usd for batch in self.batch_log.waiting())

        return Spending(PostgresUsageLog(self.database), self.settings.locator_max_cost_usd, promised)

    # PostgreSQL

    @cached_property
    def database(self) -> Database:
        from locator_search.adapters.postgres import open_database

        return open_database(self.settings, self._schema)

    @cached_property
    def folder_tree(self) -> FolderTree:
        from locator_search.adapters.postgres.index.folder_tree import PostgresFolderTree

        return PostgresFolderTree(self.database, self._roots_of_index)

    @cached_property
    def feed_log(self) -> FeedLog:
        from locator_search.adapters.postgres.index.folder_tree import PostgresFeedLog

        return PostgresFeedLog(self.database, self._roots_of_index)

    @cached_property
    def reconcile_after(self) -> timedelta:
        return timedelta(hours=self.settings.locator_reconcile_hours)

    @cached_property
    def forget_after(self) -> timedelta:
        return timedelta(days=self.settings.locator_forget_days)

    @cached_property
    def history_after(self) -> timedelta:
        return timedelta(days=self.settings.locator_history_days)

    @cached_property
    def registry(self) -> FileRegistry:
        from locator_search.adapters.postgres import PostgresFileRegistry

        return PostgresFileRegistry(self.database, self._roots_of_index, self.home_name)

    @cached_property
    def index(self) -> IndexStore:
        return self.index_fused_by(self.settings.locator_fusion)

    def index_fused_by(self, fusion: Fusion, database: Database | None = None) -> IndexStore:
        """An index, by default the main one, whose two arms are fused in one way or the other."""
        from locator_search.adapters.postgres import PostgresIndexStore

        return PostgresIndexStore(
            database or self.database,
            embedding_model=self.embedder.model_name,
            fusion=fusion,
            time_zone=self.settings.locator_time_zone,
        )

    @contextmanager
    def scratch_index(self, fusion: Fusion = "scores") -> Iterator[IndexStore]:
        """An empty index for a while, in tables of its own beside the main one."""
        from locator_search.adapters.postgres.server.scratch import scratch_database

        with scratch_database(self.settings) as database:
            yield self.index_fused_by(fusion, database)

    @cached_property
    def chunk_evidence(self) -> NotedEvidenceProvider:
        """Evidence chunk by chunk, several of one file: for questions about few files."""
        return self.chunk_evidence_in(self.database)

    def chunk_evidence_in(self, database: Database) -> NotedEvidenceProvider:
        """The same in the index of another schema."""
        from locator_search.adapters.postgres.search.chunk_evidence import PostgresChunkEvidence
        from locator_search.config.synonyms import matching_of

        return PostgresChunkEvidence(
            database,
            self.embedder,
            time_zone=self.settings.locator_time_zone,
            matching=lambda: matching_of(self.settings),
        )

    @cached_property
    def documents(self) -> DocumentReader:
        from locator_search.adapters.postgres import PostgresDocumentReader

        return PostgresDocumentReader(self.database)

    @cached_property
    def calibration_store(self) -> CalibrationStore:
        from locator_search.adapters.postgres.index.calibration_store import PostgresCalibrationStore

        return PostgresCalibrationStore(self.database)

    @cached_property
    def feedback_reader(self) -> FeedbackReader:
        from locator_search.adapters.postgres.history.feedback import PostgresFeedbackReader

        return PostgresFeedbackReader(self.database)

    @cached_property
    def upkeep(self) -> StoreUpkeep:
        from locator_search.adapters.postgres import PostgresUpkeep

        return PostgresUpkeep(self.database)

    @cached_property
    def backup(self) -> Backup:
        from locator_search.adapters.postgres.server.backup import PostgresBackup

        return PostgresBackup(self.database, self.settings.home)

    @cached_property
    def extraction_memo(self) -> ExtractionMemo:
        from locator_search.adapters.postgres import PostgresExtractionMemo

        return PostgresExtractionMemo(self.database)

    @cached_property
    def answer_memo(self) -> AnswerMemo:
        from locator_search.adapters.postgres import PostgresAnswerMemo

        return PostgresAnswerMemo(self.database)

    @cached_property
    def batch_log(self) -> BatchLog:
        from locator_search.adapters.postgres.history.batch_log import PostgresBatchLog

        return PostgresBatchLog(self.database)

    @cached_property
    def embedding_memo(self) -> EmbeddingMemo:
        from locator_search.adapters.postgres import PostgresEmbeddingMemo

        return PostgresEmbeddingMemo(self.database)

    @cached_property
    def status_reader(self) -> StatusReader:
        from locator_search.adapters.postgres import PostgresStatusReader

        return PostgresStatusReader(
            self.database, time_zone=self.settings.locator_time_zone, root_ids=self._roots_of_index
        )

    @cached_property
    def index_inspector(self) -> IndexInspector:
        from locator_search.adapters.postgres.index.inspector import PostgresIndexInspector

        return PostgresIndexInspector(self.database)

    @cached_property
    def versions(self) -> VersionReader:
        from locator_search.adapters.postgres.index.versions import PostgresVersionReader

        return PostgresVersionReader(self.database)

    @cached_property
    def search_log(self) -> SearchLog:
        from locator_search.adapters.postgres import PostgresSearchLog

        return PostgresSearchLog(self.database)

    @cached_property
    def slots(self) -> RequestSlots:
        from locator_search.adapters.postgres import PostgresRequestSlots

        return PostgresRequestSlots(self.database)

    @cached_property
    def locks(self) -> FileLocks:
        from locator_search.adapters.postgres import PostgresFileLocks

        return PostgresFileLocks(self.database)

    # The systems

    @cached_property
    def chunker(self) -> Chunker:
        from locator_search.indexing.chunkers import HeadingChunker

        return HeadingChunker()

    @cached_property
    def indexer(self) -> Indexer:
        from locator_search.indexing.pipeline import Indexer

        return Indexer(
            source=self.source,
            extractor=self.extractor,
            chunker=self.chunker,
            summariser=self.summariser,
            embedder=self.embedder,
            registry=self.registry,
            index=self.index,
            extraction_memo=self.extraction_memo,
            locks=self.locks,
            clock=self.clock,
        )

    @cached_property
    def summariser(self) -> Summariser:
        from locator_search.adapters.offline.chat_model import OfflineChatModel
        from locator_search.indexing.summaries import Summariser

        max_length = self.settings.summary_max_length
        return Summariser(self.chat_model, OfflineChatModel(), self.clock, max_length=max_length)

    @cached_property
    def backfill(self) -> Backfill | None:
        """Summaries by batch; None where no model of a server is chosen."""
        from locator_search.indexing.backfill import Backfill

        choice = chosen_chat_model(self.settings)
        if not choice.counts_tokens:
            return None
        from locator_search.adapters.openai_models.batches import OpenAiBatches

        return Backfill(
            service=OpenAiBatches(self._openai_client(choice.base_url), choice.model),
            indexer=self.indexer,
            chat_model=self.chat_model,
            log=self.batch_log,
            memo=self.answer_memo,
            registry=self.registry,
            spending=self.spending,
            clock=self.clock,
        )

    @cached_property
    def drive_search(self) -> DriveSearch:
        from locator_search.drive_search.searcher import DriveSearch

        return DriveSearch(
            index=self.index,
            versions=self.versions,
            embedder=self.embedder,
            chat_model=self.chat_model,
            access_checker=self.access_checker,
            search_log=self.search_log,
            clock=self.clock,
            settings=self.settings,
            stand_in=self.offline_chat_model,
        )

    @cached_property
    def x_search(self) -> XSearch:
        from locator_search.app.x import make_x_search

        return make_x_search(self)

    @cached_property
    def contributions(self) -> ContributionParts:
        from locator_search.app.contributions import ContributionParts

        return ContributionParts(self)

    @cached_property
    def live(self) -> LiveParts:
        from locator_search.app.live import LiveParts

        return LiveParts(self)

    def root_warnings(self) -> tuple[RootWarning, ...]:
        """What a person should know about source roots: removals that wait for a word, folders out of reach, and files
        of roots that nobody crawls any more."""
        from locator_search.model import root_warnings

        return root_warnings(self.registry.roots(), self.root_ids, self.home_name, self.clock.now())

    def remove_root(self, root_id: str) -> int:
        """Take all files of a root out of the index, and forget the root; returns how many files there were."""
        removed = 0
        while file_ids := self.registry.ids_of_root(root_id, limit=1000):
            removed += self.index.delete(file_ids)
        self.registry.forget_root(root_id)
        return removed


def shown_path(path: str) -> str:
    """A path as a screen and a file of text can hold it; one that is valid Unicode is left as it is."""
    from locator_search.adapters.local_files.names import displayable, location_of

    return path if location_of(path) == path else displayable(path)


def parser_version() -> str:
    """The version of the text extractors, without starting any."""
    from locator_search.adapters.extractors import VERSION

    return VERSION


def sign_in_to_google(settings: Settings, *, open_browser: bool = True) -> Path:
    """Let a person agree in the browser and keep the refresh token; returns the file it is in.

    Raises ConfigurationError.
    """
    from locator_search.adapters.google_drive.sign_in import sign_in
    from locator_search.adapters.google_drive.token_file import store_refresh_token

    token = sign_in(
        settings.google_client_id or "",
        settings.google_client_secret or "",
        settings.google_token_uri,
        open_browser=open_browser,
    )
    store_refresh_token(settings.google_token_file, token)
    return settings.google_token_file


def open_locator(settings: Settings | None = None) -> Locator:
    """The product for these settings (by default those of the environment and `.env`).

    Raises ConfigurationError.
    """
    return Locator(settings or load_settings())
