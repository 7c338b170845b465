"""Opens a result with the program that this machine has for it."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes, urlsplit

from locator_search.cli.search.choosing import choose
from locator_search.cli.shared.output import error_console
from locator_search.core.errors import ConfigurationError

if TYPE_CHECKING:
    from locator_search.cli.shared.texts import Texts
    from locator_search.model import Evidence

MOST_TO_CHOOSE = 9
"""Lines to go through with the arrow keys: they stay on a small screen. Other results are chosen by their number."""
PATIENCE = 3.0
"""Seconds in which an opener says that it cannot; some stay until the file is closed."""


def chosen_result(evidence: Sequence[Evidence], say: Texts) -> int | None:
    """The number of the result that a person chooses on the terminal; None where they choose none.

    Raises ConfigurationError for what is no number, and KeyboardInterrupt for Escape.
    """
    names = [result.file_name for result in evidence[:MOST_TO_CHOOSE]]
    answer = choose(say.which_to_open, names, say.open_by_key).strip()
    if answer and not answer.isdecimal():
        raise ConfigurationError(say.no_such_result.format(number=answer, count=len(evidence)))
    return int(answer) if answer else None


def open_result(evidence: Sequence[Evidence], number: int, say: Texts) -> None:
    """Open the result of that number, or print where it is. Raises ConfigurationError where there is no such result."""
    if not 1 <= number <= len(evidence):
        raise ConfigurationError(say.no_such_result.format(number=number, count=len(evidence)))
    target = _target(evidence[number - 1].link)
    if target is None or _is_program(target) or not _opens(target):
        error_console.print(say.not_opened.format(target=target or evidence[number - 1].link))


def _target(link: str) -> str | None:
    """The path of a local file or an address of the web: neither can be taken for an option. Else None."""
    parts = urlsplit(link)
    if parts.scheme == "file":
        return os.fsdecode(unquote_to_bytes(parts.path))
    return link if parts.scheme in ("http", "https") else None


def _is_program(target: str) -> bool:
    """Whether opening could mean running."""
    try:
        return bool(Path(target).stat().st_mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH))
    except OSError:  # an address of the web, or gone
        return False


def _opens(target: str) -> bool:
    """Hand it to the opener of this system. False where there is none, no screen, or where it fails."""
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    has_screen = sys.platform == "darwin" or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
    if opener is None or not has_screen:
        return False
    quiet = subprocess.DEVNULL
    started = subprocess.Popen(  # noqa: S603 - one argument, a path from the root or an http(s) address, no shell
        [opener, target], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        return started.wait(PATIENCE) == 0
    except subprocess.TimeoutExpired:
        return True
