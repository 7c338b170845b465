"""Texts of the operator's page: progress, alarms, the story of a file, and the history of runs."""

from __future__ import annotations

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
    # The story of a file
    find: str
    find_placeholder: str
    no_such_file: str
    more_files: str
    listed: str
    read: str
    summarised: str
    searchable: str
    tried: str
    was_listed: str
    was_read: Plural
    waits: str
    by_model: str
    extract: str
    is_searchable: str
    older_text: str
    is_not: str
    was_tried: str
    next_due: str
    next_at: str
    next_by_hand: str
    retry_kind: str
    # Runs
    history: str
    no_runs: str
    files_by_state: str
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
