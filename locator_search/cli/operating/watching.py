"""One line on a terminal while a crawl runs: how many files are done, and the time left."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import copy_context
from datetime import timedelta
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from locator_search.cli.operating.texts import OperatingTexts
from locator_search.cli.shared.output import SafeConsole, error_console
from locator_search.core.errors import LocatorError
from locator_search.ports import CrawlRun

if TYPE_CHECKING:
    from rich.status import Status

    from locator_search.app.locator import Locator
    from locator_search.ports import OnProgress

LOOKS_EVERY_SECONDS = 0.5
FORMER_FILES = 20
"""So many files does the pace of the last crawl count for, beside those done in this one."""


@contextmanager
def watched(locator: Locator, log: OnProgress) -> Iterator[OnProgress]:
    """Takes the notes of a crawl: on a terminal into one line, from the first second on, else into the log."""
    if error_console.quiet or not error_console.is_terminal:
        yield log
        return
    texts, ended = OperatingTexts.of(locator.settings.locator_language), Event()
    # Dagster leads stderr into a file of its own while it runs a batch; a copy stays with the terminal.
    with os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding=sys.stderr.encoding, errors="replace") as terminal:
        console = SafeConsole(stderr=True, soft_wrap=True)
        console.file = terminal
        with console.status(texts.crawl_lists) as line:
            watching = Thread(target=copy_context().run, args=(_watch, locator, line, texts, ended), daemon=True)
            watching.start()
            try:
                yield line.update
            finally:
                ended.set()
                watching.join()


def _watch(locator: Locator, line: Status, texts: OperatingTexts, ended: Event) -> None:
    total, began, pace = 0, perf_counter(), 0.0
    while not ended.wait(LOOKS_EVERY_SECONDS):
        with suppress(LocatorError):  # the crawl itself says what is wrong
            waiting = locator.status_reader.progress().waiting
            if total == 0:
                began, pace = perf_counter(), former_pace(locator.status_reader.runs())
            total = max(total, waiting)
            left = seconds_left(waiting, total - waiting, perf_counter() - began, pace)
            if left is not None:
                about = timedelta(seconds=round(left))
                line.update(texts.crawl_progress.format(done=total - waiting, total=total, left=about))


def former_pace(runs: Sequence[CrawlRun]) -> float:
    """Seconds for each file of the last run that worked on files, 0 where there was none."""
    worked = ((run.seconds, run.indexed + run.skipped + run.failed) for run in reversed(runs))
    return next((seconds / files for seconds, files in worked if files), 0.0)


def seconds_left(waiting: int, done: int, seconds: float, pace: float) -> float | None:
    """The time for the files that wait, by those done in so many seconds and by the pace of the last crawl. None while
    there is nothing to go by."""
    former = FORMER_FILES if pace else 0
    return waiting * (seconds + former * pace) / (done + former) if done + former and waiting + done else None
