"""An emulated Google Drive, and the real parts that crawl it: adapter, registry, index."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from locator_search.adapters.google_drive import DriveAccessChecker, DriveClient, DriveSource
from locator_search.adapters.google_drive.auth import DIRECTORY, account_credentials, service_account_credentials
from locator_search.adapters.google_drive.directory import DirectoryClient, GroupReading, directory_endpoint
from locator_search.adapters.postgres import Database, PostgresRequestSlots
from locator_search.adapters.postgres.index.access_groups import PostgresGroupStore
from locator_search.adapters.postgres.index.folder_tree import PostgresFolderTree
from locator_search.core.errors import LocatorError
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.indexing.crawl import SourceSnapshot, observe_changes, record_snapshot
from locator_search.ports import TextExtractor
from tests.builders.crawl import CrawlBench
from tests.builders.registry import all_known


def service_account_key(folder: Path) -> Path:
    """The key file of a service account, made up."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    written = {"client_email": "robot@emulator.test", "private_key": pem, "token_uri": "http://127.0.0.1:9/token"}
    path = folder / "key.json"
    path.write_text(json.dumps(written), "utf-8")
    return path


class DriveBench(CrawlBench):
    """A `CrawlBench` whose source is one target folder of an emulated Drive, `target`, unless told otherwise."""

    source: DriveSource  # type: ignore[assignment]  # instead of a local folder

    def __init__(self, drive: DriveEmulator, folder: Path, database: Database, extractor: TextExtractor) -> None:
        super().__init__(folder, database, extractor)
        self.drive = drive
        self.with_readers, self.readers = False, database
        self.groups: GroupReading | None = None
        self.slots = PostgresRequestSlots(database)
        self.tree = PostgresFolderTree(database)
        self.target = drive.add_folder("共有")
        self.crawl_folders(self.target)

    def client(self, **options: Any) -> DriveClient:
        """A client with credentials of its own."""
        oauth = self.drive.oauth
        credentials = account_credentials(
            oauth.client_id, oauth.client_secret, oauth.refresh_token or "", self.drive.token_uri
        )
        return DriveClient(credentials, self.slots, self.clock, endpoint=self.drive.api_endpoint, **options)

    def crawl_folders(self, *targets: str, page_size: int = 100, follow_shortcuts: bool = True) -> None:
        """Other target folders, as after a change of the settings. Shortcuts are followed, unlike by default."""
        self.targets = targets
        self.source = DriveSource(
            self.client(with_readers=self.with_readers),
            targets,
            self.tree,
            page_size=page_size,
            follow_shortcuts=follow_shortcuts,
            groups=self.groups,
        )

    def look_at_readers(self, key: Path, database: Database) -> None:
        """From now on permissions count, and groups are those of the directory; `database` is trimmed to its reader."""
        self.with_readers, self.readers = True, database
        credentials = service_account_credentials(
            service_account_key(key), self.drive.token_uri, scope=DIRECTORY, acts_for=self.drive.directory.admin
        )
        endpoint = directory_endpoint(self.drive.api_endpoint)
        directory = DirectoryClient(credentials, self.slots, self.clock, endpoint=endpoint, patient=False)
        self.groups = GroupReading(directory, PostgresGroupStore(self.database))
        self.crawl_folders(*self.targets)

    def checker(self, *, seconds: float = 60.0, timeout: float | None = None) -> DriveAccessChecker:
        """The check at query time, as the product makes it: each request may take as long as the whole of it. It may
        take longer than a person would wait, because machines that test are busy.
        """
        return DriveAccessChecker(
            self.client(timeout=timeout or seconds, patient=False, with_readers=self.with_readers),
            self.targets,
            self.tree,
            self.registry,
            self.clock,
            seconds=seconds,
            principals=lambda: self.readers.reader,
        )

    def look(self) -> SourceSnapshot:
        """Observe the source as a tick of the sensor does; nothing is indexed yet."""
        now, version = self.clock.now(), self.indexer.version
        snapshot = observe_changes(
            self.source, self.registry, self.feed_log, version, now, reconcile_after=self.reconcile_after
        )
        record_snapshot(snapshot, self.registry, self.feed_log, version, now)
        return snapshot

    def tick(self) -> SourceSnapshot:
        """One tick of the sensor, and the runs it asks for."""
        snapshot = self.look()
        for file in snapshot.plan.to_index:
            self.indexer.index_file(file)
        self.index.delete(snapshot.plan.gone)
        return snapshot

    def tick_that_fails(self) -> LocatorError:
        """One tick that ends with an error, which is returned."""
        try:
            self.tick()
        except LocatorError as error:
            return error
        raise AssertionError("the tick did not fail")

    def requests(self) -> dict[str, int]:
        """The requests to Drive since the last call, tokens left out."""
        counts = self.drive.request_counts()
        self.drive.clear_requests()
        return {method: count for method, count in counts.items() if not method.startswith("oauth.")}

    def places(self) -> dict[str, str]:
        """Where the indexed files lie, by name."""
        query = "SELECT file_name, folder_path FROM drive_file_index"
        with self.database.connection() as connection:
            return dict(connection.execute(query).fetchall())

    def agrees_with_a_full_listing(self) -> bool:
        """Whether registry and index are exactly what listing everything gives."""
        listed = {file.file_id: file for file in self.source.list_files()}
        known = all_known(self.registry)
        same = {file_id: entry.file for file_id, entry in known.items()} == listed
        return same and all(entry.state != "pending" for entry in known.values())

    def database_writes(self) -> int:
        """Rows written so far, of all tables."""
        query = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables WHERE schemaname = 'public'"
        with self.database.connection() as connection:
            connection.execute("SELECT pg_stat_force_next_flush()")
            connection.execute("SELECT pg_stat_clear_snapshot()")
            row = connection.execute(query).fetchone()
        return int(row[0]) if row else 0

    def wait_for_reconciliation(self) -> None:
        """Let so much time pass that everything is listed again."""
        self.clock.sleep((self.reconcile_after + timedelta(seconds=1)).total_seconds())
