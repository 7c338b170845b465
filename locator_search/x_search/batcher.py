"""Gathers small things and hands them on together: ten at a time, or what there is after a second."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

Item = TypeVar("Item")

BATCH_SIZE = 10
LONGEST_SECONDS = 1.0


class Batcher(Generic[Item]):
    """A context manager; leaving it hands on the rest. Thread-safe.

    What goes wrong in the timer's thread is not lost: the next `add`, `flush` or the end raises it, and the items of
    the batch that failed are handed on again with the next one.
    """

    def __init__(
        self, process: Callable[[list[Item]], None], size: int = BATCH_SIZE, seconds: float = LONGEST_SECONDS
    ) -> None:
        self._process = process
        self._size = size
        self._seconds = seconds
        self._lock = threading.RLock()
        self._items: list[Item] = []
        self._timer: threading.Timer | None = None
        self._error: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.flush()
        except Exception:
            if error is None:  # an error of the block itself explains more
                raise

    def add(self, item: Item) -> None:
        """Take one more. Raises what handing on raises."""
        with self._lock:
            self._raise_earlier()
            self._items.append(item)
            if len(self._items) >= self._size:
                self._hand_on()
            elif self._timer is None:
                self._timer = threading.Timer(self._seconds, self._time_is_up)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Hand on what there is. Raises what handing on raises."""
        with self._lock:
            self._error = None  # the items are still here and are tried again now
            self._hand_on()

    def _time_is_up(self) -> None:
        with self._lock:
            try:
                self._hand_on()
            except Exception as error:  # raised by the next call, in the thread that can handle it
                self._error = error

    def _hand_on(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._items:
            self._process(list(self._items))
            self._items.clear()

    def _raise_earlier(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error
