"""Measures a tick over a Drive with many files: requests, database writes and time, nothing indexed.

python benchmarks/drive_changes.py --files 100000
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.verdict import tell
from locator_search.app.locator import Locator
from locator_search.config.settings import Settings
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.indexing.crawl import SourceSnapshot, observe_changes, record_snapshot

SETTLE = """
UPDATE file_state SET state = 'indexed', done_revision = revision, pipeline_version = %s, content_hash = md5(file_id)
"""
WRITES = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables WHERE schemaname = 'public'"


class Bench:
    """An emulated Drive, and a product that crawls it into a database of its own."""

    def __init__(self, drive: DriveEmulator, home: Path) -> None:
        self.drive = drive
        self.target = drive.add_folder("Company")
        named = {name.lower(): value for name, value in drive.environment().items()}
        settings = Settings(**{**named, "google_drive_target_folder_ids": self.target, "locator_home": home})  # type: ignore[arg-type]
        self.locator = Locator(settings)

    def look(self) -> SourceSnapshot:
        """Observe the source as a tick of the sensor does before it asks for runs."""
        locator, now = self.locator, self.locator.clock.now()
        snapshot = observe_changes(
            locator.source,
            locator.registry,
            locator.feed_log,
            locator.indexer.version,
            now,
            reconcile_after=locator.reconcile_after,
        )
        record_snapshot(snapshot, locator.registry, locator.feed_log, locator.indexer.version, now)
        return snapshot

    def settle(self) -> None:
        """As if everything that waits had been indexed."""
        with self.locator.database.connection() as connection:
            connection.execute(SETTLE, [self.locator.indexer.version])
            connection.execute("VACUUM ANALYZE file_state")

    def writes(self) -> int:
        """Rows written so far."""
        with self.locator.database.connection() as connection:
            connection.execute("SELECT pg_stat_force_next_flush()")
            connection.execute("SELECT pg_stat_clear_snapshot()")
            row = connection.execute(WRITES).fetchone()
        return int(row[0]) if row else 0

    def measure(self, what: str, before: Callable[[], object] = lambda: None) -> float:
        """One line of the table; the seconds."""
        before()
        self.drive.clear_requests()
        writes, began = self.writes(), time.perf_counter()
        snapshot = self.look()
        seconds = time.perf_counter() - began
        asked = sum(count for name, count in self.drive.request_counts().items() if not name.startswith("oauth."))
        to_do = len(snapshot.plan.to_index) + len(snapshot.plan.gone)
        print(f"{what:34} {asked:8} {self.writes() - writes:10} {to_do:8} {seconds:10.3f}", flush=True)
        return seconds


def main() -> None:
    """Print one line per case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--per-folder", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="drive-") as home, DriveEmulator() as drive:
        bench = Bench(drive, Path(home))
        with bench.locator:
            files = drive.add_synthetic(arguments.files, bench.target, per_folder=arguments.per_folder)
            folder = drive.item(files[0]).parents[0]
            print(f"{'':34} {'requests':>8} {'row writes':>10} {'to do':>8} {'seconds':>10}")
            bench.measure("first listing")
            bench.settle()
            bench.measure("nothing changed")
            still = bench.measure("nothing changed")
            bench.measure("one file edited", lambda: drive.write(files[7], "edited"))
            bench.settle()
            bench.measure("one folder renamed", lambda: drive.rename(folder, "renamed"))
            bench.settle()
            bench.measure("one folder into the trash", lambda: drive.trash(folder))
    tell(f"a tick without news, {arguments.files:,} files", still, "s")


if __name__ == "__main__":
    main()
