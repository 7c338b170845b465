"""A crawl in a process of its own, started by a page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

LOG = "crawl.log"
_LOGGED = re.compile(r"\S+T\S+ [A-Z]+ [\w.]+: (.*)")


class CrawlProcess:
    """The command `document-locator crawler` beside this process. It ends with the group of processes that started it;
    what it says goes to `logs/crawl.log` of the home."""

    def __init__(self, home: Path) -> None:
        self._log = home / "logs" / LOG
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start one. Where another crawl is at work, the two share what is to be done."""
        self._log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._log.open("wb") as sink:
            self._log.chmod(0o600)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "locator_search.cli.main", "crawler"],
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                env={**os.environ, "LOG_FORMAT": "text"},
                umask=0o077,
            )

    @property
    def running(self) -> bool:
        """Whether it is at work."""
        return self._process is not None and self._process.poll() is None

    @property
    def succeeded(self) -> bool:
        """Whether one was started, and has come to its end."""
        return self._process is not None and self._process.poll() == 0

    @property
    def problem(self) -> str:
        """The last thing it said where it failed, a sentence and its hint or a line of its log, else ""."""
        if self._process is None or not self._process.poll():
            return ""
        lines = [line for line in self._log.read_text("utf-8", "replace").split("\n") if line.strip()]
        *_, before, last = ["", "", *lines]
        if logged := _LOGGED.fullmatch(last):
            return logged[1]
        stands_alone = _LOGGED.fullmatch(before) or before.startswith(" ")  # a stack trace is indented
        return " ".join([last] if stands_alone else [before, last]).strip() or str(self._process.returncode)
