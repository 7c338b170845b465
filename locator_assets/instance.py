"""The Dagster instance of this product: its home under LOCATOR_HOME, its tables in our PostgreSQL."""

from __future__ import annotations

import math
import os
import select
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

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
_ASKED_AFTER_SECONDS = 5.0
"""A connection that was not used for so long is asked whether it lives."""
_TABLES_LOCK = "dagster/tables"
_OF_TABLES = {
    "event_log_storage": ["has_table"],
    "run_storage": ["has_run_stats_index_cols", "has_backfill_id_column"],
}
"""Questions of Dagster's storages about their own tables."""


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
    with _storage_errors_told(locator), _configured_instance(locator, environment["DAGSTER_HOME"]) as instance:
        hold_connections(instance)
        _reconnect(instance, locator)
        _tell_errors_of_events(instance, locator)
        yield instance


def making_tables(locator: Locator) -> AbstractContextManager[None]:
    """Whoever opens an instance while this is held finds all tables or makes them all. At the first start the crawl and
    the UI open it at the same moment, and Dagster mends only some of the errors that two makers give one another."""
    return locator.locks.hold(_TABLES_LOCK)


def _configured_instance(locator: Locator, home: str) -> dg.DagsterInstance:
    import dagster as dg

    try:
        with making_tables(locator):
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
            engine.dialect.do_ping = _seldom(engine.dialect.do_ping)
            event.listen(engine, "do_connect", connect)


def _seldom(ping: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Ask a connection that was asked a moment ago no more than whether anything arrived: its server says its end."""
    asked_at: WeakKeyDictionary[Any, float] = WeakKeyDictionary()

    def lives(connection: Any) -> bool:
        before, now = asked_at.get(connection, -math.inf), time.monotonic()
        asked_at[connection] = now
        arrived = select.poll()
        arrived.register(connection, select.POLLIN)
        return (now - before < _ASKED_AFTER_SECONDS and not arrived.poll(0)) or ping(connection)

    return lives


def hold_connections(instance: dg.DagsterInstance) -> None:
    """Keep connections open between events. By default each event opens two or three: 10 ms instead of 3."""
    if instance in _HOLDING:
        return
    _HOLDING.add(instance)
    instance.optimize_for_webserver(
        statement_timeout=_STATEMENT_TIMEOUT_MS, pool_recycle=3600, max_overflow=_HELD_CONNECTIONS
    )
    # For every event and every run Dagster asks which of its own tables and columns exist: a third of what an event
    # costs. Its tables do not change while it runs.
    for storage, questions in _OF_TABLES.items():
        of: Any = getattr(instance, storage)
        for name in questions:
            if hasattr(of, name):
                setattr(of, name, cache(getattr(of, name)))
