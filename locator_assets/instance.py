"""The Dagster instance of this product: its home under LOCATOR_HOME, its tables in our PostgreSQL."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from locator_search.bundled import bundled

if TYPE_CHECKING:
    import dagster as dg

    from locator_search.app import Locator

_HOLDING: WeakSet[dg.DagsterInstance] = WeakSet()
_HELD_CONNECTIONS = 5
_STATEMENT_TIMEOUT_MS = 60_000


def dagster_environment(locator: Locator) -> Mapping[str, str]:
    """Make the Dagster home ready; returns the variables every Dagster process needs."""
    home = locator.settings.home / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    fresh = home / f"dagster.yaml.{os.getpid()}"
    shutil.copyfile(bundled("dagster.yaml"), fresh)
    fresh.replace(home / "dagster.yaml")  # at once: other processes may be reading it
    return {"DAGSTER_HOME": str(home), "DAGSTER_POSTGRES_URL": locator.database.dagster_url}


@contextmanager
def open_instance(locator: Locator) -> Iterator[dg.DagsterInstance]:
    """The instance that `up` serves, for work inside this process."""
    import dagster as dg

    environment = dagster_environment(locator)
    os.environ.update(environment)  # dagster.yaml names the variable, so that no file holds the URL
    with dg.DagsterInstance.from_config(environment["DAGSTER_HOME"]) as instance:
        hold_connections(instance)
        yield instance


def hold_connections(instance: dg.DagsterInstance) -> None:
    """Keep connections open between events. By default each event opens two or three: 10 ms instead of 3."""
    if instance in _HOLDING:
        return
    _HOLDING.add(instance)
    instance.optimize_for_webserver(
        statement_timeout=_STATEMENT_TIMEOUT_MS, pool_recycle=3600, max_overflow=_HELD_CONNECTIONS
    )
    # For every event Dagster asks, over a connection that is new each time, whether one of its own tables exists: a
    # third of what an event costs. Its tables do not change while it runs.
    storage: Any = instance.event_log_storage
    if hasattr(storage, "has_table"):
        storage.has_table = cache(storage.has_table)
