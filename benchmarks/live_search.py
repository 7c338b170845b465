"""Measures the time that live search adds to that of the services: `python benchmarks/live_search.py --questions 20`.

Servers that answer after a set time are asked by hand, over bare pipes, and through the whole search with a model that
answers at once, in turns. Run it from the checkout: the servers are those of the tests.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from locator_search.core.clock import SystemClock
from locator_search.live_search.searcher import LiveSearch
from locator_search.ports import Answer, Prompt
from tests.builders.services import PROGRAM, opened, scripted

DELAYS = {"drive": 0.5, "slack": 0.4, "github": 0.3}
"""Seconds each service takes to search."""
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class Bare:
    """One of the servers, asked by hand."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._call("initialize", HELLO)

    def search(self, query: str) -> float:
        """Seconds of a search and of reading what it found."""
        begun = time.perf_counter()
        self._call("tools/call", {"name": "search", "arguments": {"query": query}})
        self._call("tools/call", {"name": "read", "arguments": {"id": "h0"}})
        return time.perf_counter() - begun

    def close(self) -> None:
        """End it."""
        self._process.communicate()

    def _call(self, method: str, params: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        json.loads(self._process.stdout.readline())


class InstantModel:
    """Writes the queries that make the servers wait, and an answer, at once."""

    model_name = "instant"

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        """The same every time."""
        if prompt.task == "live_answer":
            return prompt.output_model.model_validate({"answer": "三回 [1]"})
        drafts = {f"{name}__thing": {"query": f"wait {delay}", "alternatives": []} for name, delay in DELAYS.items()}
        return prompt.output_model.model_validate(drafts)


def main() -> None:
    """Cold start, warm overhead, and what is left behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--starts", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cold(Path(folder), options.starts)
        warm(Path(folder), options.questions)


def cold(folder: Path, starts: int) -> None:
    """The command over made-up services from its start to its answer, beside the import every server begins with."""
    question = ["live", "Project Alpha の設計ドキュメントはどこ？", "--mock", "--json"]
    command = [sys.executable, "-m", "locator_search.cli.main", *question]
    pairs = [
        (seconds_of([sys.executable, "-c", "import mcp"], folder), seconds_of(command, folder)) for _ in range(starts)
    ]
    bare, answered = (statistics.median(seconds) for seconds in zip(*pairs, strict=True))
    ratio = answered / bare
    print(f"cold: answered after {answered:.2f} s; the SDK alone takes {bare:.2f} s to import, ratio {ratio:.1f}")


def seconds_of(command: list[str], home: Path) -> float:
    """Of one process."""
    begun = time.perf_counter()
    environment = {"PATH": "/usr/bin:/bin", "LOCATOR_HOME": str(home / "home"), "HOME": str(home)}
    subprocess.run(command, env=environment, capture_output=True, check=True)
    return time.perf_counter() - begun


def warm(folder: Path, questions: int) -> None:
    """Questions to servers that run, by hand and through the search, in turns."""
    by_hand = {name: Bare() for name in DELAYS}
    with opened(folder, {name: scripted() for name in DELAYS}) as gateway:
        search = LiveSearch(gateway, InstantModel(), SystemClock(), "ja", "Asia/Tokyo")

        def through_the_search() -> float:
            begun = time.perf_counter()
            outcome = search.ask("再送の上限は？")
            assert len(outcome.queries) == len(DELAYS)
            assert not outcome.warnings
            return time.perf_counter() - begun

        through_the_search()
        before, slowest, added = left_behind(), [], []
        for _ in range(questions):
            own = [server.search(f"wait {DELAYS[name]}") for name, server in by_hand.items()]
            slowest.append(max(own))
            added.append(through_the_search() - max(own))
        ratio = statistics.median(1 + more / own for more, own in zip(added, slowest, strict=True))
        own_time, sum_of_all = statistics.median(slowest), sum(DELAYS.values())
        ours, most = statistics.median(added) * 1000, max(added) * 1000
        print(f"warm: the services take {own_time:.3f} s at once, {sum_of_all:.1f} s one after the other;")
        print(f"      the search adds {ours:.0f} ms (at most {most:.0f} ms), ratio {ratio:.3f}")
        print(f"after {questions} questions: descriptors, threads, children {left_behind()}, before {before}")
    for server in by_hand.values():
        server.close()


def left_behind() -> tuple[int, int, int]:
    """The resources that this process holds."""
    this = psutil.Process()
    return this.num_fds(), this.num_threads(), len(this.children(recursive=True))


if __name__ == "__main__":
    main()
