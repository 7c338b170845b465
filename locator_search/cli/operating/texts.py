"""Texts of `up`, `crawler`, `extract`, `status`, `doctor`, `roots` and `db`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Plural, Section


@dataclass(frozen=True)
class OperatingTexts(Section, section="cli.operating"):
    """Running the product, and looking after its index."""

    starting_database: str
    starting_servers: str
    crawling: str
    crawl_failed: str
    page: str
    dagster: str
    how_to_stop: str
    serving: str
    daemon_elsewhere: str
    stopping: str
    stopped: str
    started_again: str
    database_again: str

    listed: str
    by_reason: str
    unread: str
    more_unread: str
    elsewhere: str
    elsewhere_value: str
    chunks: str
    embedding_model: str
    calibration: str
    calibration_shipped: str
    calibration_sampled: str
    calibration_measured: str
    calibrate_again: str
    last_crawl: str
    last_crawl_value: str
    model_calls: str
    model_calls_value: str
    none_ended_yet: str
    none_yet: str
    incomplete: str

    root: str
    root_files: str
    root_listed: str
    root_crawled: str
    root_here: str
    root_elsewhere: str
    root_removed: Plural

    crawl_lists: str
    crawl_beginning: str
    crawl_progress: str
    crawl_report: str
    crawl_skipped: str
    crawl_waiting: str
    crawl_batch: str
    crawl_stand_ins: Plural
    crawl_without_embeddings: Plural
    stand_ins: str
    without_embeddings: str
    batch: str
    batch_value: str

    extracted: str
    extracted_pages: Plural
    extracted_well: str

    part: str
    part_state: str
    detail: str
    parts: Mapping[str, str]
    part_states: Mapping[str, str]

    db_up_to_date: str
    db_applied: str
    db_pending: str
    db_server: str
    db_graph: str
    db_forgotten: str
    db_confirm: str
    db_state: Plural
    db_state_dropped: str
    db_no_states: str
    db_saved: str
    db_restored: str
    db_unchanged: str
    db_cleared: Plural
    db_graphs: Mapping[str, str]
    db_places: Mapping[str, str]
    db_secrets: Mapping[str, str]


@dataclass(frozen=True)
class AuditTexts(Section, section="cli.audit"):
    """The audit log."""

    title: str
    columns: str
    kinds: Mapping[str, str]
