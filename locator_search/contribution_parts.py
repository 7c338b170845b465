"""The parts of the contribution system: settings in, working parts out. The composition root keeps one of these."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from locator_search.bundled import sample_meetings

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database
    from locator_search.app import Locator
    from locator_search.contributions.acquisition import Acquisition
    from locator_search.contributions.normalisation import Normaliser
    from locator_search.contributions.pipeline import ContributionPipeline
    from locator_search.ports import (
        ChunkingStrategy,
        ContributionStore,
        Converter,
        ExtractionMemo,
        IndexStore,
        MeetingArchive,
    )

SCHEMA = "contributions"
"""The schema of their tables: an index of their own beside that of the files."""
SAMPLE_NAME = "sample"
"""How the archive of sample meetings is shown."""


class ContributionParts:
    """Every part for one set of settings, made on first use."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator
        self._settings = locator.settings

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

    @cached_property
    def archive(self) -> MeetingArchive:
        """Where meetings keep their contributions."""
        from locator_search.adapters.threegpp_ftp import LocalArchive, open_archive

        address = self._settings.contributions_archive_url
        if address is None:
            return LocalArchive(sample_meetings(), SAMPLE_NAME)
        return open_archive(address, self._locator.clock)

    @cached_property
    def converter(self) -> Converter:
        """LibreOffice, if it is installed."""
        from locator_search.adapters.libreoffice import LibreOfficeConverter

        return LibreOfficeConverter()

    @cached_property
    def database(self) -> Database:
        """The tables of contributions, brought up to date."""
        from locator_search.adapters.postgres import migrate, open_database

        database = open_database(self._settings, SCHEMA)
        migrate(database)
        return database

    @cached_property
    def store(self) -> ContributionStore:
        """Meetings, contributions, files and documents."""
        from locator_search.adapters.postgres.contributions import PostgresContributionStore

        return PostgresContributionStore(self.database)

    @cached_property
    def index(self) -> IndexStore:
        """The searchable index of their documents."""
        from locator_search.adapters.postgres import PostgresIndexStore

        return PostgresIndexStore(
            self.database,
            embedding_model=self._locator.embedder.model_name,
            time_zone=self._settings.locator_time_zone,
        )

    @cached_property
    def extraction_memo(self) -> ExtractionMemo:
        """Remembers what was read out of their documents."""
        from locator_search.adapters.postgres import PostgresExtractionMemo

        return PostgresExtractionMemo(self.database)

    @cached_property
    def acquisition(self) -> Acquisition:
        """Lists meetings and fetches bodies."""
        from locator_search.contributions.acquisition import Acquisition

        return Acquisition(self.archive, self.store, self._locator.extractor, self._locator.clock, self.folder)

    @cached_property
    def normaliser(self) -> Normaliser:
        """Brings documents into one form."""
        from locator_search.adapters.threegpp_ftp.unpacking import ZipUnpacker
        from locator_search.contributions.normalisation import Normaliser

        return Normaliser(ZipUnpacker(), self._locator.extractor, self.extraction_memo, self.converter, self.folder)

    @cached_property
    def strategy(self) -> ChunkingStrategy:
        """The chosen way to cut documents into chunks."""
        from locator_search.indexing.strategies import STRATEGIES

        return STRATEGIES[self._settings.contributions_chunking]

    @cached_property
    def pipeline(self) -> ContributionPipeline:
        """Takes one contribution through the stages."""
        from locator_search.contributions.pipeline import ContributionPipeline

        return ContributionPipeline(
            bodies=self.acquisition,
            normaliser=self.normaliser,
            strategy=self.strategy,
            embedder=self._locator.embedder,
            store=self.store,
            index=self.index,
            locks=self._locator.locks,
            clock=self._locator.clock,
        )
