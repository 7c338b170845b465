"""How long writers of the index wait for each other.

python -m benchmarks.writers --files 2000 --writers 1 2 4
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

from benchmarks.retrieval_corpus import CHUNKS_PER_FILE, Corpus
from benchmarks.verdict import tell
from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings

GROUP = 16
"""Files of a transaction."""

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2000, help="written by all writers of a measurement together")
    parser.add_argument("--writers", type=int, nargs="+", default=[1, 2, 4])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="locator-bench-") as home:
        settings = load_settings(locator_home=Path(home), database_url=None)
        with open_locator(settings) as locator:
            locator.upkeep.require_current()
            print(f"{arguments.files:,} files of {CHUNKS_PER_FILE} chunks, {GROUP} in a transaction")
            print("writers   files/s   of its time, a writer waits")
            for turn, writers in enumerate(arguments.writers):
                _measure(locator.database, writers, arguments.files, first=turn * arguments.files)


def _measure(database: Database, writers: int, files: int, first: int) -> None:
    spawning = get_context("spawn")
    ready = spawning.Barrier(writers + 1)
    share = files // writers
    starts = [first + number * share for number in range(writers)]
    processes = [
        spawning.Process(target=_write, args=(database.url, start, start + share, first + files, ready))
        for start in starts
    ]
    for process in processes:
        process.start()
    ready.wait()
    done, looks, started = Event(), list[int](), perf_counter()
    watcher = Thread(target=_watch, args=(database, done, looks))
    watcher.start()
    for process in processes:
        process.join()
    seconds = perf_counter() - started
    done.set()
    watcher.join()
    print(f"{writers:7}   {share * writers / seconds:7.1f}   {sum(looks) / len(looks) / writers:27.1%}", flush=True)
    tell(f"files a second by {writers} at once, {CHUNKS_PER_FILE} chunks each", share * writers / seconds)


def _write(url: str, start: int, stop: int, files: int, ready: Barrier) -> None:
    """Write files [start:stop] in groups, once all writers have made theirs."""
    made = Corpus(files * CHUNKS_PER_FILE, "hashed").entries(start, stop)
    entries = [replace(entry, text_key=entry.content_hash) for entry in made]
    with Database(url) as database:
        index = PostgresIndexStore(database)
        database.server_version()  # connected
        ready.wait()
        for place in range(0, len(entries), GROUP):
            index.replace_many(entries[place : place + GROUP], "1")


def _watch(database: Database, done: Event, looks: list[int]) -> None:
    """Look every few milliseconds how many wait."""
    with database.connection() as connection:
        while not done.wait(0.003):
            [[waiting]] = connection.execute(WAITING).fetchall()
            looks.append(waiting)


if __name__ == "__main__":
    main()
