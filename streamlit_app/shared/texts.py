"""The texts of the search page and of what all pages share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from locator_search.drive_search.page_filters import FilterTexts
from locator_search.locales import Language, Plural, languages
from locator_search.locales.reasons import Reasons
from locator_search.model import Branch, FileState, GroupKind


@dataclass(frozen=True)
class Texts(FilterTexts, section="pages.shared"):
    """The search page, the status page, and what every page shows."""

    search_page: str
    status_page: str
    language_switch: str
    streamlit_names: Mapping[str, str]
    # The question
    headline: str
    index_size: Plural
    question_placeholder: str
    examples_title: str
    examples: tuple[str, ...]
    keys_title: str
    keys: Mapping[str, str]
    keys_close: str
    # Searches people come back to
    saved_searches: str
    recent_searches: str
    forget_recent: str
    forget_saved: str
    save_search: str
    suggestions: str
    search_is_saved: str
    # Filters
    filters: str
    after: str
    before: str
    wrong_order: str
    types: str
    folders: str
    anything: str
    clear_filters: str
    facets: str
    from_question: str
    variants: str
    rules: str
    rule_explanations: Mapping[str, str]
    rule_switch_off: str
    restore: str
    remove: str
    # A search in progress and its answer
    searching: str
    words_first: str
    searched: str
    order: str
    orders: Mapping[str, str]
    shown: str
    export: str
    export_name: str
    narrowing: str
    own_answer: str
    own_answer_placeholder: str
    answer: str
    show_anyway: str
    undo: str
    count: str
    models: str
    offline: str
    offline_hint: str
    # A result
    similarity: str
    similarity_sources: Mapping[str, str]
    summary: str
    freshness: Mapping[str, str]
    groups: Mapping[GroupKind, str]
    overlap: str
    document_date: str
    modified: str
    checked_at: str
    indexed_at: str
    open_file: str
    link_ended: str
    original_gone: str
    preview: str
    preview_hit: str
    preview_part: str
    match_before: str
    match_after: str
    preview_gone: str
    similar: str
    partition: str
    why: str
    reason_name: str
    reason_text: str
    reason_both: str
    reason_near: str
    reason_conditions: str
    reason_word: str
    why_terms: str
    why_name: str
    why_near: str
    why_similarity: str
    why_mixed: str
    why_placed: Mapping[str, str]
    why_figures: str
    why_factor: str
    why_value: str
    why_words: Mapping[str, str]
    thanks: str
    # The decision path
    trace: str
    trace_columns: tuple[str, ...]
    exact_counts: str
    round_note: str
    branches: Mapping[Branch, str]
    # Nothing to show
    no_index_title: str
    no_index: str
    no_index_way: str
    tried: str
    attempt: str
    closest: str
    did_you_mean: str
    unread: str
    unread_where: str
    try_next: str
    # Status
    status_title: str
    coverage: str
    state: str
    files: str
    sum: str
    sums_equal: Plural
    sums_differ: str
    reasons: str
    reason: str
    failures: str
    no_failures: str
    attempts: str
    newest_of: str
    due: str
    retry: str
    retry_file: str
    retry_all: str
    retried: str
    skipped: str
    last_sync: str
    never: str
    newest_indexed: str
    chunks: str
    spent: str
    spent_detail: str
    models_owe: str
    scale_shipped: str
    scale_sampled: str
    scale_measured: str
    scale_old: str
    parts: str
    part_names: Mapping[str, str]
    part_states: Mapping[str, str]
    dagster: str
    dagster_assets: str
    dagster_runs: str
    ago: tuple[str, str, str, str]
    # Errors
    unexpected: str

    @property
    def states(self) -> Mapping[FileState, str]:
        """The states of files in words, the same on every surface."""
        return cast(Mapping[FileState, str], Reasons.of(self.language).states)


def as_language(value: str | None, default: Language) -> Language:
    """A language from outside (an address, a setting), or the default."""
    return value if value in languages() else default


def ago(texts: Texts, then: datetime, now: datetime) -> str:
    """How long ago something was, in the largest fitting unit."""
    passed = max(now - then, timedelta())
    just_now, minutes, hours, days = texts.ago
    if passed < timedelta(minutes=1):
        return just_now
    if passed < timedelta(hours=1):
        return minutes.format(n=passed // timedelta(minutes=1))
    if passed < timedelta(days=1):
        return hours.format(n=passed // timedelta(hours=1))
    return days.format(n=passed // timedelta(days=1))
