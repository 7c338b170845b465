"""The files Dagster reads from its home: `dagster.yaml` and `workspace.yaml`. Files of the user's own are respected."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from locator_search.config.bundled import bundled
from locator_search.core.errors import ConfigurationError

_STORAGE = {"env": "DAGSTER_POSTGRES_URL"}
_MARK = "# Kept up to date by Document Locator ({digest}). Change anything below, and the file is yours and stays.\n"
_MARKED = re.compile(re.escape(_MARK).replace(re.escape("{digest}"), "(?P<digest>[0-9a-f]{16})") + "(?P<text>.*)", re.S)
_RUNS = re.compile(r"max_concurrent_runs: 4\b")
_OTHER_RUNS = 3
"""Runs that are no batch of files, beside those that are."""
_RUNS_OF_DAGSTER = 10
"""Where a file names no number."""
_STALE_SECONDS = 60

logger = logging.getLogger(__name__)


def ensure_dagster_yaml(home: Path, crawl_slots: int = 1) -> None:
    """Write `dagster.yaml` where there is none, or where nobody changed what we wrote. There is room for as
    many runs over files as there are `crawl_slots`, and for some others.

    Raises ConfigurationError where a file of the user's own keeps Dagster's records elsewhere than in our database.
    """
    file, shipped = home / "dagster.yaml", bundled("dagster.yaml").read_text("utf-8")
    ours = _RUNS.sub(f"max_concurrent_runs: {crawl_slots + _OTHER_RUNS}", shipped)
    found = _text_of(file)
    if found in ("", shipped) or ((marked := _MARKED.fullmatch(found)) and _digest(marked["text"]) == marked["digest"]):
        _replace(file, found, _MARK.format(digest=_digest(ours)) + ours)
        return
    settings: Any = _parsed(file, found)
    room, needed = _room(settings), crawl_slots + _OTHER_RUNS
    for key in ("storage", "postgres", "postgres_url"):
        settings = settings.get(key) if isinstance(settings, dict) else None
    if settings != _STORAGE:
        raise ConfigurationError(
            f"{file} does not keep Dagster's records in the database of the index.",
            hint="Set storage: postgres: postgres_url: env: DAGSTER_POSTGRES_URL in it, or remove the file.",
        )
    if 0 <= room < needed:
        _say_once(
            f"{file} is yours and lets {room} runs go on at once: LOCATOR_CRAWL_SLOTS={crawl_slots} needs {needed}"
        )


def _room(settings: Any) -> int:
    """How many runs a file of the user's own lets go on at once; -1 for any number."""
    concurrency = settings.get("concurrency") if isinstance(settings, dict) else None
    runs = concurrency.get("runs") if isinstance(concurrency, dict) else None
    number = (runs if isinstance(runs, dict) else {}).get("max_concurrent_runs", _RUNS_OF_DAGSTER)
    return number if isinstance(number, int) else -1


@cache
def _say_once(sentence: str) -> None:
    logger.warning("%s (max_concurrent_runs, under concurrency: runs).", sentence)


def workspace_yaml(home: Path) -> Path:
    """The user's own `workspace.yaml` in the Dagster home, else ours. Raises ConfigurationError where it is none."""
    file = home / "workspace.yaml"
    if not (text := _text_of(file)):
        return bundled("workspace.yaml")
    workspace = _parsed(file, text)
    if not isinstance(workspace, dict) or not workspace.get("load_from"):
        raise ConfigurationError(
            f"{file} names no code location.", hint="List one under load_from (docs/deploy.md), or remove the file."
        )
    return file


def _text_of(file: Path) -> str:
    """The text of a file, "" where there is none."""
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigurationError(f"{file} cannot be read: {reason}.", hint="Mend the file, or remove it.") from None


def _parsed(file: Path, text: str) -> object:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        line = f" (line {mark.line + 1})" if (mark := getattr(error, "problem_mark", None)) else ""
        raise ConfigurationError(f"{file} is not valid YAML{line}.", hint="Mend the file, or remove it.") from None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _replace(file: Path, found: str, wanted: str) -> None:
    for left_over in file.parent.glob(f"{file.name}.*"):  # of a process that was killed at this very place
        if time.time() - left_over.stat().st_mtime > _STALE_SECONDS:
            left_over.unlink(missing_ok=True)
    if found != wanted:
        fresh = file.with_name(f"{file.name}.{os.getpid()}")
        fresh.write_text(wanted, "utf-8")
        fresh.replace(file)  # at once: other processes may be reading it
