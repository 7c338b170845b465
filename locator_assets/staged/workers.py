"""Several files at a time, in threads: while they wait for a model, the main thread writes events."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from contextvars import copy_context
from threading import Event
from types import TracebackType
from typing import Generic, Self, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

SHORT_TURN_SECONDS = 0.0005
"""How long a computing thread may keep Python to itself while another one wants it. With the usual 5 ms, a thread that
has its answer from the model waits a tenth of a second, in all, before the next request is on its way."""


LAST_FILES_SECONDS = 5.0
"""Time to wait for items under way when a signal stops the program; each is written whole or not at all."""


class Workers(Generic[Item, Result]):
    """Begins on all items, `at_once` at a time. When something ends the run, begun ones are finished, no more; for
    LAST_FILES_SECONDS alone when it was a signal.
    """

    def __init__(self, work: Callable[[Item], Result], items: Iterable[Item], at_once: int) -> None:
        self._work = work
        self._stopped = Event()
        self._usual_turn = sys.getswitchinterval()
        sys.setswitchinterval(SHORT_TURN_SECONDS)
        self._pool = ThreadPoolExecutor(at_once)
        self._futures: list[Future[Result | None]] = [
            self._pool.submit(copy_context().run, self._unless_stopped, one)
            for one in items  # meters see the threads
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stopped.set()
        stopped_by_signal = exc_type is not None and not issubclass(exc_type, Exception | GeneratorExit)
        if stopped_by_signal:
            wait(self._futures, LAST_FILES_SECONDS)
        self._pool.shutdown(wait=not stopped_by_signal, cancel_futures=stopped_by_signal)
        sys.setswitchinterval(self._usual_turn)

    def results(self) -> Iterator[Result]:
        """Results as they come. What a worker raises is about every file: raised here after the last result."""
        raised: BaseException | None = None
        for future in as_completed(self._futures):
            error = future.exception()
            if error is not None:
                raised = raised or error
            elif (result := future.result()) is not None:
                yield result
        if raised is not None:
            raise raised

    def _unless_stopped(self, item: Item) -> Result | None:
        if self._stopped.is_set():
            return None
        try:
            return self._work(item)
        except BaseException:
            self._stopped.set()
            raise
