"""One worker process as its parent sees it: start, ask, watch the clock, replace."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from locator_search.adapters.extractors.frames import Frame, pack, unpack
from locator_search.adapters.extractors.limits import MIB, WorkerLimits
from locator_search.errors import ExtractionError
from locator_search.model import Block, Document, Extraction, ExtractionState

_MODULE = "locator_search.adapters.extractors.worker"
_IMPORT_ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 60.0
_PIPE_BYTES = 1 << 16
_UNKNOWN_TYPE = "application/octet-stream"


class _TimeOut(Exception):  # noqa: N818
    """The deadline passed."""


class _Died(Exception):  # noqa: N818
    """The pipe ended, or something came through it that no worker of ours says."""


class WorkerProcess:
    """Starts with the first file. Used by one thread at a time; only `retire` may come from another."""

    def __init__(self, limits: WorkerLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._retired = False
        self._buffer = bytearray()
        self._files = 0

    def extract(self, path: Path, mime_type: str | None) -> Extraction:
        """What the worker makes of one file, or what became of the worker."""
        process = self._running()
        answer = _Answer(mime_type or _UNKNOWN_TYPE)
        try:
            _send(process, {"path": str(path), "mime_type": mime_type})
            for frame in self._frames(process, monotonic() + self._limits.wall_seconds):
                answer.take(frame)
                if answer.finished:
                    break
        except _TimeOut:
            self.stop()
            return answer.out_of_time(f"{self._limits.wall_seconds:.0f} seconds")
        except (_Died, OSError, KeyError, TypeError, ValueError):
            self.stop()
            if self._files and not (answer.begun or self._retired):
                return self.extract(path, mime_type)  # it died before it saw this file, which a new worker reads
            if process.returncode == -signal.SIGXCPU:
                return answer.out_of_time(f"{self._limits.cpu_seconds} seconds of processor time")
            memory = f"{self._limits.memory_bytes // MIB} MB of memory"
            return answer.killed(f"The process reading the file died ({_cause(process)}); it may use {memory}.")
        self._files += 1
        if self._files >= self._limits.files or answer.memory > self._limits.recycle_memory_bytes:
            self.stop()
        return answer.extraction()

    def retire(self) -> None:
        """End the process, even in the middle of a file, and start no other. Its user still has to `stop` it."""
        self._retired = True
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.stop()  # it ended while nobody used it, which is no fault of the next file
        self._buffer.clear()
        self._files = 0
        self._process = process = _start(self._limits)
        if self._retired:
            process.kill()
        try:
            next(self._frames(process, monotonic() + _START_SECONDS))
        except (_TimeOut, _Died, ValueError):
            self.stop()
            raise ExtractionError(
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
    """What has come of one file so far. Frames of an unexpected shape raise KeyError, TypeError or ValueError."""

    mime_type: str
    blocks: list[Block] = field(default_factory=list)
    state: ExtractionState | None = None
    reason: str = ""
    page_count: int | None = None
    memory: int = 0
    begun: bool = False

    @property
    def finished(self) -> bool:
        return self.state is not None

    def take(self, frame: Frame) -> None:
        if "begun" in frame:
            self.begun = True
            return
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
        """What was read before the deadline is kept."""
        if self.blocks:
            return self._ended("partial", f"Reading the file took longer than {limit}, so its end is missing.")
        return self._ended("timeout", f"Reading the file took longer than {limit}.")

    def killed(self, reason: str) -> Extraction:
        self.blocks.clear()
        return self._ended("killed", reason)

    def _ended(self, state: ExtractionState, reason: str) -> Extraction:
        return Extraction(state, Document(tuple(self.blocks), self.mime_type, self.page_count), reason)


def _start(limits: WorkerLimits) -> subprocess.Popen[bytes]:
    # -P: the current folder may be full of other people's files, and one may be called csv.py.
    command = [sys.executable, "-P", "-m", _MODULE, str(limits.cpu_seconds), str(limits.memory_bytes)]
    return subprocess.Popen(  # noqa: S603 - our own module
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
        start_new_session=True,  # Ctrl-C is for the parent, which then ends its workers
    )


def _environment() -> dict[str, str]:
    """Ours, with the way to this package where it is not installed."""
    if Path(sysconfig.get_path("purelib")) == _IMPORT_ROOT:
        return dict(os.environ)
    import_path = os.pathsep.join(filter(None, (str(_IMPORT_ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": import_path}


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
