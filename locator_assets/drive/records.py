"""Keeps the doings of a run over files for the history that the status page shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from locator_assets.resources import CrawlParts
from locator_search.core.usage import metered
from locator_search.indexing.stages import FileResult
from locator_search.ports import CrawlRun

Listener = Callable[[FileResult], None]


@contextmanager
def recorded(run_id: str, parts: CrawlParts, listen: Listener) -> Iterator[Listener]:
    """Listen to the results of a run as they come, and keep what it did at its end, an early one too: it was paid."""
    started_at, endings = parts.clock.now(), Counter[str]()

    def counting(result: FileResult) -> None:
        endings[result.ending] += 1
        listen(result)

    with metered() as meter:
        try:
            yield counting
        finally:
            parts.status_reader.record_run(
                CrawlRun(
                    run_id,
                    started_at,
                    parts.clock.now(),
                    parts.registry.coverage().by_state,
                    indexed=endings["indexed"],
                    skipped=endings["skipped"] + endings["no_access"],
                    failed=endings["failed"],
                    model_calls=meter.total.calls,
                    tokens=meter.total.tokens,
                    cost_usd=meter.total.cost_usd,
                )
            )
