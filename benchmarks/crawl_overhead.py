"""Measures what Dagster costs per file: the same work with and without it, block by block, in one run.

python benchmarks/crawl_overhead.py --files 10000
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import dagster as dg
import psutil

from benchmarks.verdict import tell
from locator_assets.commands.running import run_here
from locator_assets.drive.definitions import crawl_defs
from locator_assets.drive.ticks import BATCH
from locator_assets.instance import open_instance
from locator_assets.partitions import enter_partitions
from locator_assets.staged.runs import batches
from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.indexing.crawl import observe_source, record_snapshot
from locator_search.model import FileRef

BLOCKS = 10
ALLOWED = 1.5


@dataclass(frozen=True)
class Block:
    """One tenth of the files: milliseconds per file with Dagster and without, by the clock and of our processors, and
    memory after it."""

    with_dagster: Cost
    without: Cost
    megabytes: float


class Cost(NamedTuple):
    """Milliseconds per file: by the clock, and of processors, those of the reading workers included."""

    wall: float
    cpu: float


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--files", type=int, default=2000, help="files on each side (default: 2000)")
    count = arguments.parse_args().files
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(prefix="locator-bench-") as directory:
        folder = Path(directory, "files")
        write_files(folder, range(2 * count + BATCH))
        settings = load_settings(locator_home=Path(directory, "home"), locator_folders=str(folder), database_url=None)
        with open_locator(settings) as locator, open_instance(locator) as instance:
            blocks = _measure(locator, instance, count)
    _print(blocks)


def write_files(folder: Path, numbers: Iterable[int]) -> None:
    """Small text files in a hundred folders, each with a text of its own."""
    for number in numbers:
        path = folder / f"{number % 100:02}" / f"report-{number:06}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"第{number}号報告書\n\n案件{number}の進み具合を報告する。予算は{number}万円である。\n", "utf-8"
        )


def _measure(locator: Locator, instance: dg.DagsterInstance, count: int) -> list[Block]:
    now = locator.clock.now()
    started = perf_counter()
    snapshot = observe_source(locator.source, locator.registry, locator.indexer.version, now)
    record_snapshot(snapshot, locator.registry, locator.feed_log, locator.indexer.version, now)
    files = snapshot.plan.to_index
    print(f"listing, comparing and entering: {(perf_counter() - started) / len(files) * 1000:.2f} ms/file")
    enter_partitions(instance, locator.registry, [file.file_id for file in files[:count]])
    _without(locator, files[2 * count :])  # now worker processes, dictionaries and connections are warm
    blocks = []
    for ours, plain in zip(_tenths(files[:count]), _tenths(files[count : 2 * count]), strict=True):
        # First one, then the other, so that a busy machine is busy for both.
        without = _per_file(plain, lambda some: _without(locator, some))
        with_dagster = _per_file(ours, lambda some: _with_dagster(locator, instance, some))
        megabytes = psutil.Process().memory_info().rss / 1e6
        blocks.append(Block(with_dagster, without, megabytes))
        print(
            f"{len(blocks) * 10:3} %  {with_dagster.wall - without.wall:6.1f} ms/file  {megabytes:.0f} MB", flush=True
        )
    return blocks


def _with_dagster(locator: Locator, instance: dg.DagsterInstance, files: Sequence[FileRef]) -> None:
    for batch in batches(files, BATCH):
        config = {"file_ids": [file.file_id for file in batch]}
        resources = {"parts": locator, "on_result": lambda _result: None}
        job = crawl_defs.resolve_job_def("index_files_job")
        run_here(locator, instance, job, {"index_files": {"config": config}}, resources)


def _without(locator: Locator, files: Sequence[FileRef]) -> None:
    indexer = locator.indexer
    with locator.locks.hold("benchmark"), ThreadPoolExecutor(locator.files_at_once) as pool:
        list(pool.map(indexer.index_file, files))


def _per_file(files: Sequence[FileRef], work: Callable[[Sequence[FileRef]], None]) -> Cost:
    started, computed = perf_counter(), _processor_seconds()
    work(files)
    wall, cpu = perf_counter() - started, _processor_seconds() - computed
    return Cost(wall / len(files) * 1000, cpu / len(files) * 1000)


def _processor_seconds() -> float:
    """Of this process and those it started, without the database."""
    ours = psutil.Process()
    processes = [ours, *(child for child in ours.children(recursive=True) if child.name() != "postgres")]
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def _tenths(files: Sequence[FileRef]) -> list[Sequence[FileRef]]:
    size = len(files) // BLOCKS
    return [files[start : start + size] for start in range(0, size * BLOCKS, size)]


def _print(blocks: Sequence[Block]) -> None:
    print("\nblock     with Dagster (wall, CPU)     without (wall, CPU)   memory")
    for number, block in enumerate(blocks, start=1):
        ours, plain = block.with_dagster, block.without
        print(
            f"{number * 10:3} %  {ours.wall:9.1f} {ours.cpu:9.1f} ms   {plain.wall:9.1f} {plain.cpu:9.1f} ms"
            f" {block.megabytes:7.0f} MB"
        )
    wall = median(block.with_dagster.wall / block.without.wall for block in blocks)
    cpu = median(block.with_dagster.cpu / block.without.cpu for block in blocks)
    print(f"\nwith Dagster / without, median of the blocks: wall {wall:.2f}, CPU {cpu:.2f} (allowed: {ALLOWED})")
    print(f"memory {blocks[0].megabytes:.0f} -> {blocks[-1].megabytes:.0f} MB")
    tell("with Dagster / without, by the clock", wall, at_most=ALLOWED)
    tell("with Dagster / without, of processors", cpu, at_most=ALLOWED)


if __name__ == "__main__":
    main()
