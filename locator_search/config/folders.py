"""Which folders are crawled (those of the settings, else those `up --folder` named last, else the samples), and the
folder everything is written to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from locator_search.config.bundled import bundled
from locator_search.config.settings import Settings
from locator_search.core.disk import full_disk, is_full
from locator_search.core.errors import ConfigurationError

_REMEMBERED = "folders.json"

# The entries that the product writes into its home. A home that holds anything else may have other uses and readers.
_OURS = frozenset(
    {
        "contributions",
        "dagster",
        "finderledge",
        "folders.json",
        "google_token.json",
        "link_secret",
        "live_notice",
        "live_tokens",
        "logs",
        "model_calendar.json",
        "postgres",
        "servers.d",
        "synonyms.txt",
        "up.lock",
    }
)


def private_home(home: Path) -> None:
    """Make the home, or close it to others; where other things lie in it, close what is ours in it.

    Raises ConfigurationError with one sentence when it cannot be written to.
    """
    home = home.expanduser().absolute()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        entries = list(home.iterdir())
        ours = [entry for entry in entries if entry.name in _OURS]
        for path in [*ours, home] if len(ours) == len(entries) else ours:
            _close(path)
        if not os.access(home, os.W_OK | os.X_OK):
            raise PermissionError(0, "Permission denied", str(home))
    except OSError as error:
        if is_full(error):
            raise ConfigurationError(*full_disk(home)) from None
        raise ConfigurationError(
            f"LOCATOR_HOME cannot be written to: {home} ({error.strerror}).",
            hint="Set LOCATOR_HOME to a folder of yours, or check who owns it.",
        ) from None


def _close(path: Path) -> None:
    found = path.stat()
    # Started by root, the database runs as another account, which owns its folder on purpose.
    if found.st_mode & 0o077 and found.st_uid == os.geteuid():
        with suppress(FileNotFoundError):
            path.chmod(found.st_mode & 0o700)


def folders_to_crawl(settings: Settings) -> tuple[Path, ...]:
    """The folders of LOCATOR_FOLDERS where it is set. Never raises: a missing folder is the source's to report."""
    named = tuple(Path(name).expanduser() for name in settings.locator_folders)
    if "locator_folders" in settings.model_fields_set:
        return named
    remembered = _remembered(settings.home / _REMEMBERED)
    if remembered:
        return remembered
    return named if named[0].is_dir() else (bundled("samples"),)


def names_of_folders(settings: Settings) -> tuple[str, ...]:
    """The names of the folders to crawl, in their order; none where they go by their paths. Names belong to
    LOCATOR_FOLDERS."""
    return settings.locator_folder_names if "locator_folders" in settings.model_fields_set else ()


FolderFault = Literal["not_whole", "missing", "no_folder", "unreadable", "whole_disk", "home", "known"]
"""Why a folder that somebody named is not taken: a part of a path, nothing there, no folder, closed to us, a whole file
system, the home of the product, already crawled."""


def folder_to_add(written: str, settings: Settings) -> Path | FolderFault:
    """The folder behind a path that a person wrote, with its links resolved, or why it is not taken. Looks at nothing
    but the folder."""
    try:
        named = Path(written.strip()).expanduser()
        if not named.is_absolute():
            return "not_whole"
        folder, home = named.resolve(strict=True), settings.home.resolve()
        if not folder.is_dir():
            return "no_folder"
        with os.scandir(folder) as entries:
            next(entries, None)
    except PermissionError:
        return "unreadable"
    except (OSError, ValueError, RuntimeError):  # nothing there; characters no path can hold; a home of nobody
        return "missing"
    if folder == Path(folder.anchor):
        return "whole_disk"
    if folder.is_relative_to(home):
        return "home"
    crawled = [known.expanduser().resolve() for known in folders_to_crawl(settings)]
    return "known" if any(folder.is_relative_to(known) for known in crawled) else folder


def remember_folders(settings: Settings, folders: Sequence[Path]) -> None:
    """Keep the folders that were named by hand, so that the next command means the same ones."""
    private_home(settings.home)
    (settings.home / _REMEMBERED).write_text(json.dumps([str(folder) for folder in folders]), encoding="utf-8")


def _remembered(path: Path) -> tuple[Path, ...]:
    try:
        return tuple(Path(folder) for folder in json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return ()
