"""Texts of the operator's page: progress, alarms, the story of a file, and the history of runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Plural, Section


@dataclass(frozen=True)
class StatusTexts(Section, section="pages.status"):
    """The sentences of this page alone."""

    no_files: str
    still_empty: str
    for_administrators: str
    readable: str
    # A crawl under way
    progress: str
    speed: Plural
    time_left: str
    no_speed: str
    latest: str
    batch: Plural
    # Retries
    retry_kind: str
    # Runs
    history: str
    no_runs: str
    files_by_state: str
    chart_names: Mapping[str, str]
    seconds: str
    cost: str
    runs: str
    run_columns: tuple[str, ...]
    # Questions and costs
    usage_for_administrators: str
    questions_hidden: str
    last_days: str
    first_of: str
    found: str
    found_nothing: str
    median: str
    p95: str
