"""The frame around every command that serves: the database is held, children are watched and none is left behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from locator_search.app.locator import Locator, open_locator
from locator_search.cli.operating.texts import OperatingTexts
from locator_search.cli.shared.lines import show_line
from locator_search.cli.shared.output import print_error
from locator_search.cli.up.database_watch import DatabaseWatch
from locator_search.cli.up.supervisor import Supervisor
from locator_search.config.settings import Settings
from locator_search.core.temporary import temporary_folder


@contextmanager
def supervision(settings: Settings) -> Iterator[tuple[Locator, Supervisor, Path]]:
    """The locator, a supervisor that listens to signals, and a folder for temporary files; children inherit the home.

    All are closed at the end, children first.
    """
    texts = OperatingTexts.of(settings.locator_language)
    os.environ["LOCATOR_HOME"] = str(settings.home)
    with open_locator(settings) as locator, temporary_folder("up") as place:
        supervisor = Supervisor(
            settings.home / "logs",
            DatabaseWatch(
                locator.database, lambda: show_line(texts.database_again), lambda e: print_error(e.message, e.hint)
            ),
            tell=lambda name, status: show_line(texts.started_again.format(name=name, status=status)),
            spared=locator.database.is_server_process,
        )
        supervisor.listen()
        with supervisor:
            yield locator, supervisor, place
