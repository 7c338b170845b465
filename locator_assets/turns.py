"""Whose turn it is: one listing at a time, one retention a day. Asked without Dagster, whose start takes seconds."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locator_assets.resources import CrawlParts

CRAWL_LOCK = "crawl"
"""Held while the source is listed, and while a crawl of the command chooses its next batch: one at a time does that."""
RETENTION = "retention"
"""Under this name the store knows when it was done last."""
EVERY = timedelta(hours=24)


def is_due(parts: CrawlParts, *, changed: bool) -> bool:
    """Whether retention is: once a day; where nothing may be remembered of what is gone, after every change."""
    if changed and not parts.forget_after:
        return True
    last = parts.upkeep.last_run(RETENTION)
    return last is None or parts.clock.now() - last >= EVERY
