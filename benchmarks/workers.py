"""How much sooner two workers with 10 request slots end than one with 5, where a crawl waits for its model.

python -m benchmarks.workers --files 400 --latency 1
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter

from benchmarks.model_latency import serve, write
from benchmarks.verdict import tell
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings

WARM_UP = 5
ALLOWED = 0.6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=400, help="files for each of the two measurements")
    parser.add_argument("--latency", type=float, default=1.0, help="seconds per answer of the model")
    arguments = parser.parse_args()
    ours, theirs = get_context("spawn").Pipe()
    server = get_context("spawn").Process(
        target=serve, args=(theirs, arguments.latency, arguments.latency), daemon=True
    )
    server.start()
    count = arguments.files
    with tempfile.TemporaryDirectory(prefix="locator-bench-") as directory:
        home = Path(directory)
        folder = home / "files"
        folder.mkdir()
        with open_locator(load_settings(locator_home=home / "one", database_url=None)) as locator:
            locator.upkeep.require_current()
            environment = {
                **os.environ,
                "DATABASE_URL": locator.database.url,
                "LOCATOR_FOLDERS": str(folder),
                "OPENAI_API_KEY": "sk-benchmark",
                "OPENAI_BASE_URL": ours.recv(),
            }
            write(folder, range(WARM_UP))
            crawl(environment, home, workers=1)
            summarising(ours)
            write(folder, range(WARM_UP, WARM_UP + count))
            alone, at_models_alone = crawl(environment, home, workers=1), summarising(ours)
            write(folder, range(WARM_UP + count, WARM_UP + 2 * count))
            together, at_models_together = crawl(environment, home, workers=2), summarising(ours)
    ours.send("enough")
    summaries, _, most_in_flight = ours.recv()
    server.join()
    print(f"summaries paid     {summaries} for {WARM_UP + 2 * count} files; in flight at most {most_in_flight}")
    print(f"one worker         {alone:.1f} s, 5 request slots; all summaries within {at_models_alone:.1f} s")
    print(f"two workers        {together:.1f} s, 10 request slots; all summaries within {at_models_together:.1f} s")
    print(f"ratio              {together / alone:.2f} (allowed: {ALLOWED}), starting the programs included")
    print(f"of the summaries   {at_models_together / at_models_alone:.2f}")
    tell("two workers / one", together / alone, at_most=ALLOWED)


def summarising(line: Connection[str, float]) -> float:
    """Seconds from the first summary to the last since this was asked before."""
    line.send("go on")
    return line.recv()


def crawl(environment: dict[str, str], folder: Path, *, workers: int) -> float:
    """Seconds until the last of so many workers, each with a home of its own, has ended."""
    slots = {"LOCATOR_CRAWL_SLOTS": str(workers), "LOCATOR_REQUEST_SLOTS": str(5 * workers)}
    started = perf_counter()
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "locator_search.cli.main", "crawler", "--json"],
            env={**environment, **slots, "LOCATOR_HOME": str(folder / f"worker-{number}")},
            stdout=subprocess.DEVNULL,
        )
        for number in range(workers)
    ]
    for process in processes:
        if process.wait():
            sys.exit("A worker failed.")
    return perf_counter() - started


if __name__ == "__main__":
    main()
