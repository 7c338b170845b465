"""Writes files into the index in groups: one transaction of eight files costs less than half of eight transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from locator_search.indexing.stages import NOT_ABOUT_ONE_FILE
from locator_search.model import IndexEntry

MOST_FILES = 8
MOST_CHUNKS = 200
"""Long files wait for no others, so that no transaction becomes long because of its company."""
LONGEST_WAIT_SECONDS = 1.0


@dataclass(eq=False)
class _Ready:
    """A file that is ready, and what becomes of it."""

    entry: IndexEntry
    written: Future[None] = field(default_factory=Future)


class GroupedWrites:
    """Files that several threads have ready are written together. Each waits a moment for those that are under way,
    and until it is written; the thread that makes a group complete writes it.
    """

    def __init__(self, write: Callable[[Sequence[IndexEntry]], None]) -> None:
        self._write_in_one = write
        self._lock = Lock()
        self._ready: list[_Ready] = []
        self._under_way = 0

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """A file is worked on that may be ready in the end."""
        with self._lock:
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                group = self._complete_group()
            self._write(group)

    def write(self, entry: IndexEntry) -> None:
        """Returns when the file is written. Raises what went wrong with it, and not what did with another file."""
        mine = _Ready(entry)
        with self._lock:
            self._ready.append(mine)
            group = self._complete_group()
        if not group and not wait([mine.written], LONGEST_WAIT_SECONDS).done:
            with self._lock:
                if mine in self._ready:
                    group = self._taken()
        self._write(group)
        mine.written.result()

    def _complete_group(self) -> list[_Ready]:
        """Those that are ready, if there are enough of them or no others will follow; else nothing."""
        chunks = sum(len(each.entry.chunks) for each in self._ready)
        complete = len(self._ready) >= min(MOST_FILES, self._under_way) or chunks >= MOST_CHUNKS
        return self._taken() if complete else []

    def _taken(self) -> list[_Ready]:
        group, self._ready = self._ready, []
        return group

    def _write(self, group: Sequence[_Ready]) -> None:
        """In one transaction, or one by one where one of them spoils it."""
        if not group:
            return
        try:
            self._write_in_one([each.entry for each in group])
        except NOT_ABOUT_ONE_FILE as error:
            _fail(group, error)
        except BaseException as error:  # nobody may be left waiting
            if len(group) > 1 and isinstance(error, Exception):
                for each in group:
                    self._write([each])
            else:
                _fail(group, error)
        else:
            for each in group:
                each.written.set_result(None)


def _fail(group: Sequence[_Ready], error: BaseException) -> None:
    for each in group:
        each.written.set_exception(error)
