"""A Drive that fails all the time: in the end everything is indexed, and Drive was never pressed."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.postgres import Database
from locator_search.dev.drive_emulator import DriveEmulator, FaultRule
from locator_search.model import FileRef
from tests.builders.drive import DriveBench

STORM = FaultRule(
    faults=("429", "500", "503", "userRateLimitExceeded", "reset_before_headers", "truncated_body", "html"),
    probability=0.1,
    method="files.*",
)
LATE = FaultRule(faults=("slow",), probability=0.02, seconds=0.3)
SIZES = [120, pytest.param(2000, marks=pytest.mark.large)]


@pytest.mark.parametrize("size", SIZES)
def test_two_crawls_in_a_storm_index_everything_with_at_most_five_requests_in_flight(
    drive: DriveEmulator, database_url: str, tmp_path: Path, extractor: IsolatedExtractor, size: int
) -> None:
    with Database(database_url) as first, Database(database_url) as second:
        bench = DriveBench(drive, tmp_path, first, extractor)
        other = DriveBench(drive, tmp_path, second, extractor)
        other.crawl_folders(bench.target)
        drive.add_synthetic(size, bench.target, per_folder=12)
        drive.set_faults(STORM, LATE, seed=3)
        files = bench.look().plan.to_index
        assert len(files) == size
        with ThreadPoolExecutor(5) as one, ThreadPoolExecutor(5) as two:
            halves = ((bench, one, files[::2]), (other, two, files[1::2]))
            endings = [
                result.ending
                for results in [pool.map(worker.indexer.index_file, half) for worker, pool, half in halves]
                for result in results
            ]
        assert set(endings) == {"indexed"}
        assert bench.count("drive_file_index") == size
        assert bench.agrees_with_a_full_listing()
        assert 2 <= drive.most_in_flight <= 5
        assert waits_fit(bench)
        assert waits_fit(other)


def waits_fit(bench: DriveBench) -> bool:
    """Whether it waited at all, and by the rule only."""
    return bool(bench.clock.slept) and set(bench.clock.slept) <= {1, 2, 4, 8, 16}


def test_each_request_is_repeated_after_1_2_4_8_16_seconds(drive_bench: DriveBench) -> None:
    drive, bench = drive_bench.drive, drive_bench
    drive.add_file("a.txt", "本文", bench.target)
    [file] = bench.look().plan.to_index
    drive.set_faults(FaultRule(faults=("503",), method="files.media", first=5))
    assert bench.indexer.index_file(file).ending == "indexed"
    assert bench.clock.slept == [1, 2, 4, 8, 16]


def test_a_drive_that_stays_away_leaves_the_file_for_later(drive_bench: DriveBench) -> None:
    drive, bench = drive_bench.drive, drive_bench
    drive.add_file("a.txt", "本文", bench.target)
    bench.look()
    drive.set_faults(FaultRule(faults=("503",), method="files.media"))
    endings: dict[str, int] = defaultdict(int)
    for _ in range(8):
        for file in due(bench):
            endings[bench.indexer.index_file(file).ending] += 1
        bench.wait(days=1)
    assert endings == {"failed": 8}, "an outage of a week is no reason to give up"
    drive.set_faults()
    bench.wait(days=1)
    [file] = due(bench)
    assert bench.indexer.index_file(file).ending == "indexed"


def test_the_quota_of_the_day_ends_the_run_and_keeps_the_work(drive_bench: DriveBench) -> None:
    from locator_search.core.errors import QuotaUsedUp

    drive, bench = drive_bench.drive, drive_bench
    drive.add_file("a.txt", "本文", bench.target)
    [file] = bench.look().plan.to_index
    drive.set_faults(FaultRule(faults=("dailyLimitExceeded",), method="files.media"))
    with pytest.raises(QuotaUsedUp):
        bench.indexer.index_file(file)
    drive.set_faults()
    assert due(bench) == [file]


def due(bench: DriveBench) -> list[FileRef]:
    known = bench.registry.due(bench.indexer.version, bench.clock.now(), 10)
    return [entry.file for entry in known.values()]
