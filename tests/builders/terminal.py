"""A terminal of its own for a command: what is shown on it, and keys for it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 300.0


@dataclass
class Terminal:
    """24 lines of 40 columns. `before` are its modes before the command began."""

    fd: int
    process: subprocess.Popen[bytes]
    before: list[object]
    shown: str = ""

    @classmethod
    @contextmanager
    def running(cls, *words: str, environment: Mapping[str, str]) -> Iterator[Terminal]:
        """A Python process with these arguments, whose three streams are the terminal."""
        fd, inside = pty.openpty()
        termios.tcsetwinsize(fd, (24, 40))
        process = subprocess.Popen(
            [sys.executable, *words],
            env={**environment, "TERM": "xterm-256color", "PYTHONUTF8": "1"},
            cwd=ROOT,
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
        )
        terminal = cls(fd, process, termios.tcgetattr(inside))
        os.close(inside)
        try:
            yield terminal
        finally:
            process.kill()
            process.wait()
            os.close(fd)

    def read_until(self, words: str) -> None:
        """Read what is shown until some words are."""
        self._read(words)
        assert words in self.shown, self.shown

    def read_to_the_end(self) -> int:
        """Read what is shown until the command is over. Its exit status."""
        self._read(None)
        return self.process.wait(PATIENCE)

    def _read(self, words: str | None) -> None:
        end = time.monotonic() + PATIENCE
        with suppress(OSError):  # nobody is left on the other side
            while (words is None or words not in self.shown) and time.monotonic() < end:
                if select.select([self.fd], [], [], 0.1)[0]:
                    self.shown += os.read(self.fd, 65536).decode("utf-8", "replace")
