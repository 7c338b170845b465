"""The index and the branching search over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from locator_search.app.model_choice import chosen_chat_model
from locator_search.app.models import Models
from locator_search.app.part import part
from locator_search.app.sources import Sources
from locator_search.app.storage import refuse_with_permissions

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database
    from locator_search.drive_search.asked_questions import AskedQuestions
    from locator_search.drive_search.own_searches import OwnSearches
    from locator_search.drive_search.searcher import DriveSearch
    from locator_search.drive_search.similar import SimilarFiles
    from locator_search.drive_search.suggestions import Suggestions
    from locator_search.indexing.pipeline import Indexer
    from locator_search.indexing.preview import Preview
    from locator_search.indexing.summaries import Summariser
    from locator_search.indexing.summary_batches import SummaryBatches
    from locator_search.model import Fusion, RootWarning
    from locator_search.ports import (
        ChatModel,
        Chunker,
        IndexStore,
        NotedEvidenceProvider,
    )
    from locator_search.ports.own_searches import Look, OwnSearch
    from locator_search.ports.versions import KeptState


class DriveSystem(Models, Sources):
    """From the files of a source to answers about them."""

    @part
    def index(self) -> IndexStore:
        return self.index_fused_by(self.settings.locator_fusion)

    def index_fused_by(self, fusion: Fusion, database: Database | None = None) -> IndexStore:
        """An index, by default the main one, whose words and vectors are fused in one way or the other."""
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

    @part
    def chunk_evidence(self) -> NotedEvidenceProvider:
        """Evidence chunk by chunk, several of one file: for questions about few files."""
        return self.chunk_evidence_in(self.database)

    def chunk_evidence_in(self, database: Database) -> NotedEvidenceProvider:
        """Evidence of chunks in the index of another schema."""
        from locator_search.config.synonyms import matching_of
        from locator_search.retrieval.evidence import IndexEvidenceProvider

        index = self.index_fused_by(self.settings.locator_fusion, database)
        return IndexEvidenceProvider(index, self.embedder, matching=lambda: matching_of(self.settings), unit="chunk")

    @part
    def chunker(self) -> Chunker:
        from locator_search.indexing.chunking.heading_chunker import HeadingChunker

        return HeadingChunker()

    @part
    def indexer(self) -> Indexer:
        from locator_search.indexing.file_stages import FileStages
        from locator_search.indexing.pipeline import Indexer
        from locator_search.indexing.reading import Reader

        stages = FileStages(
            source=self.source,
            reader=Reader(self.extractor, self.extraction_memo),
            chunker=self.chunker,
            summariser=self.summariser,
            embedder=self.embedder,
            index=self.index,
            locks=self.locks,
            clock=self.clock,
        )
        return Indexer(stages, self.registry, self.index, self.locks, self.clock)

    def previews(self, place: Path | str, out_of_time: Callable[[], bool]) -> Iterator[Preview]:
        """Previews of a crawl of a folder of this machine, or of one of Drive by its id or link, as it is counted.
        Raises ConfigurationError."""
        from locator_search.adapters.extractors.limits import MAX_FILE_BYTES
        from locator_search.indexing.preview import previews

        return previews(self.source_over(place), self.model_prices, MAX_FILE_BYTES, out_of_time)

    @part
    def summariser(self) -> Summariser:
        from locator_search.adapters.offline.chat_model import OfflineChatModel
        from locator_search.indexing.summaries import Summariser

        return Summariser(
            self.chat_model,
            OfflineChatModel(),
            self.clock,
            request_slots=self.settings.locator_request_slots,
            max_length=self.settings.summary_max_length,
        )

    @part
    def summary_batches(self) -> SummaryBatches | None:
        """Summaries by batch; None where no model of a server is chosen."""
        from locator_search.indexing.summary_batches import SummaryBatches

        choice = chosen_chat_model(self.settings)
        if not choice.counts_tokens:
            return None
        from locator_search.adapters.openai_models.batches import OpenAiBatches

        return SummaryBatches(
            service=OpenAiBatches(self._openai_client(choice.base_url), choice.model),
            indexer=self.indexer,
            chat_model=self.chat_model,
            log=self.batch_log,
            memo=self.answer_memo,
            registry=self.registry,
            budget=self.budget,
            clock=self.clock,
        )

    @part
    def drive_search(self) -> DriveSearch:
        return self._search_with(self.chat_model)

    @part
    def model_free_search(self) -> DriveSearch:
        """The same search for programs that have a language model of their own: none of ours is called."""
        return self._search_with(self.offline_chat_model)

    @part
    def similar_files(self) -> SimilarFiles:
        from locator_search.drive_search.similar import SimilarFiles

        return SimilarFiles(self.index, self.documents, self.versions, self.access_checker)

    @part
    def own_searches(self) -> OwnSearches:
        from locator_search.drive_search.own_searches import OwnSearches

        checker = self.access_checker if self.settings.locator_permissions else None
        return OwnSearches(
            self.own_search_store, self.index, self.versions, self.embedder, self.clock, self.settings, checker
        )

    def searched_again(self, search: OwnSearch, state: KeptState) -> Look:
        """The look at a search in a state of the index that was kept. Raises AccessDenied where answers are trimmed to
        their reader: a copy tells what each might read then."""
        refuse_with_permissions(self.settings, "A search on an earlier state of the index")
        earlier = type(self)(self.settings, self.kept_states.schema(state))
        try:
            return replace(earlier.own_searches.look(search), looked_at=state.kept_at)
        finally:
            earlier.close()

    @part
    def asked_questions(self) -> AskedQuestions:
        from locator_search.drive_search.asked_questions import AskedQuestions

        return AskedQuestions(self.own_search_store, shared=self.settings.locator_share_questions)

    @part
    def suggestions(self) -> Suggestions:
        from locator_search.drive_search.suggestions import Suggestions

        return Suggestions(self.documents, self.own_search_store, self.clock)

    def _search_with(self, chat_model: ChatModel) -> DriveSearch:
        from locator_search.drive_search.searcher import DriveSearch

        return DriveSearch(
            index=self.index,
            versions=self.versions,
            unread=self.unread,
            embedder=self.embedder,
            chat_model=chat_model,
            access_checker=self.access_checker,
            search_log=self.search_log,
            audit=self.audit,
            clock=self.clock,
            settings=self.settings,
            stand_in=self.offline_chat_model,
        )

    def remove_root(self, root_id: str) -> int:
        """Take all files of a root out of the index, and forget the root; returns how many files there were."""
        removed = 0
        while file_ids := self.registry.ids_of_root(root_id, limit=1000):
            removed += self.index.delete(file_ids)
        self.registry.forget_root(root_id)
        return removed

    def remove_folder(self, folder: Path) -> int:
        """The same for a folder of this machine that goes by its path."""
        from locator_search.adapters.local_files.names import local_roots

        return sum(self.remove_root(root.root_id) for root in local_roots([folder]))

    def page_of(self, file_id: str) -> str:
        """The address of the page that tells about a file."""
        return f"{self.settings.locator_page_url.rstrip('/')}/status?file={quote(file_id, safe='')}"

    def root_warnings(self) -> tuple[RootWarning, ...]:
        """Warnings about source roots: removals that wait for a word, folders out of reach, and files
        of roots that nobody crawls any more."""
        from locator_search.model import root_warnings

        return root_warnings(self.registry.roots(), self.root_ids, self.home_name, self.clock.now())
