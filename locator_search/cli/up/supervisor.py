"""Child processes that are started with a log each, again when they die, and stopped without leaving any behind.

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
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

import psutil

from locator_search.core.errors import LocatorError

if TYPE_CHECKING:
    from locator_search.cli.up.database_watch import DatabaseWatch

GRACE_SECONDS = 8.0
TAIL_LINES = 12
SHORT_LIFE_SECONDS = 30.0
SHORT_LIVES = 6
LONGEST_DELAY_SECONDS = 8.0
LOOK_SECONDS = 3.0

_libc = ctypes.CDLL(None)  # loaded before any fork
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>


class StopRequested(Exception):  # noqa: N818 - a wish, not an error
    """Ctrl-C, SIGTERM or SIGHUP arrived."""


@dataclass
class Child:
    """One command and the process that runs it. `log` is None when it writes to our terminal."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path | None
    process: subprocess.Popen[bytes] = field(init=False)
    started: float = field(init=False)
    needs: str = ""
    """Words in the command of a process below it, without which it is of no use."""
    had_it: bool = False
    looks_without_it: int = 0
    short_lives: int = 0
    start_at: float | None = None
    """The time of the next start of a process that died."""

    def start(self) -> None:
        """Start its process. What an earlier one wrote to the log stays there: it may tell why it died."""
        with self.log.open("ab") if self.log else nullcontext() as sink:
            self.process = subprocess.Popen(  # noqa: S603 - our own commands, no shell
                self.command,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
                umask=0o077,
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,
            )
        self.started, self.start_at = time.monotonic(), None
        self.had_it, self.looks_without_it = False, 0

    def end_without_what_it_needs(self) -> None:
        """Kill its process when what it needs was there and is gone, at two looks in a row."""
        if any(self.needs in _command_of(process) for process in _children_of(psutil.Process(self.process.pid))):
            self.had_it, self.looks_without_it = True, 0
        elif self.had_it:
            self.looks_without_it += 1
            if self.looks_without_it > 1:
                self.process.kill()

    @property
    def exit_status(self) -> int | None:
        """None while it runs; negative when a signal ended it."""
        return self.process.poll()

    def last_lines(self) -> str:
        """The end of its log."""
        lines = self.log.read_text("utf-8", "replace").splitlines() if self.log else []
        return "\n".join(lines[-TAIL_LINES:])


class Supervisor:
    """The children of one `document-locator up`. A context manager that stops them.

    The `database` is looked after too: while it is out of reach, children that died wait. `tell` is given the name and
    the exit status of a child that died. A stop leaves the processes alone that `spared` accepts.
    """

    def __init__(
        self,
        log_folder: Path,
        database: DatabaseWatch | None = None,
        *,
        tell: Callable[[str, int], None] = lambda _name, _status: None,
        spared: Callable[[psutil.Process], bool] = lambda _process: False,
    ) -> None:
        self._log_folder = log_folder
        self._children: list[Child] = []
        self._stop_requests = 0
        self._next_look = 0.0
        self._database, self._tell, self._spared = database, tell, spared

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def listen(self) -> None:
        """Handle signals: the first asks for a stop, a second one kills at once."""
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

    def start(self, name: str, command: Sequence[str], environment: Mapping[str, str], needs: str = "") -> Child:
        """Start a command whose output goes to `NAME.log`, anew for each `up`.

        When a process with the words `needs` in its command was below it and is gone, the child is ended and started
        again.
        """
        log = self._log_folder / f"{name}.log"
        log.unlink(missing_ok=True)
        log.touch(mode=0o600)
        return self._start(Child(name, command, environment, log, needs))

    def start_here(self, name: str, command: Sequence[str], environment: Mapping[str, str], needs: str = "") -> Child:
        """Start a command that writes to our terminal, and is not started again; `needs` as of `start`."""
        return self._start(Child(name, command, environment, None, needs))

    def _start(self, child: Child) -> Child:
        child.start()
        self._children.append(child)
        return child

    def end(self, child: Child) -> None:
        """Stop one child and everything it started."""
        self._children.remove(child)
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(child.process.pid)
            self._end({process, *process.children(recursive=True)})

    def release(self, child: Child) -> None:
        """Stop watching a child that has done its work."""
        self._children.remove(child)

    def pause(self, seconds: float = 0.2) -> None:
        """Wait a moment, and start again what has died.

        Raises StopRequested, or LocatorError with the end of its log when a child dies again and again.
        """
        time.sleep(seconds)
        if self.stop_requested:
            raise StopRequested
        if self._database is not None:
            self._database.look()
        look = time.monotonic() >= self._next_look
        if look:
            self._next_look = time.monotonic() + LOOK_SECONDS
        for child in self._children:
            if child.log and child.exit_status is not None:
                self._revive(child)
            elif look and child.needs and child.exit_status is None:
                child.end_without_what_it_needs()
        self._reap_orphans()

    def _revive(self, child: Child) -> None:
        now = time.monotonic()
        if child.start_at is None:
            child.short_lives = child.short_lives + 1 if now - child.started < SHORT_LIFE_SECONDS else 1
            if child.short_lives >= SHORT_LIVES:
                raise LocatorError(
                    f"{child.name} ended {child.short_lives} times in a row (exit status {child.exit_status}).",
                    hint=f"The end of {child.log}:\n{child.last_lines()}",
                )
            self._tell(child.name, child.exit_status or 0)
            child.start_at = now + min(2.0 ** (child.short_lives - 1) - 1, LONGEST_DELAY_SECONDS)
        if now >= child.start_at:
            with suppress(LocatorError):
                if self._database is not None:
                    self._database.require()
                child.start()

    def _reap_orphans(self) -> None:
        """Take note of adopted processes that have ended, so that they do not stay in the list of processes."""
        ours = {child.process.pid for child in self._children}
        with suppress(ChildProcessError):
            while sys.platform == "linux":
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is None or ended.si_pid in ours:
                    return
                os.waitpid(ended.si_pid, os.WNOHANG)

    def stop(self) -> None:
        """End every child and everything it started: asked first, killed after GRACE_SECONDS."""
        descendants = self._descendants()
        for child in self._children:
            with suppress(ProcessLookupError):
                os.killpg(child.process.pid, signal.SIGTERM)
        self._wait_for_children()
        self._end(descendants | self._descendants())
        self._children.clear()

    def _descendants(self) -> set[psutil.Process]:
        """Everything below us, without what is spared and what that started."""
        found: set[psutil.Process] = set()
        below = psutil.Process().children()
        while below:
            kept = [process for process in below if not self._is_spared(process)]
            found.update(kept)
            below = [grandchild for process in kept for grandchild in _children_of(process)]
        return found

    def _is_spared(self, process: psutil.Process) -> bool:
        with suppress(psutil.Error):
            return self._spared(process)
        return False

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


def _children_of(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children()
    except psutil.NoSuchProcess:
        return []


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _end_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
