"""Which local folders are crawled: those of the settings, else those `up --folder` named last, else the samples."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from locator_search.bundled import bundled
from locator_search.settings import Settings

_REMEMBERED = "folders.json"


def folders_to_crawl(settings: Settings) -> tuple[Path, ...]:
    """The folders of LOCATOR_FOLDERS where it is set. Never raises: a missing folder is the source's to report."""
    named = tuple(Path(name).expanduser() for name in settings.locator_folders)
    if "locator_folders" in settings.model_fields_set:
        return named
    remembered = _remembered(settings.home / _REMEMBERED)
    if remembered:
        return remembered
    return named if named[0].is_dir() else (bundled("samples"),)


def remember_folders(settings: Settings, folders: Sequence[Path]) -> None:
    """Keep the folders that were named by hand, so that the next command means the same ones."""
    settings.home.mkdir(parents=True, exist_ok=True)
    (settings.home / _REMEMBERED).write_text(json.dumps([str(folder) for folder in folders]), encoding="utf-8")


def _remembered(path: Path) -> tuple[Path, ...]:
    try:
        return tuple(Path(folder) for folder in json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return ()
