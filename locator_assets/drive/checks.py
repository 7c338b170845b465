"""Whether the index keeps its promises. Unpartitioned, in a job of their own: batches cannot evaluate them.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

from collections.abc import Sequence

import dagster as dg

from locator_assets.drive.findable import evaluation_of_newest_files
from locator_assets.ownership import OWNERS
from locator_assets.resources import CrawlParts
from locator_search.core.errors import LocatorError
from locator_search.core.reader import PROGRAM, reading_as
from locator_search.health.alarms import LATEST_SYNC
from locator_search.health.root_texts import warning_lines
from locator_search.model import CoverageCounts
from locator_search.ports import ChangeFeed, DocumentSource, KnownFile
from locator_search.text.markdown.writing import code_as_markdown

SHOWN = 50

ERROR = dg.AssetCheckSeverity.ERROR
WARN = dg.AssetCheckSeverity.WARN


@dg.asset_check(asset="drive_file_index", description="Every indexed file has its row, and every row its indexed file")
def row_per_file(parts: dg.ResourceParam[CrawlParts]) -> dg.AssetCheckResult:
    """Rows of files that failed since keep the revision that was indexed before."""
    health = parts.index_inspector.inspect()
    return dg.AssetCheckResult(
        passed=not health.files_without_row and not health.rows_without_file,
        severity=ERROR,
        metadata={
            "rows": health.rows,
            "files_without_row": health.files_without_row,
            "rows_without_file": health.rows_without_file,
        },
    )


@dg.asset_check(asset="file_embedding", description="All vectors have one dimension, length 1, and come from one model")
def unit_vectors_of_one_model(parts: dg.ResourceParam[CrawlParts]) -> dg.AssetCheckResult:
    """Vectors of two models cannot be compared."""
    health = parts.index_inspector.inspect()
    return dg.AssetCheckResult(
        passed=not health.vectors_not_unit and len(health.dimensions) <= 1 and len(health.embedding_models) <= 1,
        severity=ERROR,
        metadata={
            "vectors_not_unit": health.vectors_not_unit,
            "dimensions": ", ".join(map(str, health.dimensions)),
            "models": ", ".join(health.embedding_models),
        },
    )


@dg.asset_check(asset="drive_file_index", description="Files are found by their own titles and first keywords")
def findable_files(context: dg.AssetCheckExecutionContext, parts: dg.ResourceParam[CrawlParts]) -> dg.AssetCheckResult:
    """Whether the newest files are found, and those that were not found before. A batch reports it of its files."""
    found = evaluation_of_newest_files(parts, context.instance)
    return dg.AssetCheckResult(passed=found.passed, severity=found.severity, metadata=found.metadata)


@dg.asset_check(asset="drive_file", description="Every listed file is in exactly one state; the sums equal the listing")
def coverage_equals_listing(parts: dg.ResourceParam[CrawlParts]) -> dg.AssetCheckResult:
    """Whether the states of the files of our own roots add up to the listing. A difference is a warning, because
    between two ticks of the sensor it is normal."""
    coverage = parts.registry.coverage()
    if isinstance(parts.source, ChangeFeed):
        return _coverage_of_changes(parts, coverage)
    listed, problem = _listed(parts.source)
    return dg.AssetCheckResult(
        passed=coverage.complete and not problem and coverage.listed == listed,
        severity=WARN if coverage.complete else ERROR,
        metadata={
            "listed": listed,
            "registered": coverage.listed,
            "listing": problem or "complete",
            "states": dg.MetadataValue.json({str(state): count for state, count in coverage.by_state.items()}),
        },
    )


def _listed(source: DocumentSource) -> tuple[int, str]:
    """How many files a source lists, and why it broke off, if it did."""
    listed = 0
    try:
        for _file in source.sweep().files():
            listed += 1
    except LocatorError as error:
        return listed, error.message
    return listed, ""


def _coverage_of_changes(parts: CrawlParts, coverage: CoverageCounts) -> dg.AssetCheckResult:
    """Listing a whole Drive every hour would cost what the changes save; the reconciliation does it every day."""
    listed_at = parts.feed_log.last_full_at()
    return dg.AssetCheckResult(
        passed=coverage.complete and listed_at is not None,
        severity=WARN if coverage.complete else ERROR,
        metadata={
            "registered": coverage.listed,
            "listing": f"changes since {listed_at.isoformat()}" if listed_at else "none yet",
            "states": dg.MetadataValue.json({str(state): count for state, count in coverage.by_state.items()}),
        },
    )


@dg.asset_check(asset="drive_file", description="Every source root lists what it is known to hold")
def roots_as_expected(parts: dg.ResourceParam[CrawlParts]) -> dg.AssetCheckResult:
    """Removals that wait for a person's word, roots and folders out of reach, and roots that nobody crawls any more."""
    warnings = parts.root_warnings()
    return dg.AssetCheckResult(
        passed=not warnings,
        severity=WARN,
        metadata={"warnings": len(warnings), "what_to_do": dg.MetadataValue.md(warning_lines(warnings))},
    )


@dg.asset_check(asset="drive_file_index", description="A crawl has come to its end within the last 26 hours")
def index_is_fresh(parts: dg.ResourceParam[CrawlParts]) -> dg.AssetCheckResult:
    """Covers a source that cannot be listed and work that never ends."""
    with reading_as(PROGRAM):
        sync = parts.status_reader.status().last_sync
    fresh = sync is not None and parts.clock.now() - sync.finished_at <= LATEST_SYNC
    return dg.AssetCheckResult(
        passed=fresh, severity=WARN, metadata={"last_sync": sync.finished_at.isoformat() if sync else "never"}
    )


@dg.asset_check(asset="extracted_text", description="Files that no retry will read, with their reasons")
def every_file_readable(parts: dg.ResourceParam[CrawlParts]) -> dg.AssetCheckResult:
    """Whether every file could be read; the others wait for a new revision, a new parser, or a person."""
    found = evaluation_of_unreadable_files(parts)
    return dg.AssetCheckResult(passed=found.passed, severity=found.severity, metadata=found.metadata)


def evaluation_of_unreadable_files(parts: CrawlParts) -> dg.AssetCheckEvaluation:
    """The files that could not be read, as `every_file_readable` tells them. A batch reports it at its end, so that
    the warning comes and goes with the file."""
    with reading_as(PROGRAM):
        unreadable = parts.status_reader.files_in(["failed", "no_access"], limit=SHOWN)
    return dg.AssetCheckEvaluation(
        asset_key=dg.AssetKey("extracted_text"),
        check_name="every_file_readable",
        passed=not unreadable,
        severity=WARN,
        metadata={"unreadable": len(unreadable), "files": dg.MetadataValue.md(_lines(unreadable))},
    )


ALL_CHECKS = (
    row_per_file,
    unit_vectors_of_one_model,
    findable_files,
    coverage_equals_listing,
    roots_as_expected,
    index_is_fresh,
    every_file_readable,
)

health_job = dg.define_asset_job(
    "index_health_job",
    selection=dg.AssetSelection.checks(*ALL_CHECKS),
    executor_def=dg.in_process_executor,
    description="Every check of the index",
    owners=OWNERS,
)
health_schedule = dg.ScheduleDefinition(
    name="hourly_health",
    job=health_job,
    cron_schedule="15 * * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Once an hour every check of the index",
    owners=OWNERS,
)


def _lines(files: Sequence[KnownFile]) -> str:
    """A Markdown list; names and reasons come from outside and are shown as code."""
    return "\n".join(f"- {code_as_markdown(known.file.file_name)}: {code_as_markdown(known.reason)}" for known in files)
