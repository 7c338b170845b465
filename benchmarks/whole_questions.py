"""How long a whole question takes, from its words to the files that are shown, beside another version of the product.

python -m benchmarks.whole_questions --chunks 100000
python -m benchmarks.whole_questions --chunks 100000 --beside ../former-checkout

Either version answers in a process of its own, out of an index that it filled itself. Each question is put to both in
turn, `--repeats` times, and the fastest of either counts. Offline models answer, so that nothing but the product is
measured.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

SERVE = "--serve"
KINDS = ("a sentence", "and a name")
"""Of the questions of the corpus, in turn."""


def main() -> None:
    """Fill what is not filled yet, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3, help="of every question; the fastest counts")
    parser.add_argument("--beside", type=Path, help="a checkout of another version")
    parser.add_argument("--home", type=Path, default=Path(".locator-benchmark"), help="where the databases are kept")
    arguments = parser.parse_args()
    checkouts = [Path(__file__).parents[1], *([arguments.beside.resolve()] if arguments.beside else [])]
    sizes = (arguments.chunks, arguments.questions)
    homes = [arguments.home.resolve() / name for name in ("questions", "questions-beside")]
    versions = [Version(checkout, home, sizes) for checkout, home in zip(checkouts, homes, strict=False)]
    times: list[list[float]] = [[] for _ in versions]
    for number in range(arguments.questions):
        best = [float("inf")] * len(versions)
        for turn in range(arguments.repeats):
            order = range(len(versions)) if (number + turn) % 2 else reversed(range(len(versions)))
            for which in order:
                best[which] = min(best[which], versions[which].ask(number))
        for which, seconds in enumerate(best):
            times[which].append(seconds)
    for version in versions:
        version.end()
    for offset, kind in enumerate(KINDS):
        print(table(kind, [own[offset :: len(KINDS)] for own in times]))
    print(table("all", times))


def table(kind: str, times: Sequence[Sequence[float]]) -> str:
    """One line: milliseconds of this version, of the other, and the median of the ratios question by question."""
    cells = [f"p50 {median(own) * 1e3:7.1f} ms, p95 {quantiles(own, n=20)[-1] * 1e3:7.1f} ms" for own in times]
    if len(times) > 1:
        cells.append(f"ratio {median(ours / theirs for ours, theirs in zip(*times, strict=True)):.3f}")
    return f"{kind:<12}" + "   beside ".join(cells[:2]) + "".join(f"   {cell}" for cell in cells[2:])


@dataclass
class Version:
    """A process that answers questions with the code of one checkout."""

    checkout: Path
    home: Path
    sizes: tuple[int, int]

    def __post_init__(self) -> None:
        chunks, questions = self.sizes
        command = [sys.executable, __file__, SERVE, str(self.home), str(chunks), str(questions)]
        environment = {**os.environ, "PYTHONPATH": str(self.checkout), "PYTHONSAFEPATH": "1"}
        self._process = subprocess.Popen(
            command, cwd=self.checkout, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._read()

    def ask(self, number: int) -> float:
        """The seconds that the question of that number took."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        return float(self._read())

    def end(self) -> None:
        """Stop the process, which stops its database."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _read(self) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                return str(json.loads(line)["seconds"])
            print(line, end="", flush=True)
        raise SystemExit(f"{self.checkout} answers no questions.")


def serve(home: Path, chunks: int, questions: int) -> None:
    """Fill the index, and answer the questions whose numbers are read, with the code that is found first."""
    from benchmarks.retrieval import load
    from benchmarks.retrieval_corpus import Corpus
    from locator_search.app.locator import open_locator
    from locator_search.config.settings import load_settings

    logging.disable(logging.WARNING)
    corpus = Corpus(chunks, "hashed")
    with open_locator(load_settings(locator_home=home, database_url=None, locator_search_seconds=120)) as locator:
        load(locator.database, corpus)
        texts = [question.text for question in corpus.questions(questions)]
        locator.drive_search.start(texts[0]).advance()
        print(json.dumps({"seconds": 0}), flush=True)
        for line in sys.stdin:
            started = perf_counter()
            locator.drive_search.start(texts[int(line)]).advance()
            print(json.dumps({"seconds": perf_counter() - started}), flush=True)


if __name__ == "__main__":
    if SERVE in sys.argv:
        serve(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
