"""Everything kept in PostgreSQL, for one set of settings. Each part is made on first use."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING

from locator_search.app.part import part
from locator_search.config.folders import folders_to_crawl, names_of_folders
from locator_search.config.settings import Settings
from locator_search.core.errors import AccessDenied, ConfigurationError

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database
    from locator_search.ports import (
        AnswerMemo,
        Backup,
        BatchLog,
        CalibrationStore,
        Clock,
        DaemonTurn,
        DocumentReader,
        EmbeddingMemo,
        ExtractionMemo,
        FeedbackReader,
        FeedLog,
        FileLocks,
        FileRegistry,
        FolderTree,
        GroupStore,
        IndexInspector,
        MetricsReader,
        RequestSlots,
        SearchLog,
        SignIns,
        StatusReader,
        StoreUpkeep,
        UnreadReader,
        VersionReader,
    )
    from locator_search.ports.feedback import UsageReader
    from locator_search.ports.own_searches import OwnSearchStore, PageSteps
    from locator_search.ports.search import AuditLog
    from locator_search.ports.versions import KeptStates


def refuse_with_permissions(settings: Settings, what: str) -> None:
    """Raise AccessDenied where answers are trimmed to their reader, for a part whose answers are not."""
    if settings.locator_permissions:
        raise AccessDenied(
            f"{what} is not available while LOCATOR_PERMISSIONS is on: it cannot tell what each person may read.",
            hint="docs/permissions.md says which parts can.",
        )


class Storage:
    """The database and everything in it. With a `schema`, over tables of its own beside the main index."""

    def __init__(self, settings: Settings, schema: str | None = None) -> None:
        self.settings = settings
        self._schema = schema

    def close(self) -> None:
        """End the database connections that were opened."""
        if "database" in vars(self):
            self.database.close()

    @part
    def clock(self) -> Clock:
        from locator_search.core.clock import SystemClock

        return SystemClock()

    @part
    def link_secret(self) -> bytes:
        """The key that signs links. Raises ConfigurationError where it, or its file, is not safe."""
        from locator_search.adapters.local_files.secret_file import LENGTH, secret_of

        given = self.settings.locator_link_secret
        if given and len(given) < LENGTH:
            raise ConfigurationError(
                f"LOCATOR_LINK_SECRET is too short to sign links with: it takes {LENGTH} characters.",
                hint="`openssl rand -hex 32` makes one.",
            )
        return given.encode() if given else secret_of(self.settings.home / "link_secret")

    @part
    def sign_ins(self) -> SignIns:
        """The sign-ins to live servers."""
        from locator_search.adapters.postgres.sign_ins import PostgresSignIns

        return PostgresSignIns(self.database, lambda: self.link_secret, self.settings.home / "live_tokens")

    @part
    def folders(self) -> tuple[Path, ...]:
        """The local folders to crawl."""
        return folders_to_crawl(self.settings)

    @property
    def home_name(self) -> str:
        """This machine and home, for others that share the database."""
        return f"{gethostname()}:{self.settings.home}"

    @part
    def root_ids(self) -> tuple[str, ...]:
        """The ids of the source roots that this home crawls; other homes may crawl others into the same database."""
        if self.settings.uses_google_drive:
            from locator_search.adapters.google_drive import DriveScope

            return tuple(root.root_id for root in DriveScope(self.settings.google_drive_target_folder_ids).roots)
        from locator_search.adapters.local_files.names import local_roots

        return tuple(root.root_id for root in local_roots(self.folders, names_of_folders(self.settings)))

    @property
    def _roots_of_index(self) -> tuple[str, ...] | None:
        """Tables beside the main index hold what their owner puts there."""
        return self.root_ids if self._schema is None else None

    @part
    def database(self) -> Database:
        from locator_search.adapters.postgres import open_database

        if self._schema is not None:
            refuse_with_permissions(self.settings, "A ledger")
        return open_database(self.settings, self._schema)

    @part
    def registry(self) -> FileRegistry:
        from locator_search.adapters.postgres import PostgresFileRegistry

        return PostgresFileRegistry(self.database, self._roots_of_index, self.home_name)

    @part
    def folder_tree(self) -> FolderTree:
        from locator_search.adapters.postgres.index.folder_tree import PostgresFolderTree

        return PostgresFolderTree(self.database, self._roots_of_index)

    @part
    def feed_log(self) -> FeedLog:
        from locator_search.adapters.postgres.index.folder_tree import PostgresFeedLog

        return PostgresFeedLog(self.database, self._roots_of_index)

    @part
    def groups(self) -> GroupStore:
        from locator_search.adapters.postgres.index.access_groups import PostgresGroupStore

        return PostgresGroupStore(self.database)

    @part
    def documents(self) -> DocumentReader:
        from locator_search.adapters.postgres import PostgresDocumentReader

        return PostgresDocumentReader(self.database)

    @part
    def calibration_store(self) -> CalibrationStore:
        from locator_search.adapters.postgres.index.calibration_store import PostgresCalibrationStore

        return PostgresCalibrationStore(self.database)

    @part
    def feedback_reader(self) -> FeedbackReader:
        from locator_search.adapters.postgres.history.search_log import PostgresFeedbackReader

        refuse_with_permissions(self.settings, "What people thought of results")
        return PostgresFeedbackReader(self.database)

    @part
    def upkeep(self) -> StoreUpkeep:
        from locator_search.adapters.postgres import PostgresUpkeep

        return PostgresUpkeep(self.database)

    @part
    def backup(self) -> Backup:
        from locator_search.adapters.postgres.server.backup import PostgresBackup

        return PostgresBackup(self.database, self.settings.home)

    @part
    def extraction_memo(self) -> ExtractionMemo:
        from locator_search.adapters.postgres import PostgresExtractionMemo

        return PostgresExtractionMemo(self.database)

    @part
    def answer_memo(self) -> AnswerMemo:
        from locator_search.adapters.postgres import PostgresAnswerMemo

        return PostgresAnswerMemo(self.database)

    @part
    def batch_log(self) -> BatchLog:
        from locator_search.adapters.postgres.history.batch_log import PostgresBatchLog

        return PostgresBatchLog(self.database)

    @part
    def embedding_memo(self) -> EmbeddingMemo:
        from locator_search.adapters.postgres import PostgresEmbeddingMemo

        return PostgresEmbeddingMemo(self.database)

    @part
    def status_reader(self) -> StatusReader:
        from locator_search.adapters.postgres import PostgresStatusReader

        return PostgresStatusReader(
            self.database, time_zone=self.settings.locator_time_zone, root_ids=self._roots_of_index
        )

    @part
    def index_inspector(self) -> IndexInspector:
        from locator_search.adapters.postgres.index.status import PostgresIndexInspector

        return PostgresIndexInspector(self.database)

    @part
    def metrics_reader(self) -> MetricsReader:
        from locator_search.adapters.postgres.history.metrics import PostgresMetricsReader

        return PostgresMetricsReader(self.database, self.settings.locator_request_slots)

    @part
    def usage_reader(self) -> UsageReader:
        from locator_search.adapters.postgres.history.usage_reader import PostgresUsageReader

        return PostgresUsageReader(self.database, self.settings.locator_time_zone)

    @part
    def versions(self) -> VersionReader:
        from locator_search.adapters.postgres.index.documents import PostgresVersionReader

        return PostgresVersionReader(self.database)

    @part
    def unread(self) -> UnreadReader:
        from locator_search.adapters.postgres.search.unread_search import PostgresUnreadReader

        return PostgresUnreadReader(self.database, time_zone=self.settings.locator_time_zone)

    @part
    def search_log(self) -> SearchLog:
        from locator_search.adapters.postgres import PostgresSearchLog

        return PostgresSearchLog(self.database)

    @part
    def audit(self) -> AuditLog | None:
        """Keeps who asked what and who opened what; None where that is off."""
        from locator_search.adapters.postgres.history.audit_log import PostgresAuditLog

        if not self.settings.audits:
            return None
        return PostgresAuditLog(self.database, self.settings.locator_audit_days)

    def kept_audit(self) -> AuditLog:
        """The audit log. Raises ConfigurationError where none is kept."""
        if self.audit is None:
            raise ConfigurationError(
                "No audit log is kept.", hint="It is with LOCATOR_PERMISSIONS, unless LOCATOR_AUDIT is 0."
            )
        return self.audit

    @part
    def own_search_store(self) -> OwnSearchStore:
        from locator_search.adapters.postgres.history.own_searches import PostgresOwnSearchStore

        return PostgresOwnSearchStore(self.database)

    @part
    def kept_states(self) -> KeptStates:
        """States of the main index."""
        from locator_search.adapters.postgres.server.kept_states import PostgresKeptStates

        return PostgresKeptStates(self.settings, self.database)

    @part
    def page_steps(self) -> PageSteps:
        from locator_search.adapters.postgres.history.page_steps import PostgresPageSteps

        return PostgresPageSteps(self.database)

    @part
    def slots(self) -> RequestSlots:
        from locator_search.adapters.postgres import PostgresRequestSlots

        return PostgresRequestSlots(self.database, self.settings.locator_request_slots)

    @part
    def locks(self) -> FileLocks:
        from locator_search.adapters.postgres import PostgresFileLocks

        return PostgresFileLocks(self.database)

    @part
    def daemon_turn(self) -> DaemonTurn:
        from locator_search.adapters.postgres import PostgresDaemonTurn

        return PostgresDaemonTurn(self.database)

    @part
    def reconcile_after(self) -> timedelta:
        return timedelta(hours=self.settings.locator_reconcile_hours)

    @part
    def forget_after(self) -> timedelta:
        return timedelta(days=self.settings.locator_forget_days)

    @part
    def history_after(self) -> timedelta:
        return timedelta(days=self.settings.locator_history_days)
