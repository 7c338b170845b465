"""Text extraction in worker processes of their own, so that no file can take the product down with it.

Workers live on from file to file (a new interpreter costs 200 ms, a file 2 ms), are limited in time and memory, and
are replaced when they die, hang, grow, or have read their share. They start with the first file and end with
`close()` or with this process, however it ends.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import LifoQueue
from time import monotonic
from typing import Self

from locator_search.adapters.extractors import VERSION
from locator_search.adapters.extractors.limits import WorkerLimits
from locator_search.adapters.extractors.worker.process import WorkerProcess
from locator_search.core.errors import AccessDenied, FileGone, ReadingInterrupted, ReadingStopped
from locator_search.model import Document, Extraction

_UNKNOWN_TYPE = "application/octet-stream"


class IsolatedExtractor:
    """A TextExtractor; any number of threads may call it at once, `workers` files are read at the same time."""

    version = VERSION

    def __init__(self, workers: int = 2, limits: WorkerLimits | None = None) -> None:
        self._workers = [WorkerProcess(limits or WorkerLimits()) for _ in range(workers)]
        self._free: LifoQueue[WorkerProcess] = LifoQueue()  # the last one used is warm
        for worker in self._workers:
            self._free.put(worker)
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def extract(
        self,
        path: Path,
        mime_type: str | None = None,
        *,
        begun: Callable[[], None] = lambda: None,
        guarded: bool = False,
    ) -> Extraction:
        """The text of one file and how it went; `mime_type` only tells text formats apart.

        `begun` is called when a worker holds the file, before it opens it. `guarded`: the worker is behind a process
        of its own. Raises FileGone or AccessDenied when there is no file to read, ReadingInterrupted when no worker
        starts or one is ended from outside, and ReadingStopped when this extractor is closed.
        """
        if not _is_regular_file(path):
            nothing = Document((), mime_type or _UNKNOWN_TYPE)
            return Extraction("unsupported", nothing, "This is no regular file.")
        with self._worker() as worker:
            started = monotonic()
            try:
                extraction = worker.extract(path.absolute(), mime_type, begun, guarded=guarded)
            except ReadingInterrupted:
                if self._closed:
                    raise ReadingStopped(f"The extractor was closed while it read {path.name}.") from None
                raise
            return replace(extraction, seconds=monotonic() - started)

    def close(self) -> None:
        """End all workers, also those in the middle of a file, whose callers get a ReadingStopped."""
        self._closed = True
        for worker in self._workers:
            worker.retire()
        idle = [self._free.get() for _ in self._workers]  # waits until nobody uses them
        for worker in idle:
            worker.stop()
            self._free.put(worker)

    @contextmanager
    def _worker(self) -> Iterator[WorkerProcess]:
        worker = self._free.get()
        try:
            if self._closed:
                raise ReadingStopped("The extractor is closed.")
            yield worker
        finally:
            self._free.put(worker)


def _is_regular_file(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise FileGone(f"{path.name} does not exist.") from None
    except OSError as error:
        raise AccessDenied(f"{path.name} cannot be read: {error.strerror}.") from None
    if not stat.S_ISREG(mode):
        return False
    if not os.access(path, os.R_OK):
        raise AccessDenied(f"{path.name} may not be read by this user.")
    return True
