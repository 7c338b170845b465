"""How near a crawl comes to the limit of its policy: five requests to the model in flight, one summary per file.

python benchmarks/model_latency.py --files 200 --latency 1 --embedding-latency 1
"""

from __future__ import annotations

import argparse
import json
import tempfile
import warnings
from pathlib import Path
from time import perf_counter

from locator_assets.crawl_command import run_crawl
from locator_search.app import open_locator
from locator_search.settings import load_settings
from tests.fakes.openai_server import Body, Reply, completion, embeddings, openai_server

IN_FLIGHT = 5
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

    def answer(path: str, body: Body) -> Reply:
        if path.endswith("/embeddings"):
            vectors = [[1.0, float(number)] + [0.0] * 1534 for number, _ in enumerate(body["input"])]
            return Reply(embeddings(vectors), delay=arguments.embedding_latency)
        return Reply(completion(ANSWER), delay=arguments.latency)

    with tempfile.TemporaryDirectory(prefix="locator-bench-") as directory, openai_server() as server:
        server.handler = answer
        folder = Path(directory, "files")
        folder.mkdir()
        settings = load_settings(
            locator_home=Path(directory, "home"),
            locator_folders=str(folder),
            database_url=None,
            openai_api_key="sk-benchmark",
            openai_base_url=server.url,
        )
        with open_locator(settings) as locator:
            run_crawl(locator)  # now servers and dictionaries are warm
            for number in range(arguments.files):
                text = f"第{number}号報告書\n\n案件{number}の進み具合を報告する。予算は{number}万円である。\n"
                (folder / f"report-{number:06}.txt").write_text(text, "utf-8")
            started = perf_counter()
            report = run_crawl(locator)
            seconds = perf_counter() - started
    limit = arguments.files / IN_FLIGHT * arguments.latency
    embedded = sum(path.endswith("/embeddings") for path, _ in server.requests)
    print(f"files              {report.indexed} of {arguments.files}, {len(report.failed)} failed")
    print(f"requests           {len(server.requests) - embedded} summaries, {embedded} for embeddings")
    print(f"in flight at most  {server.most_in_flight}")
    print(f"the policy's limit {limit:.1f} s")
    print(f"this crawl         {seconds:.1f} s, {seconds / limit:.3f} times the limit (allowed: {ALLOWED})")


if __name__ == "__main__":
    main()
