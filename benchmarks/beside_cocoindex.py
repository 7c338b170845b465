"""What a crawl costs beside CocoIndex: the same files, chunks, embedder and PostgreSQL, each by its command, in turns.

python -m benchmarks.beside_cocoindex --cocoindex VENV/bin/python --files 1000
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import psutil
import psycopg

from benchmarks.verdict import tell
from locator_search.adapters.offline.keywords import document_keywords
from locator_search.adapters.offline.summary import summarise
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings

ROOT = Path(__file__).parents[1]
WARM_UP = 5
SUMMARY_LENGTH = 400
ALLOWED = {"full": 3.0, "no change": 2.0, "one file": 2.0}


class Cost(NamedTuple):
    """Seconds of one whole program: of processors with those of its children, of PostgreSQL's, and by the clock."""

    program: float
    database: float
    wall: float


Side = Callable[[], Cost]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cocoindex", required=True, help="python of an environment with cocoindex[postgres]")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3, help="runs with no change, and with one changed file")
    arguments = parser.parse_args()
    _require_cocoindex(arguments.cocoindex)
    with tempfile.TemporaryDirectory(prefix="locator-bench-") as directory:
        home, folder = Path(directory), Path(directory, "files")
        with _database(home / "database") as (url, server):
            ours = _timed(
                [sys.executable, "-m", "locator_search.cli.main", "crawler", "--json"],
                {
                    "DATABASE_URL": url,
                    "LOCATOR_FOLDERS": str(folder),
                    "LOCATOR_HOME": str(home / "ours"),
                    "LOG_LEVEL": "ERROR",
                },
                server,
            )
            packages = [str(ROOT), sysconfig.get_path("purelib")]
            theirs = _timed(
                [arguments.cocoindex, str(ROOT / "benchmarks" / "cocoindex_flow.py"), str(folder), url, *packages],
                {"COCOINDEX_DB": str(home / "theirs")},
                server,
            )
            costs = _measure(folder, arguments.files, arguments.repeats, ours, theirs)
            chunks, extra = _chunks(url), _summaries(folder)
    print(f"chunks: {chunks[0]} of ours, {chunks[1]} of theirs")
    _print(costs, arguments.files)
    [(full, other)] = costs["full"]
    ratio = (full.program + full.database - extra) / (other.program + other.database)
    print(f"full, without summaries and keywords, which theirs does not make ({extra:.2f} s): {ratio:.2f}")


def _require_cocoindex(python: str) -> None:
    try:
        asked = subprocess.run([python, "-c", "import cocoindex, asyncpg"], capture_output=True, check=False)
    except OSError:
        sys.exit(f"{python} cannot be started.")
    if asked.returncode:
        sys.exit(f"{python} has no CocoIndex: {python} -m pip install 'cocoindex[postgres]'")


@contextmanager
def _database(home: Path) -> Iterator[tuple[str, psutil.Process]]:
    """The address of a PostgreSQL with both schemas, and its first process."""
    with open_locator(load_settings(locator_home=home, database_url=None)) as locator:
        locator.upkeep.require_current()
        [pid_file] = home.rglob("postmaster.pid")
        yield locator.database.url, psutil.Process(int(pid_file.read_text().split()[0]))


def _chunks(url: str) -> tuple[int, int]:
    """How many either side keeps."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM file_chunk), (SELECT count(*) FROM beside.chunks)"
        ).fetchone()
    assert row is not None
    return row[0], row[1]


def _summaries(folder: Path) -> float:
    """Seconds of a processor for the summaries and keywords of all files."""
    texts = [path.read_text("utf-8") for path in folder.rglob("*.txt")]
    for text in texts[:WARM_UP]:  # loads the dictionary
        summarise(text, SUMMARY_LENGTH), document_keywords(text)
    started = process_time()
    for text in texts:
        summarise(text, SUMMARY_LENGTH), document_keywords(text)
    return process_time() - started


def _timed(command: list[str], settings: dict[str, str], server: psutil.Process) -> Side:
    environment = {**os.environ, **settings}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else every start compiles everything anew

    def run() -> Cost:
        before, kept, started = _of_children(), _of_server(server), perf_counter()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        return Cost(_of_children() - before, _of_server(server) - kept, perf_counter() - started)

    return run


def _of_children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _of_server(server: psutil.Process) -> float:
    """Of all its processes, those that ended included."""
    while True:
        with suppress(psutil.NoSuchProcess):  # one that ends meanwhile is the first one's to tell
            return sum(server.cpu_times()[:4]) + sum(sum(child.cpu_times()[:2]) for child in server.children())


def _measure(folder: Path, count: int, repeats: int, ours: Side, theirs: Side) -> dict[str, list[tuple[Cost, Cost]]]:
    """Per kind of run its costs: ours and theirs, in turns."""
    _write(folder, range(WARM_UP))
    ours(), theirs()  # tables are there and everything is compiled
    _write(folder, range(WARM_UP, WARM_UP + count))
    costs = {"full": [(ours(), theirs())], "no change": [], "one file": []}
    for number in range(repeats):
        costs["no change"].append((ours(), theirs()))
        _write(folder, [number], "変更後の")
        costs["one file"].append((ours(), theirs()))
    return costs


def _write(folder: Path, numbers: range | list[int], which: str = "") -> None:
    for number in numbers:
        path = folder / f"{number % 100:02}" / f"report-{number:06}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (
            f"第{line}節では案件{number * line}の予算{line}万円と進み具合を{which}報告する。" for line in range(40)
        )
        path.write_text(f"第{number}号報告書\n\n" + "\n".join(lines) + "\n", "utf-8")


def _print(costs: dict[str, list[tuple[Cost, Cost]]], files: int) -> None:
    print(f"{files} files: seconds of processors and wall")
    print("                  ours: program database     wall   theirs: program database     wall   CPU ratio")
    for kind, pairs in costs.items():
        ours, theirs = (
            Cost(*(median(column) for column in zip(*side, strict=True))) for side in zip(*pairs, strict=True)
        )
        ratio = median((one.program + one.database) / (other.program + other.database) for one, other in pairs)
        print(
            f"{kind:18} {ours.program:12.2f} {ours.database:8.2f} {ours.wall:8.2f} s {theirs.program:13.2f}"
            f" {theirs.database:8.2f} {theirs.wall:8.2f} s {ratio:9.2f} (allowed: {ALLOWED[kind]})"
        )
        tell(f"a crawl ({kind}) / CocoIndex's, of processors", ratio, at_most=ALLOWED[kind])


if __name__ == "__main__":
    main()
