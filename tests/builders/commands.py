"""`document-locator` in processes of its own that start in a tenth of a second.

They are forked from a server that has read the program already, because reading it takes longer than most commands.
Each has an environment, a folder, a session and standard streams of its own, and can be killed like any other. That
the command starts from nothing is tested where `python -m locator_search.cli.main` is run.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

READ_BEFORE = ("tests.builders.commands_read", "tests.builders.x_worker")
"""Modules the fork server imports once. It forks all processes of a test session, those of X sessions too."""


def _forking() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(READ_BEFORE))
    return context


def start(process: ForkServerProcess) -> None:
    """Start it without the script of this process: tests of pages leave that of a page behind, which is no module."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        process.start()
    finally:
        sys.modules["__main__"] = script


class StartedCommand:
    """One command that runs. `before` is called in its process before it begins."""

    def __init__(
        self,
        arguments: tuple[str, ...],
        environment: Mapping[str, str],
        folder: Path,
        before: Callable[[], None] | None = None,
    ) -> None:
        self._arguments = arguments
        self._streams = TemporaryDirectory(prefix="locator-command-")
        where = (Path(self._streams.name, "stdout"), Path(self._streams.name, "stderr"))
        for stream in where:
            stream.touch()  # a process that is killed at once has opened neither
        self._process = _forking().Process(target=_run, args=(arguments, dict(environment), folder, *where, before))
        start(self._process)
        assert self._process.pid is not None
        self.pid: int = self._process.pid
        """It leads a process group of this number."""

    @property
    def has_ended(self) -> bool:
        """Whether it runs no more."""
        return not self._process.is_alive()

    def end(self, timeout: float = 240) -> subprocess.CompletedProcess[str]:
        """Wait for its end, as long as `timeout` seconds."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"{self._arguments} has not ended after {timeout} seconds"
        out, err = (Path(self._streams.name, name).read_text("utf-8") for name in ("stdout", "stderr"))
        self._streams.cleanup()
        return subprocess.CompletedProcess(self._arguments, self._process.exitcode, out, err)


def run_command(*arguments: str, environment: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one to its end."""
    return StartedCommand(arguments, environment, folder).end()


def _run(
    arguments: tuple[str, ...],
    environment: Mapping[str, str],
    folder: Path,
    out: Path,
    err: Path,
    before: Callable[[], None] | None,
) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for stream, path in enumerate((Path(os.devnull), out, err)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, stream)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it ends with the process
    sys.argv = ["document-locator", *arguments]
    if before is not None:
        before()

    from locator_search.cli.main import main

    main()
