"""The parts of the contribution system: settings in, working parts out. The composition root keeps one of these."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from locator_search.app.part import part
from locator_search.app.storage import refuse_with_permissions
from locator_search.config.bundled import sample_meetings

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database
    from locator_search.app.drive import DriveSystem
    from locator_search.contributions.acquisition import Acquisition
    from locator_search.contributions.analysis.agent import AnalysisAgent
    from locator_search.contributions.links import LinkSigner
    from locator_search.contributions.normalisation import Normaliser
    from locator_search.contributions.pipeline import ContributionPipeline
    from locator_search.locales import Language
    from locator_search.ports import (
        ChunkingStrategy,
        Clock,
        ContributionRequests,
        ContributionStore,
        Converter,
        EvidenceProvider,
        ExtractionMemo,
        FileLocks,
        IndexStore,
        MeetingArchive,
    )
    from locator_search.ports.contributions.analyses import AnalysisStore
    from locator_search.ports.contributions.questions import SavedQuestions

SCHEMA = "contributions"
"""The schema of their tables: an index of their own beside that of the files."""
SAMPLE_NAME = "sample"
"""How the archive of sample meetings is shown."""


class ContributionParts:
    """Every part for one set of settings, made on first use."""

    def __init__(self, drive: DriveSystem) -> None:
        self._drive = drive
        self._settings = drive.settings

    def close(self) -> None:
        """Close the connections that were opened."""
        made = vars(self)
        if "archive" in made:
            self.archive.close()
        if "database" in made:
            self.database.close()

    @property
    def folder(self) -> Path:
        """Where bodies (`original`), what is made of them (`normalized`) and results (`outputs`) are kept."""
        return self._settings.home / "contributions"

    @property
    def uses_sample(self) -> bool:
        """Whether the archive is the sample that comes with the product."""
        return self._settings.contributions_archive_url is None

    @part
    def archive(self) -> MeetingArchive:
        """Where meetings keep their contributions."""
        return self.open_archive()

    def open_archive(self, *, patient: bool = True) -> MeetingArchive:
        """The archive once more, for the caller to close. An impatient one is not asked again when it fails."""
        from locator_search.adapters.threegpp_ftp import LocalArchive, open_archive

        address = self._settings.contributions_archive_url
        if address is None:
            return LocalArchive(sample_meetings(), SAMPLE_NAME)
        return open_archive(address, self._drive.clock, patient=patient)

    @part
    def converter(self) -> Converter:
        """LibreOffice, if it is installed."""
        from locator_search.adapters.libreoffice import LibreOfficeConverter

        return LibreOfficeConverter()

    @part
    def database(self) -> Database:
        """The tables of contributions, brought up to date."""
        from locator_search.adapters.postgres import migrate, open_database

        refuse_with_permissions(self._settings, "The search of contributions")
        database = open_database(self._settings, SCHEMA)
        migrate(database)
        return database

    @part
    def store(self) -> ContributionStore:
        """Meetings, contributions, files and documents."""
        from locator_search.adapters.postgres.contributions.store import PostgresContributionStore

        return PostgresContributionStore(self.database)

    @property
    def in_use(self) -> bool:
        """Whether anybody has used contributions on this database: whoever only looks makes no tables."""
        database = self._drive.database  # a part: it brings its modules before this thread asks for more of them
        from locator_search.adapters.postgres import has_schema

        return "database" in vars(self) or has_schema(database, SCHEMA)

    @part
    def requests(self) -> ContributionRequests:
        """The requests that people made on the page."""
        from locator_search.adapters.postgres.contributions.requests import PostgresContributionRequests

        return PostgresContributionRequests(self.database)

    @property
    def clock(self) -> Clock:
        """The present time."""
        return self._drive.clock

    @part
    def index(self) -> IndexStore:
        """The searchable index of their documents."""
        from locator_search.adapters.postgres import PostgresIndexStore

        return PostgresIndexStore(
            self.database,
            embedding_model=self._drive.embedder.model_name,
            time_zone=self._settings.locator_time_zone,
        )

    @part
    def extraction_memo(self) -> ExtractionMemo:
        """Remembers what was read out of their documents."""
        from locator_search.adapters.postgres import PostgresExtractionMemo

        return PostgresExtractionMemo(self.database)

    @part
    def acquisition(self) -> Acquisition:
        """Lists meetings and fetches bodies."""
        from locator_search.contributions.acquisition import Acquisition

        return Acquisition(self.archive, self.store, self._drive.extractor, self._drive.clock, self.folder)

    @part
    def normaliser(self) -> Normaliser:
        """Brings documents into one form."""
        from locator_search.adapters.threegpp_ftp.unpacking import ZipUnpacker
        from locator_search.contributions.normalisation import Normaliser

        return Normaliser(ZipUnpacker(), self._drive.extractor, self.extraction_memo, self.converter, self.folder)

    @part
    def strategy(self) -> ChunkingStrategy:
        """The chosen way to cut documents into chunks."""
        from locator_search.indexing.chunking.strategies import STRATEGIES

        return STRATEGIES[self._settings.contributions_chunking]

    @property
    def locks(self) -> FileLocks:
        """Held by living workers only."""
        return self._drive.locks

    @part
    def pipeline(self) -> ContributionPipeline:
        """Takes one contribution through the stages."""
        from locator_search.contributions.pipeline import ContributionPipeline

        return ContributionPipeline(
            bodies=self.acquisition,
            normaliser=self.normaliser,
            strategy=self.strategy,
            embedder=self._drive.embedder,
            store=self.store,
            index=self.index,
            locks=self._drive.locks,
            clock=self._drive.clock,
        )

    def paged_file(self, document_id: str) -> Path | None:
        """The file whose pages the page numbers of a document count: the PDF, LibreOffice's rendition, or the docx
        with Word's marks; out of the archive once more where another machine fetched it. None for a document that is
        not kept as a file. Raises SourceError, OSError."""
        from locator_search.indexing.reading import content_of

        document = self.store.document(document_id)
        if document is None or document.stored_as is None:
            return None
        stored = self.folder / document.stored_as
        if not stored.is_file():
            self._bring_here(document.contribution_id)
        if not stored.is_file():  # the archive has another one by now
            return None
        rendition = (
            self.folder / f"normalized/{content_of(stored).sha256}.pdf" if document.pages == "rendition" else stored
        )
        return rendition if rendition.is_file() else stored

    def _bring_here(self, contribution_id: str) -> None:
        """Fetch the files of a contribution and normalise them, as the machine did that fetched them first."""
        from locator_search.contributions.acquisition import Acquisition

        drive, archive = self._drive, self.open_archive(patient=False)  # somebody waits for it
        try:
            files = Acquisition(archive, self.store, drive.extractor, drive.clock, self.folder).fetch(contribution_id)
        finally:
            archive.close()
        for known in self.store.contributions(contribution_ids=[contribution_id]):
            self.normaliser.normalise(known.contribution, files)

    # Analyses: they see the provider of evidence and the chat model, and nothing above

    @part
    def evidence(self) -> EvidenceProvider:
        """Where analyses find evidence: the index of contributions, or the service the settings name."""
        settings, clock = self._settings, self._drive.clock
        if settings.contributions_evidence == "dify":
            from locator_search.adapters.evidence_services import DifyEvidenceProvider

            address, key, dataset = settings.dify_api_url, settings.dify_api_key, settings.dify_dataset_id
            return DifyEvidenceProvider(cast("str", address), cast("str", key), cast("str", dataset), clock)
        if settings.contributions_evidence == "elastic":
            from locator_search.adapters.evidence_services import ElasticEvidenceProvider

            address, index = cast("str", settings.elastic_url), cast("str", settings.elastic_index)
            return ElasticEvidenceProvider(address, index, self._drive.embedder, clock, settings.elastic_api_key)
        return self._drive.chunk_evidence_in(self.database)

    @part
    def agent(self) -> AnalysisAgent:
        """Analyses contributions."""
        from locator_search.contributions.analysis.agent import AnalysisAgent, nothing_found

        return AnalysisAgent(
            self.evidence,
            self._drive.chat_model,
            self._settings.locator_language,
            self._drive.offline_chat_model,
            why_absent=self._why_absent if self._settings.contributions_evidence == "pgvector" else nothing_found,
        )

    def _why_absent(self, contribution_id: str, language: Language) -> str:
        from locator_search.contributions.analysis.absences import why_absent

        return why_absent(self.store.contributions(), contribution_id, language)

    @part
    def analyses(self) -> AnalysisStore:
        """The analyses made so far."""
        from locator_search.adapters.postgres.contributions.analyses import PostgresAnalysisStore

        return PostgresAnalysisStore(self.database)

    @part
    def questions(self) -> SavedQuestions:
        """The questions people keep."""
        from locator_search.adapters.postgres.contributions.analyses import PostgresSavedQuestions

        return PostgresSavedQuestions(self.database)

    @part
    def links(self) -> LinkSigner:
        """Links to review sheets, signed with the secret of this installation."""
        from locator_search.contributions.links import LinkSigner

        return LinkSigner(self._drive.link_secret, self._drive.clock)
