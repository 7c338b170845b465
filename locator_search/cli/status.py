"""`document-locator status`: the index in figures."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from locator_search.cli.output import JsonFlag, console, emit_json, reports_errors

if TYPE_CHECKING:
    from locator_search.ports import IndexStatus


@reports_errors
def status(json_output: JsonFlag = False) -> None:
    """Show how many files are in which state, the last crawl, how fresh the index is, and what it cost so far.

    Example: document-locator status --json
    """
    from locator_search.app import open_locator

    with open_locator() as locator:
        figures, now = locator.status_reader.status(), locator.clock.now()
    if json_output:
        emit_json(as_json(figures, now))
    else:
        _show(figures, now)


def as_json(figures: IndexStatus, now: datetime) -> dict[str, object]:
    """The figures as one JSON object. `age_seconds` is the time since the last completed crawl, None before one."""
    sync = figures.last_sync
    return {
        "listed": figures.coverage.listed,
        "complete": figures.coverage.complete,
        "states": dict(figures.coverage.by_state),
        "reasons": dict(figures.coverage.by_reason),
        "chunks": figures.chunks,
        "last_sync": sync,
        "age_seconds": round((now - sync.finished_at).total_seconds(), 1) if sync else None,
        "newest_indexed_at": figures.newest_indexed_at,
        "embedding_model": figures.embedding_model,
        "model_calls": figures.model_calls,
        "tokens": figures.tokens,
        "cost_usd": figures.cost_usd,
    }


def _show(figures: IndexStatus, now: datetime) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row("files listed", f"{figures.coverage.listed:,}")
    for state, count in sorted(figures.coverage.by_state.items(), key=lambda item: -item[1]):
        table.add_row(f"  {state}", f"{count:,}")
    for reason, count in sorted(figures.coverage.by_reason.items(), key=lambda item: -item[1]):
        table.add_row(f"    {reason}", f"{count:,}")
    table.add_row("chunks", f"{figures.chunks:,}")
    table.add_row("embedding model", figures.embedding_model or "none yet")
    table.add_row("last crawl", _last_crawl(figures, now))
    table.add_row("model calls", f"{figures.model_calls:,} ({figures.tokens:,} tokens, {figures.cost_usd:.4f} USD)")
    console.print(table)
    if not figures.coverage.complete:
        console.print("The states do not add up to the listing: run `document-locator crawler --mode full`.")


def _last_crawl(figures: IndexStatus, now: datetime) -> str:
    sync = figures.last_sync
    if sync is None:
        return "none yet: run `document-locator crawler`"
    minutes = (now - sync.finished_at).total_seconds() / 60
    return f"{sync.finished_at:%Y-%m-%d %H:%M} UTC, {minutes:,.0f} minutes ago, {sync.mode}, {sync.listed:,} files"
