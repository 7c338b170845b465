"""A folder grows: time, processors, memory and disk of a crawl per file, and of crawls and ticks that find nothing new.

python -m benchmarks.growth --sizes 200 1000 5000 20000
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from contextlib import nullcontext, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter, process_time
from typing import NamedTuple

import dagster as dg
import psutil
import psycopg

from benchmarks.crawl_overhead import write_files
from benchmarks.verdict import tell
from locator_assets.drive.sensors import drive_changes
from locator_assets.instance import open_instance
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings

LOOK_SECONDS = 1.0


class Took(NamedTuple):
    """Seconds by the clock, and of processors: of our own processes and of PostgreSQL's."""

    wall: float
    ours: float
    database: float


def main() -> None:
    """Measure and print, a line as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 1000, 5000], help="files in the folder, growing")
    parser.add_argument("--keep", type=Path, help="an empty folder that keeps the files and the index")
    options = parser.parse_args()
    sizes = sorted(set(options.sizes))
    print("| files | new | s | CPU ms per new file: crawl | PostgreSQL | MB: crawl | reading | PostgreSQL", end="")
    print(" | kB per file: index | Dagster | crawl without news: s | CPU s | MB | tick without news: s | CPU s", end="")
    print(" | PostgreSQL | MB |")
    print("|---" * 17 + "|")
    with (
        nullcontext(options.keep) if options.keep else tempfile.TemporaryDirectory(prefix="locator-bench-") as directory
    ):
        settings = load_settings(
            locator_home=Path(directory, "home"), locator_folders=str(Path(directory, "files")), database_url=None
        )
        with open_locator(settings) as locator:
            locator.upkeep.require_current()
            environment = {
                "DATABASE_URL": locator.database.url,
                "LOCATOR_FOLDERS": settings.locator_folders[0],
                "LOCATOR_HOME": str(directory),
            }
            server = _postgres_of(Path(directory, "home", "postgres", "data"))
            for before, size in zip([0, *sizes], sizes, strict=False):
                write_files(Path(directory, "files"), range(before, size))
                added, (took, memory) = size - before, _crawl(environment, server)
                still, still_memory = _crawl(environment, server)
                tick, tick_memory = _tick(environment, server)
                index, dagster = _kilobytes(locator.database.url)
                figures = [f"{size:,}", f"{added:,}", f"{took.wall:.0f}"]
                figures += [f"{seconds / added * 1000:.1f}" for seconds in (took.ours, took.database)]
                figures += [f"{memory[part]:.0f}" for part in ("crawl", "reading", "PostgreSQL")]
                figures += [f"{kilobytes / size:.1f}" for kilobytes in (index, dagster)]
                figures += [f"{still.wall:.1f}", f"{still.ours:.1f}", f"{still_memory['crawl']:.0f}"]
                figures += [f"{seconds:.2f}" for seconds in (tick.wall, tick.ours, tick.database)]
                figures += [f"{tick_memory:.0f}"]
                print("|", " | ".join(figures), "|", flush=True)
    tell(f"processor per new file, {sizes[-1]:,} files", (took.ours + took.database) / added * 1000, "ms")
    both = tick.ours + tick.database
    tell(f"a tick without news, {sizes[-1]:,} files, PostgreSQL's work for it included", both, "s", at_most=2.0)
    tell(f"memory of that tick, {sizes[-1]:,} files", tick_memory, "MB")


def _crawl(environment: dict[str, str], server: psutil.Process) -> tuple[Took, dict[str, float]]:
    """One crawl by command, its start included, and the most memory of its processes, in MB."""
    started, before = perf_counter(), _processor_seconds(server)
    process = subprocess.Popen(
        [sys.executable, "-m", "locator_search.cli.main", "crawler", "--json"],
        env={**os.environ, **environment},
        cwd=environment["LOCATOR_HOME"],
        stdout=subprocess.DEVNULL,
    )
    most: dict[str, float] = defaultdict(float)
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        for part, megabytes in _memory(process.pid, server).items():
            most[part] = max(most[part], megabytes)
        time.sleep(LOOK_SECONDS if most["crawl"] > 100 else 0.1)
    if ended[1]:
        sys.exit("A crawl failed.")
    used = ended[2]
    took = perf_counter() - started
    return Took(took, used.ru_utime + used.ru_stime, _processor_seconds(server) - before), most


def _tick(environment: dict[str, str], server: psutil.Process) -> tuple[Took, float]:
    """The second tick of a process, as the daemon's code server makes them, and the most memory it had, in MB."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_ticks, args=(theirs, environment))
    process.start()
    ours.recv()
    before = _of_connections(server)
    ours.send("again")
    wall, computed, kilobytes = ours.recv()
    database = sum(seconds - before.get(process, 0) for process, seconds in _of_connections(server).items())
    ours.send("enough")
    process.join()
    return Took(wall, computed, database), kilobytes / 1000


def _ticks(line: Connection, environment: dict[str, str]) -> None:
    warnings.simplefilter("ignore")
    os.environ.update(environment)
    with open_locator() as locator, open_instance(locator) as instance:
        for _ in ("once", "again"):
            started, computed = perf_counter(), process_time()
            with dg.build_sensor_context(instance=instance, resources={"parts": locator}) as context:
                drive_changes(context)
            most = getrusage(RUSAGE_SELF).ru_maxrss
            line.send((perf_counter() - started, process_time() - computed, most))
            line.recv()  # what its connections took can be read as long as they are open


def _memory(crawl: int, server: psutil.Process) -> dict[str, float]:
    """MB by part; what processes of one part share is counted once."""
    megabytes: dict[str, float] = defaultdict(float)
    with suppress(psutil.NoSuchProcess):
        ours = psutil.Process(crawl)
        megabytes["crawl"] = ours.memory_full_info().pss / 1e6
        parts = {"reading": ours.children(recursive=True), "PostgreSQL": [server, *server.children()]}
        for part, processes in parts.items():
            for process in processes:
                with suppress(psutil.NoSuchProcess):
                    megabytes[part] += process.memory_full_info().pss / 1e6
    return megabytes


def _postgres_of(data: Path) -> psutil.Process:
    return psutil.Process(int((data / "postmaster.pid").read_text().partition("\n")[0]))


def _processor_seconds(server: psutil.Process) -> float:
    """Of the server, of its connections, and of those that have ended."""
    total = sum(server.cpu_times()[:4])
    for process in server.children():
        with suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:2])
    return total


def _of_connections(server: psutil.Process) -> dict[int, float]:
    """Of each connection that is open: without what PostgreSQL does for itself, such as to tidy up after a crawl."""
    seconds: dict[int, float] = {}
    for process in server.children():
        with suppress(psutil.NoSuchProcess):
            if any(where in " ".join(process.cmdline()) for where in ("[local]", "127.0.0.1(", "::1(")):
                seconds[process.pid] = sum(process.cpu_times()[:2])
    return seconds


def _kilobytes(url: str) -> tuple[float, float]:
    """Of the index with its history, and of Dagster's records."""
    statement = "SELECT schemaname = 'dagster', sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables GROUP BY 1"
    with psycopg.connect(url) as connection:
        sizes: dict[bool, int] = dict(connection.execute(statement).fetchall())
    return int(sizes[False]) / 1000, int(sizes[True]) / 1000


if __name__ == "__main__":
    main()
