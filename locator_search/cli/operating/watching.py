"""One line on a terminal while a crawl runs: how many files are done, and the time left."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from datetime import timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING

from locator_search.cli.operating.texts import OperatingTexts
from locator_search.cli.shared.output import SafeConsole, error_console
from locator_search.core.errors import LocatorError

if TYPE_CHECKING:
    from rich.status import Status

    from locator_search.app.locator import Locator
    from locator_search.ports import CrawlProgress, OnProgress

LOOKS_EVERY_SECONDS = 0.5


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
    total = 0
    while not ended.wait(LOOKS_EVERY_SECONDS):
        with suppress(LocatorError):  # the crawl itself says what is wrong
            progress = locator.status_reader.progress()
            total = max(total, progress.waiting)
            if told := progress_line(texts, progress, total):
                line.update(told)


def progress_line(texts: OperatingTexts, progress: CrawlProgress, total: int) -> str:
    """How many of so many files are done, the time left, and how fast once one is; "" while nothing moves."""
    if progress.seconds_left is None or not total:
        return ""
    told = texts.crawl_progress if progress.files_per_minute else texts.crawl_beginning
    return told.format(
        done=total - progress.waiting,
        total=total,
        left=timedelta(seconds=round(progress.seconds_left)),
        speed=progress.files_per_minute,
    )
