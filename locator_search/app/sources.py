"""The source of files, its access checks, and the extractor that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from locator_search.app.part import part
from locator_search.app.storage import Storage
from locator_search.config.folders import names_of_folders

if TYPE_CHECKING:
    from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
    from locator_search.adapters.google_drive import DriveClient, GoogleCredentials
    from locator_search.adapters.google_drive.directory import GroupReading
    from locator_search.adapters.local_files.originals import LocalOriginals
    from locator_search.adapters.local_files.source import LocalFolderSource
    from locator_search.ports import (
        AccessChecker,
        DocumentSource,
    )


LONGEST_CHECK_SECONDS = 3.0
"""Seconds that a search waits for the source to confirm its results."""


class Sources(Storage):
    """The source of one set of settings: Google Drive or folders of this machine."""

    def close(self) -> None:
        """End the processes that read files, too."""
        if "extractor" in vars(self):
            self.extractor.close()
        super().close()

    @part
    def source(self) -> DocumentSource:
        if self.settings.uses_google_drive:
            targets = self.settings.google_drive_target_folder_ids
            return self._drive_source(self._drive_client(), targets, self._group_reading())
        return self._local_source()

    def source_over(self, place: Path | str) -> DocumentSource:
        """Another source: a folder of this machine, or one of Drive by its id or link, asked without patience."""
        if isinstance(place, str):
            return self._drive_source(self._drive_client(timeout=LONGEST_CHECK_SECONDS, patient=False), [place])
        from locator_search.adapters.local_files.source import LocalFolderSource

        return LocalFolderSource([place], self.settings.home)

    @part
    def originals(self) -> LocalOriginals | None:
        """Opens files for people; None where they are on the web."""
        if self.settings.uses_google_drive:
            return None
        from locator_search.adapters.local_files.originals import LocalOriginals

        return LocalOriginals(self._local_source(), self.registry, self.link_secret, self.clock)

    @part
    def access_checker(self) -> AccessChecker:
        from locator_search.retrieval.readable import ReadableAlone

        checker = self._checker()
        return ReadableAlone(checker, self.documents.readable) if self.settings.locator_permissions else checker

    def _checker(self) -> AccessChecker:
        if self.settings.uses_google_drive:
            from locator_search.adapters.google_drive import DriveAccessChecker

            return DriveAccessChecker(
                self._drive_client(timeout=LONGEST_CHECK_SECONDS, patient=False),
                self.settings.google_drive_target_folder_ids,
                self.folder_tree,
                self.registry,
                self.clock,
                seconds=LONGEST_CHECK_SECONDS,
                principals=lambda: self.database.reader,
            )
        from locator_search.adapters.local_files.access import LocalAccessChecker

        names = names_of_folders(self.settings)
        return LocalAccessChecker(self.folders, self.registry, names, partial(attrgetter("reader"), self.database))

    def drive_folders(self) -> list[str]:
        """The names of the target folders, asked of Drive now and once. Raises SourceError or ConfigurationError."""
        from locator_search.adapters.google_drive import DriveScope

        client = self._drive_client(timeout=LONGEST_CHECK_SECONDS, patient=False)
        return [folder.name for folder in DriveScope(self.settings.google_drive_target_folder_ids).resolve(client)]

    @part
    def extractor(self) -> IsolatedExtractor:
        from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor

        return IsolatedExtractor()

    def _drive_source(
        self, client: DriveClient, targets: Sequence[str], groups: GroupReading | None = None
    ) -> DocumentSource:
        from locator_search.adapters.google_drive import DriveSource

        return DriveSource(
            client,
            targets,
            self.folder_tree,
            page_size=self.settings.google_drive_page_size,
            follow_shortcuts=self.settings.google_drive_follow_shortcuts,
            groups=groups,
        )

    def _local_source(self) -> LocalFolderSource:
        from locator_search.adapters.local_files.source import LocalFolderSource

        return LocalFolderSource(
            self.folders,
            self.settings.home,
            names_of_folders(self.settings),
            with_readers=self.settings.locator_permissions,
        )

    def _drive_client(self, timeout: float | None = None, *, patient: bool = True) -> DriveClient:
        from locator_search.adapters.google_drive import DriveClient

        return DriveClient(
            self._google_credentials,
            self.slots,
            self.clock,
            endpoint=self.settings.google_api_endpoint,
            timeout=timeout,
            patient=patient,
            with_readers=self.settings.locator_permissions,
        )

    def _group_reading(self) -> GroupReading | None:
        """Asks the directory who is in which group; None where the settings name no administrator to ask as."""
        from locator_search.adapters.google_drive import auth, directory

        settings = self.settings
        if settings.google_directory_admin is None or settings.google_service_account_file is None:
            return None
        credentials = auth.service_account_credentials(
            settings.google_service_account_file,
            settings.google_token_uri,
            scope=auth.DIRECTORY,
            acts_for=settings.google_directory_admin,
        )
        endpoint = directory.directory_endpoint(settings.google_api_endpoint)
        client = directory.DirectoryClient(credentials, self.slots, self.clock, endpoint=endpoint)
        return directory.GroupReading(client, self.groups)

    @part
    def _google_credentials(self) -> GoogleCredentials:
        from locator_search.adapters.google_drive import credentials_for

        return credentials_for(self.settings)
