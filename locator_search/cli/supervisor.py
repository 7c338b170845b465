"""Child processes that live and die together: started with a log each, watched, and stopped without leaving any behind.

Every child leads a session of its own, so that Ctrl-C reaches only us and we decide the order. On Linux a child is
told to end when we are killed, and orphaned grandchildren (code servers, run workers) come back to us to be stopped.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

from locator_search.errors import LocatorError

GRACE_SECONDS = 8.0
TAIL_LINES = 12

_libc = ctypes.CDLL(None)  # loaded before any fork
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>


class StopRequested(Exception):  # noqa: N818 - a wish, not an error
    """Ctrl-C, SIGTERM or SIGHUP arrived."""


@dataclass
class Child:
    """One running process. `log` is None when it writes to our terminal."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path | None

    @property
    def exit_status(self) -> int | None:
        """None while it runs; negative when a signal ended it."""
        return self.process.poll()

    def last_lines(self) -> str:
        """The end of its log."""
        lines = self.log.read_text("utf-8", "replace").splitlines() if self.log else []
        return "\n".join(lines[-TAIL_LINES:])


class Supervisor:
    """The children of one `document-locator up`. A context manager that stops them."""

    def __init__(self, log_folder: Path) -> None:
        self._log_folder = log_folder
        self._children: list[Child] = []
        self._stop_requests = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def listen(self) -> None:
        """From now on a signal asks for a stop; a second one makes the stop kill at once."""
        for wanted in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if wanted is signal.SIGHUP and signal.getsignal(wanted) is signal.SIG_IGN:  # nohup
                continue
            signal.signal(wanted, lambda *_: self._note_stop_request())

    def _note_stop_request(self) -> None:
        self._stop_requests += 1

    @property
    def stop_requested(self) -> bool:
        """Whether a signal arrived."""
        return self._stop_requests > 0

    def start(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> Child:
        """Start a command whose output goes to `NAME.log`, anew at each start."""
        log = self._log_folder / f"{name}.log"
        with log.open("wb") as sink:
            return self._start(name, command, environment, sink.fileno(), log)

    def start_here(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> Child:
        """Start a command that writes to our terminal."""
        return self._start(name, command, environment, None, None)

    def _start(
        self, name: str, command: Sequence[str], environment: Mapping[str, str], output: int | None, log: Path | None
    ) -> Child:
        process = subprocess.Popen(  # noqa: S603 - our own commands, no shell
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        child = Child(name, process, log)
        self._children.append(child)
        return child

    def release(self, child: Child) -> None:
        """Stop watching a child that has done its work."""
        self._children.remove(child)

    def pause(self, seconds: float = 0.2) -> None:
        """Wait a moment. Raises StopRequested, or LocatorError with the end of its log when a child has died."""
        time.sleep(seconds)
        if self.stop_requested:
            raise StopRequested
        for child in self._children:
            if child.log and child.exit_status is not None:
                raise LocatorError(
                    f"{child.name} ended unexpectedly (exit status {child.exit_status}).",
                    hint=f"The end of {child.log}:\n{child.last_lines()}",
                )

    def stop(self) -> None:
        """End every child and everything it started: asked first, killed after GRACE_SECONDS."""
        descendants = set(psutil.Process().children(recursive=True))
        for child in self._children:
            with suppress(ProcessLookupError):
                os.killpg(child.process.pid, signal.SIGTERM)
        self._wait_for_children()
        descendants.update(psutil.Process().children(recursive=True))
        self._end(descendants)
        self._children.clear()

    def _wait_for_children(self) -> None:
        deadline = time.monotonic() + GRACE_SECONDS
        while any(child.exit_status is None for child in self._children) and not self._out_of_patience(deadline):
            time.sleep(0.05)

    def _end(self, processes: set[psutil.Process]) -> None:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.terminate()
        deadline = time.monotonic() + GRACE_SECONDS / 2
        _, alive = psutil.wait_procs(processes, timeout=0)
        while alive and not self._out_of_patience(deadline):
            _, alive = psutil.wait_procs(alive, timeout=0.1)
        for process in alive:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(alive, timeout=GRACE_SECONDS)

    def _out_of_patience(self, deadline: float) -> bool:
        return self._stop_requests > 1 or time.monotonic() > deadline


def adopt_orphans() -> None:
    """Become the parent of grandchildren whose parent dies, so that `Supervisor.stop` finds them (Linux only)."""
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
