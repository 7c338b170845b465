"""Whether a server of ours can do its work: what `/readyz` asks."""

from __future__ import annotations

from collections.abc import Callable

from locator_search.app.locator import open_locator
from locator_search.config.settings import Settings


def readiness(settings: Settings) -> Callable[[], None]:
    """A look that raises StoreUnavailable or SchemaOutOfDate; it asks the database anew each time."""
    locator = open_locator(settings)
    return lambda: locator.upkeep.require_current()
