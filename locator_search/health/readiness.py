"""The answers of a server of ours to those who watch it: whether it can do its work, and figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from locator_search.app.locator import open_locator
from locator_search.config.settings import Settings
from locator_search.health.metrics import exposition


class Probes(TypedDict):
    """The looks that `guard.Health` takes; each asks the database anew, and raises LocatorError where that fails."""

    check: Callable[[], None]
    metrics: Callable[[], str]
    token: str | None


def probes(settings: Settings) -> Probes:
    """Those of a server with these settings."""
    locator = open_locator(settings)
    return Probes(
        check=lambda: locator.upkeep.require_current(),
        metrics=lambda: exposition(locator.metrics_reader.samples()),
        token=settings.locator_metrics_token,
    )
