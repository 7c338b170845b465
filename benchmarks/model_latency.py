"""How near a crawl comes to the limit of its policy: five requests to the model in flight, one summary per file.

python benchmarks/model_latency.py --files 200 --latency 1 --embedding-latency 1
"""

from __future__ import annotations

import argparse
import json
import tempfile
import warnings
from collections.abc import Iterable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter

from locator_assets.commands.crawl import run_crawl
from locator_assets.commands.crawl_report import CrawlReport
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from tests.fakes.openai_server import Body, Reply, completion, embeddings, openai_server

IN_FLIGHT = 5
WARM_UP = 5
ALLOWED = 1.15
ANSWER = json.dumps({"summary": "進み具合の報告。", "keywords": ["報告書"]}, ensure_ascii=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds per summary")
    parser.add_argument("--embedding-latency", type=float, default=1.0, help="seconds per request for embeddings")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    ours, theirs = get_context("spawn").Pipe()
    latencies = (arguments.latency, arguments.embedding_latency)
    server = get_context("spawn").Process(target=serve, args=(theirs, *latencies), daemon=True)
    server.start()
    with tempfile.TemporaryDirectory(prefix="locator-bench-") as directory:
        report, seconds = crawl(Path(directory), ours.recv(), arguments.files)
    ours.send("enough")
    summaries, embedded, most_in_flight = ours.recv()
    server.join()
    limit = arguments.files / IN_FLIGHT * arguments.latency
    print(f"files              {report.indexed} of {arguments.files}, {len(report.failed)} failed")
    print(f"requests           {summaries} summaries, {embedded} for embeddings, {WARM_UP} files of warm-up included")
    print(f"in flight at most  {most_in_flight}")
    print(f"the policy's limit {limit:.1f} s")
    print(f"this crawl         {seconds:.1f} s, {seconds / limit:.3f} times the limit (allowed: {ALLOWED})")


def serve(line: Connection, latency: float, embedding_latency: float) -> None:
    """A model server in a process of its own, so that its computing is not ours. Told to go on, it says how long its
    summaries took since it was told so before, from the first to the last; ends when told "enough"."""
    asked_at = list[float]()

    def answer(path: str, body: Body) -> Reply:
        if path.endswith("/embeddings"):
            vectors = [[1.0, float(number)] + [0.0] * 1534 for number, _ in enumerate(body["input"])]
            return Reply(embeddings(vectors), delay=embedding_latency)
        asked_at.append(perf_counter())
        return Reply(completion(ANSWER), delay=latency)

    with openai_server() as server:
        server.handler = answer
        line.send(server.url)
        while line.recv() != "enough":
            line.send(max(asked_at) - min(asked_at) + latency)
            asked_at.clear()
        asked = [path.rpartition("/v1/")[2] for path, _ in server.requests]  # and whether the models are there
        line.send((asked.count("chat/completions"), asked.count("embeddings"), server.most_in_flight))


def crawl(home: Path, url: str, count: int) -> tuple[CrawlReport, float]:
    """The report of a crawl over so many new files, and how many seconds it took."""
    folder = home / "files"
    folder.mkdir()
    settings = load_settings(
        locator_home=home / "home",
        locator_folders=str(folder),
        database_url=None,
        openai_api_key="sk-benchmark",
        openai_base_url=url,
    )
    with open_locator(settings) as locator:
        write(folder, range(WARM_UP))
        run_crawl(locator)  # now worker processes, dictionaries and connections are warm
        write(folder, range(WARM_UP, WARM_UP + count))
        started = perf_counter()
        return run_crawl(locator), perf_counter() - started


def write(folder: Path, numbers: Iterable[int]) -> None:
    """Small text files, each with a text of its own."""
    for number in numbers:
        text = f"第{number}号報告書\n\n案件{number}の進み具合を報告する。予算は{number}万円である。\n"
        (folder / f"report-{number:06}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
