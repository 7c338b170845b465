"""The Dagster instance of this product: its home under LOCATOR_HOME, its tables in our PostgreSQL."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from locator_assets.dagster_files import ensure_dagster_yaml
from locator_search.config.folders import private_home
from locator_search.core.disk import full_disk, is_full
from locator_search.core.errors import ConfigurationError, LocatorError, StoreUnavailable

if TYPE_CHECKING:
    import dagster as dg

    from locator_search.app.locator import Locator

_HOLDING: WeakSet[dg.DagsterInstance] = WeakSet()
_HELD_CONNECTIONS = 5
_STATEMENT_TIMEOUT_MS = 60_000
_RECONNECT_PAUSES = (0.5, 1, 2, 4, 8)


def dagster_environment(locator: Locator) -> Mapping[str, str]:
    """Make the Dagster home ready; returns the variables every Dagster process needs. Raises ConfigurationError."""
    home = locator.settings.home / "dagster"
    private_home(locator.settings.home)
    home.mkdir(mode=0o700, exist_ok=True)
    ensure_dagster_yaml(home, locator.settings.locator_crawl_slots)
    return {"DAGSTER_HOME": str(home), "DAGSTER_POSTGRES_URL": locator.database.dagster_url}


@contextmanager
def open_instance(locator: Locator) -> Iterator[dg.DagsterInstance]:
    """The instance that `up` serves, for work inside this process."""

    environment = dagster_environment(locator)
    os.environ.update(environment)  # dagster.yaml names the variable, so that no file holds the URL
    with _storage_errors_told(locator), _configured_instance(environment["DAGSTER_HOME"]) as instance:
        hold_connections(instance)
        _reconnect(instance, locator)
        _tell_errors_of_events(instance, locator)
        yield instance


def _configured_instance(home: str) -> dg.DagsterInstance:
    import dagster as dg

    try:
        return dg.DagsterInstance.from_config(home)
    except dg.DagsterInvalidConfigError as error:
        reason = " ".join(str(error).split())
        raise ConfigurationError(
            f"Dagster does not accept {home}/dagster.yaml: {reason[:300]}", hint="Mend the file, or remove it."
        ) from None


@contextmanager
def _storage_errors_told(locator: Locator) -> Iterator[None]:
    """A database that Dagster cannot reach or write to, as one sentence. Raises StoreUnavailable."""
    try:
        yield
    except LocatorError:
        raise
    except Exception as error:
        cause = _error_of_the_driver(error)
        if cause is None:
            raise
        reason = (str(cause).strip().splitlines() or [type(cause).__name__])[0].rstrip(".")
        if is_full(reason) and locator.database.embedded:
            raise StoreUnavailable(*full_disk(locator.settings.home)) from None
        raise StoreUnavailable(
            f"PostgreSQL failed while Dagster's records were written: {reason}.",
            hint="Start the crawl again when the database answers: what is indexed stays, the rest is taken up.",
        ) from None


def _error_of_the_driver(error: BaseException | None) -> BaseException | None:
    """The error of PostgreSQL's driver inside those that SQLAlchemy and Dagster wrapped around it, or bare."""
    while error is not None and type(error).__module__.partition(".")[0] != "psycopg2":
        error = error.__cause__ or error.__context__
    return error


def _tell_errors_of_events(instance: dg.DagsterInstance, locator: Locator) -> None:
    """Dagster prints why an event could not be written before it raises that: a sentence, then, and no SQL."""
    write: Any = instance.handle_new_event

    def write_or_tell(*arguments: Any, **options: Any) -> Any:
        with _storage_errors_told(locator):
            return write(*arguments, **options)

    instance.handle_new_event = write_or_tell  # type: ignore[method-assign]


def _reconnect(instance: dg.DagsterInstance, locator: Locator) -> None:
    """Let Dagster's storages look at a connection before they use it, and try for a while to have a new one."""
    from sqlalchemy import event
    from sqlalchemy.exc import DBAPIError

    def connect(dialect: Any, _record: object, arguments: Any, parameters: Any) -> Any:
        for pause in _RECONNECT_PAUSES:
            try:
                return dialect.connect(*arguments, **parameters)
            except (DBAPIError, dialect.loaded_dbapi.OperationalError):
                time.sleep(pause)
                locator.database.ensure_server()
        return dialect.connect(*arguments, **parameters)

    for storage in (instance.run_storage, instance.event_log_storage, instance.schedule_storage):
        engine: Any = getattr(storage, "_engine", None)
        if engine is not None:
            engine.pool._pre_ping = True
            event.listen(engine, "do_connect", connect)


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
