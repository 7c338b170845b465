"""One worker process as its parent sees it: start, ask, watch the clock, replace."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from locator_search.adapters.extractors.limits import MIB, WorkerLimits
from locator_search.adapters.extractors.worker.frames import Frame, pack, unpack
from locator_search.core.child_environment import bare_environment
from locator_search.core.errors import ReadingInterrupted
from locator_search.model import Block, Document, Extraction, ExtractionState

_MODULE = "locator_search.adapters.extractors.worker"
_GUARD = "locator_search.adapters.extractors.worker.guard"
_IMPORT_ROOT = Path(__file__).resolve().parents[4]
_START_SECONDS = 60.0
_END_SECONDS = 5.0
_PIPE_BYTES = 1 << 16
_UNKNOWN_TYPE = "application/octet-stream"
_OF_PYTHON = ("PYTHONPATH", "PYTHONHOME", "PYTHONUTF8")
_FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""No parser ends its own process so. The kernel does (SIGKILL) when the machine has no memory left."""


class _TimeOut(Exception):  # noqa: N818
    """The deadline passed."""


class _Died(Exception):  # noqa: N818
    """The pipe ended."""


class WorkerProcess:
    """Starts with the first file. Used by one thread at a time; only `retire` may come from another."""

    def __init__(self, limits: WorkerLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._retired = False
        self._buffer = bytearray()
        self._files = 0

    def extract(
        self, path: Path, mime_type: str | None, begun: Callable[[], None] = lambda: None, *, guarded: bool = False
    ) -> Extraction:
        """Read one file in the worker; if the worker ends, the extraction says how.

        `begun` is called once it holds the file, before it opens it. A `guarded` worker reads this file alone, behind
        a process of its own. Raises ReadingInterrupted for an end that says nothing about the file.
        """
        process = self._holding(path, mime_type, guarded=guarded)
        answer = _Answer(mime_type or _UNKNOWN_TYPE)
        try:
            begun()
            _send(process, {"go": True})
            for frame in self._frames(process, monotonic() + self._limits.wall_seconds):
                answer.take(frame)
                if answer.finished:
                    break
        except _TimeOut:
            self.stop()
            return answer.out_of_time(f"{self._limits.wall_seconds:.0f} seconds")
        except (_Died, BrokenPipeError):
            return self._after_its_end(process, path, answer)
        except (KeyError, TypeError, ValueError):
            self.stop()
            return answer.killed("The process reading the file said what no reader says.")
        except BaseException:
            self.stop()
            raise
        self._files += 1
        if guarded or self._files >= self._limits.files or answer.memory > self._limits.recycle_memory_bytes:
            self.stop()
        return answer.extraction()

    def retire(self) -> None:
        """End the process, even in the middle of a file, and start no other. Its user still has to `stop` it."""
        self._retired = True
        if self._process is not None:
            _kill(self._process)

    def stop(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def _holding(self, path: Path, mime_type: str | None, *, guarded: bool) -> subprocess.Popen[bytes]:
        """A process that holds the file and waits for the word to open it. One that ended before is replaced."""
        if guarded:
            self.stop()
        for _ in range(2):
            process = self._running(guarded=guarded)
            with suppress(_TimeOut, _Died, OSError, ValueError, TypeError):
                _send(process, {"path": str(path), "mime_type": mime_type})
                if "begun" in next(self._frames(process, monotonic() + _START_SECONDS)):
                    return process
            self.stop()
            if self._retired:
                break
        raise ReadingInterrupted(f"The process that was to read {path.name} ended before it began.")

    def _after_its_end(self, process: subprocess.Popen[bytes], path: Path, answer: _Answer) -> Extraction:
        """Why the process ended in the middle of a file: by itself, or from outside."""
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        code = process.returncode  # None: it only closed its pipe
        self.stop()
        if self._retired or (code is not None and -code in _FROM_OUTSIDE):
            raise ReadingInterrupted(f"The process reading {path.name} was ended from outside ({_cause(process)}).")
        if code == -signal.SIGXCPU:
            return answer.out_of_time(f"{self._limits.cpu_seconds} seconds of processor time")
        memory = f"{self._limits.memory_bytes // MIB} MB of memory"
        return answer.killed(f"The process reading the file died ({_cause(process)}); it may use {memory}.")

    def _running(self, *, guarded: bool) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.stop()  # it ended while nobody used it, which is no fault of the next file
        self._buffer.clear()
        self._files = 0
        try:
            self._process = process = _start(self._limits, guarded=guarded)
            if self._retired:
                _kill(process)
            next(self._frames(process, monotonic() + _START_SECONDS))
        except (_TimeOut, _Died, OSError, ValueError, TypeError):
            self.stop()
            raise ReadingInterrupted(
                "The process that reads files could not be started.",
                hint=f"Run {Path(sys.executable).name} -m {_MODULE} 20 {self._limits.memory_bytes} to see why.",
            ) from None
        return process

    def _frames(self, process: subprocess.Popen[bytes], deadline: float) -> Iterator[Frame]:
        assert process.stdout is not None  # noqa: S101 - opened as a pipe
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                while (frame := unpack(self._buffer)) is not None:
                    yield frame
                if not selector.select(max(deadline - monotonic(), 0)):
                    raise _TimeOut
                piece = os.read(process.stdout.fileno(), _PIPE_BYTES)
                if not piece:
                    raise _Died
                self._buffer += piece


@dataclass(slots=True)
class _Answer:
    """The content of one file so far. Frames of an unexpected shape raise KeyError, TypeError or ValueError."""

    mime_type: str
    blocks: list[Block] = field(default_factory=list)
    state: ExtractionState | None = None
    reason: str = ""
    page_count: int | None = None
    memory: int = 0

    @property
    def finished(self) -> bool:
        return self.state is not None

    def take(self, frame: Frame) -> None:
        if "blocks" in frame:
            self.blocks += [Block.from_row(row) for row in frame["blocks"]]
            return
        self.mime_type = frame["mime_type"]
        if "state" in frame:
            self.state, self.reason = frame["state"], frame["reason"]
            self.page_count, self.memory = frame["page_count"], frame["memory"]

    def extraction(self) -> Extraction:
        return self._ended(self.state or "killed", self.reason)

    def out_of_time(self, limit: str) -> Extraction:
        """The extraction at the deadline: the text read so far is kept."""
        if self.blocks:
            return self._ended("partial", f"Reading the file took longer than {limit}, so its end is missing.")
        return self._ended("timeout", f"Reading the file took longer than {limit}.")

    def killed(self, reason: str) -> Extraction:
        self.blocks.clear()
        return self._ended("killed", reason)

    def _ended(self, state: ExtractionState, reason: str) -> Extraction:
        return Extraction(state, Document(tuple(self.blocks), self.mime_type, self.page_count), reason)


def _start(limits: WorkerLimits, *, guarded: bool) -> subprocess.Popen[bytes]:
    # -P: the current folder may be full of other people's files, and one may be called csv.py.
    python = [sys.executable, "-P", "-m"]
    command = [*python, _MODULE, str(limits.cpu_seconds), str(limits.memory_bytes)]
    return subprocess.Popen(  # noqa: S603 - our own module
        [*python, _GUARD, *command] if guarded else command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
        start_new_session=True,  # Ctrl-C is for the parent, which then ends its workers
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The process and what it started. Nothing once it was waited for: its number may be another's by then."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _environment() -> dict[str, str]:
    """No keys, and the way to this package where it is not installed."""
    if Path(sysconfig.get_path("purelib")) == _IMPORT_ROOT:
        return bare_environment(*_OF_PYTHON)
    import_path = os.pathsep.join(filter(None, (str(_IMPORT_ROOT), os.environ.get("PYTHONPATH"))))
    return bare_environment(*_OF_PYTHON, PYTHONPATH=import_path)


def _send(process: subprocess.Popen[bytes], frame: Frame) -> None:
    assert process.stdin is not None  # noqa: S101 - opened as a pipe
    process.stdin.write(pack(frame))
    process.stdin.flush()


def _cause(process: subprocess.Popen[bytes]) -> str:
    code = process.returncode
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
