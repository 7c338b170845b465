"""`document-locator up` of one world: started, watched, struck and stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from tests.chaos.world import World, command_line, descendants

START_SECONDS = 240
STOP_SECONDS = 60
KINDS = {
    "page": "streamlit run",
    "webserver": "dagster_webserver",
    "daemon": "dagster._daemon",
    "code server": "dagster api grpc",
    "reading worker": "extractors.worker",
}
"""How a process of each kind is started."""


class Served:
    """One `up`, what it printed, and its processes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._printed = world.place / "up.txt"
        with self._printed.open("wb") as sink:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "locator_search.cli.main", "up", "--no-browser"],
                env=world.environment,
                cwd=world.place,
                stdout=sink,
                stderr=subprocess.STDOUT,
            )

    @property
    def pid(self) -> int:
        """Of the process that watches the others."""
        return self._process.pid

    @property
    def printed(self) -> str:
        """Everything it printed so far."""
        return self._printed.read_text("utf-8", "replace")

    @property
    def has_ended(self) -> bool:
        """Whether it runs no more."""
        return self._process.poll() is not None

    def wait_for(self, words: str) -> None:
        """Until it has printed some words, as it does when all is well."""
        deadline = time.monotonic() + START_SECONDS
        while words not in self.printed:
            if self.has_ended or time.monotonic() > deadline:
                raise RuntimeError(f"`up` never said {words!r}: {self.printed[-500:]}")
            time.sleep(0.1)

    def processes(self, kind: str) -> list[psutil.Process]:
        """Those of a kind that live."""
        return [one for one in descendants(self._process.pid) if KINDS[kind] in command_line(one)]

    def run_workers(self) -> list[psutil.Process]:
        """Processes in which runs of Dagster work."""
        return [one.parent() or one for one in self.processes("reading worker")]

    def kill(self) -> None:
        """Without a warning."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """As a service manager does; how it ends is judged."""
        if not self.has_ended:
            self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._world.complaints.append(f"`up` did not end within {STOP_SECONDS} seconds")
            self.kill()
        self._world.judge_words("`up`", self.printed)


@contextmanager
def served(world: World) -> Iterator[Served]:
    """One that is stopped when the block ends."""
    up = Served(world)
    try:
        yield up
    finally:
        up.stop()
