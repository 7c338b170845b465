"""Connections to PostgreSQL, embedded or external, opened on first use. Vendor errors end here."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql
from psycopg.rows import BaseRowFactory, scalar_row, tuple_row
from psycopg_pool import ConnectionPool, PoolTimeout

from locator_search.adapters.postgres.server.address import dagster_url, external_url, place_of, search_url
from locator_search.adapters.postgres.server.embedded import GUARD, EmbeddedServer
from locator_search.adapters.postgres.server.migrations import PUBLIC, apply_migrations, check_migrations
from locator_search.adapters.postgres.server.poolers import Pooling, pooling_of, transaction_pooler
from locator_search.adapters.postgres.server.rows import TextsDumper
from locator_search.adapters.postgres.server.statements import statements
from locator_search.adapters.postgres.server.vendor_errors import in_our_words
from locator_search.config.settings import Settings
from locator_search.core.clock import seconds_left, within
from locator_search.core.errors import ConfigurationError, SchemaOutOfDate, StoreError, StoreUnavailable
from locator_search.core.reader import PROGRAM, named_reader, refuse_figures

if TYPE_CHECKING:
    import psutil

Connection = psycopg.Connection[Any]
Values: TypeAlias = Mapping[str, object] | Sequence[object]
Row = TypeVar("Row")

SQL = statements(__name__)

CONNECT_SECONDS = 10
LONGEST_WAIT_SECONDS = 30.0
"""For a connection of the pool."""
LEAST_SECONDS = 2.0
"""Seconds a question gets for the database in any case: even a late one must be able to record its end."""
LARGEST_POOL = 12
PREPARED_AFTER = 5
"""Times that a connection has run a statement (psycopg's own number). A prepared statement belongs to a session."""
ASKED_AFTER_SECONDS = 5.0
"""A connection that was not used for so long is asked whether it lives."""
REPLICA_SECONDS = 3
"""For a connection to the replica: the database itself is there, too."""
REPLICA_AWAY_SECONDS = 60.0
"""For which a replica that did not answer is left alone."""

LONGEST_NAME = 63
"""Bytes of a schema's name that PostgreSQL keeps."""

logger = logging.getLogger(__name__)
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # its retries are told by our own errors


class Database:
    """One PostgreSQL database. Thread-safe; a context manager; nothing is started or connected before first use.

    `place` is the libpq URL of an external database, or the home of an embedded server. The tables of an embedded
    server are brought up to date by the first connection, because nobody else uses them; those of an external one
    only by `migrate`. `schema` names the PostgreSQL schema the tables are in: an index of its own beside the main one.
    With `for_readers`, searches are trimmed to what the person who asks may read. `search_url` is the libpq URL of a
    copy that searches ask while it answers; it alone may be behind a pooler that keeps no sessions.
    """

    _needs_sessions = True
    _connect_seconds = CONNECT_SECONDS
    _longest_wait: float = LONGEST_WAIT_SECONDS

    def __init__(
        self, place: str | Path, schema: str = PUBLIC, *, for_readers: bool = False, search_url: str | None = None
    ) -> None:
        self._place = place
        self._for_readers = for_readers
        self.replica = _Replica(search_url, schema, for_readers=for_readers) if search_url else None
        self._replica_away_until = 0.0
        self._pooling: Pooling | None = None  # unknown before the first connection
        self.schema = _accepted(schema)
        self._lock = threading.RLock()
        self._server: EmbeddedServer | None = None
        self._pool: ConnectionPool[Connection] | None = None
        self._on_close: list[Callable[[], None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    @property
    def reader(self) -> list[str] | None:
        """The principals that files are trimmed to; None limits nothing. Raises AccessDenied where nobody is named."""
        reader = named_reader() if self._for_readers else PROGRAM
        if reader.everything:
            return None
        principals = list(reader.principals)
        return principals + self.rows(SQL.groups_of, {"principals": principals}, make=scalar_row)

    def refuse_figures(self) -> None:
        """Raise AccessDenied where whoever asks may not see figures about all files."""
        if self._for_readers:
            named_reader()
            refuse_figures()

    @property
    def embedded(self) -> bool:
        """Whether the server is our own."""
        return isinstance(self._place, Path)

    @property
    def url(self) -> str:
        """libpq URL; an embedded server is started to have one. May hold a password: never log or show it."""
        if isinstance(self._place, str):
            return self._place
        with self._lock:
            if self._server is None:
                self._server = EmbeddedServer(self._place)
            return self._server.url

    @property
    def dagster_url(self) -> str:
        """SQLAlchemy URL of the same database with Dagster's schema, which exists when this returns."""
        self._opened_pool()
        return dagster_url(self.url, pooled=self._pooling == "session")

    @property
    def searched(self) -> Database:
        """Where to search now: the replica while it answers, else this one. A replica that does not is told in the log
        and left alone for a minute."""
        if self.replica is None or time.monotonic() < self._replica_away_until:
            return self
        try:
            with self.replica.connection():
                return self.replica
        except (StoreUnavailable, SchemaOutOfDate) as error:
            self._replica_away_until = time.monotonic() + REPLICA_AWAY_SECONDS
            logger.warning("Searches ask DATABASE_URL and not LOCATOR_SEARCH_DATABASE_URL: %s", error.message)
            return self

    @property
    def keeps_sessions(self) -> bool:
        """Whether a connection of ours stays with the same one of the server between transactions."""
        return self._pooling != "transaction"

    def run(self, statement: str, values: Values = ()) -> int:
        """Run one statement, committed when this returns; how many rows it changed. Raises as `connection` does."""
        with self.connection() as connection:
            return connection.execute(statement, values).rowcount

    def rows(
        self, statement: str, values: Values = (), make: BaseRowFactory[Any] = tuple_row, *, binary: bool | None = None
    ) -> list[Any]:
        """Every row of one statement, as `make` makes them: tuples, `dict_row`, `class_row(Noun)`, `scalar_row` ..."""
        with self.connection() as connection, connection.cursor(row_factory=make) as cursor:
            return cursor.execute(statement, values, binary=binary).fetchall()

    def row(self, statement: str, values: Values, make: BaseRowFactory[Row]) -> Row | None:
        """The first row of one statement as `make` makes it; None where there is none."""
        with self.connection() as connection, connection.cursor(row_factory=make) as cursor:
            return cursor.execute(statement, values).fetchone()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A pooled connection in autocommit mode; `with connection.transaction():` groups statements. In a schema of
        its own, the whole block is one transaction.

        Raises StoreUnavailable, SchemaOutOfDate or StoreError.
        """
        if self.schema == PUBLIC:
            with self._pooled() as connection:
                yield connection
        else:
            with self.transaction() as connection:
                yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A pooled connection inside one transaction, rolled back when the block raises."""
        with self._pooled() as connection, connection.transaction():
            if self.schema != PUBLIC:
                enter_schema(connection, self.schema)
            yield connection

    @contextmanager
    def snapshot(self, exported: str | None = None) -> Iterator[Connection]:
        """A pooled connection inside one transaction that writes nothing and sees one state of all tables: the state
        that another such transaction has `exported`, while that one is open."""
        with self._pooled() as connection, connection.transaction():
            if (left := seconds_left()) is None:
                connection.execute(SQL.begin_snapshot)
            else:
                milliseconds = int(max(LEAST_SECONDS, left) * 1000)
                connection.execute(sql.SQL(SQL.begin_bounded_snapshot).format(milliseconds=milliseconds))
            if exported is not None:
                connection.execute(sql.SQL(SQL.share_snapshot).format(exported=exported))
            if self.schema != PUBLIC:
                enter_schema(connection, self.schema)
            yield connection

    def connect(self) -> Connection:
        """A connection of its own, outside the pool, for session locks and migrations. The caller closes it."""
        with self.translated(place_of(self.url)):
            connection = self._connected()
            self._know_pooling(connection)
            connection.execute(SQL.in_utc)
            if self.schema != PUBLIC:
                connection.execute(SQL.stay_in_schema, {"schema": self.schema})
            return connection

    @contextmanager
    def translated(self, place: str = "") -> Iterator[None]:
        """Vendor errors in the words of this database: an embedded server has no address a person could look at."""
        try:
            yield
        except (psycopg.Error, PoolTimeout) as error:
            ours = in_our_words(error, place, self._place if isinstance(self._place, Path) else None)
            raise ours from (None if isinstance(ours, StoreUnavailable) else error)

    def ensure_server(self) -> None:
        """Start the embedded server if it does not run, also one that died under us. Nothing where it is not ours.

        Raises StoreUnavailable.
        """
        if self.embedded:
            with self._lock:
                if self._server is None:
                    self._server = EmbeddedServer(Path(self._place))
                else:
                    self._server.ensure_running()

    @property
    def server_runs(self) -> bool:
        """Whether an embedded server that was started here still lives; True of any other."""
        return self._server is None or self._server.lives

    @property
    def server_process(self) -> int | None:
        """The process of an embedded server that was started here; None while it is dead, and of any other."""
        return None if self._server is None else self._server.process

    @staticmethod
    def is_server_process(process: psutil.Process) -> bool:
        """Whether a process is an embedded server or its guard: not one's own alone, other commands may be using it."""
        return process.name() == "postgres" or str(GUARD) in process.cmdline()

    def server_version(self) -> str:
        """The server's version, e.g. `18.4`."""
        [[version]] = self.rows(SQL.server_version)
        return str(version).split()[0]

    def on_close(self, action: Callable[[], None]) -> None:
        """Run `action` when this database is closed, before its server may stop."""
        self._on_close.append(action)

    def close(self) -> None:
        """Close the connections, and the embedded server if this was its last user."""
        with self._lock:
            for action in self._on_close:
                action()
            self.close_connections()
            if self.replica is not None:
                self.replica.close()
            if self._server is not None:
                self._server.close()
                self._server = None

    def close_connections(self) -> None:
        """Close the pooled connections; the next use opens them again and looks at the tables again."""
        with self._lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None

    @contextmanager
    def _pooled(self) -> Iterator[Connection]:
        pool = self._opened_pool()
        if not self.server_runs:  # the pool would try for half a minute to reach it
            self.ensure_server()
        with self.translated(), pool.connection(timeout=self._patience()) as connection:
            yield connection

    def _patience(self) -> float:
        return max(LEAST_SECONDS, within(self._longest_wait))

    def _connected(self) -> Connection:
        return self._connecting.connect(self.url, autocommit=True, connect_timeout=self._connect_seconds)

    def _know_pooling(self, connection: Connection) -> None:
        """Find out once what stands before a server that is not ours. Raises ConfigurationError where sessions are
        needed and not kept."""
        if self._pooling is None:
            self._pooling = "none" if self.embedded else pooling_of(connection, self._connected)
        if self._needs_sessions and not self.keeps_sessions:
            connection.close()
            raise transaction_pooler(place_of(self.url))

    @property
    def _connecting(self) -> type[Connection]:
        """The class of our connections: to an embedded server that died, one starts it again first."""
        if not isinstance(self._place, Path):
            return psycopg.Connection

        class ToEmbedded(psycopg.Connection[Any]):
            @classmethod
            def connect(cls, *args: Any, **named: Any) -> Any:
                try:
                    return super().connect(*args, **named)
                except psycopg.OperationalError:
                    database.ensure_server()
                    return super().connect(*args, **named)

        database = self
        return ToEmbedded

    def _opened_pool(self) -> ConnectionPool[Connection]:
        with self._lock:
            if self._pool is None:
                # The first connection is made by hand: it fails at once and with the server's own reason.
                with self.connect() as connection, self.translated():
                    prepare = apply_migrations if self.embedded else check_migrations
                    prepare(connection, self.schema)
                self._pool = ConnectionPool(
                    self.url,
                    connection_class=self._connecting,
                    kwargs={
                        "autocommit": True,
                        "connect_timeout": self._connect_seconds,
                        "prepare_threshold": PREPARED_AFTER if self.keeps_sessions else None,
                    },
                    min_size=0,
                    max_size=LARGEST_POOL,
                    timeout=self._longest_wait,
                    configure=_configure,
                    check=_Checks(),
                    open=True,
                )
            return self._pool


class _Replica(Database):
    """A copy of another database, for searches alone: they need no sessions, and need not wait for it long."""

    _needs_sessions = False
    _connect_seconds = REPLICA_SECONDS
    _longest_wait = REPLICA_SECONDS


class PostgresAdapter:
    """A port's implementation over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database


def open_database(settings: Settings, schema: str | None = None) -> Database:
    """The database the settings name: `DATABASE_URL`, `SUPABASE_*`, or the embedded server under `LOCATOR_HOME`.

    With a `schema`, an index of its own in it, beside the main one: `migrate` makes it, `drop_schema` removes it.
    Raises ConfigurationError for a name that cannot be one.
    """
    place = external_url(settings) or settings.home
    return Database(place, schema or PUBLIC, for_readers=settings.locator_permissions, search_url=search_url(settings))


def drop_schema(database: Database) -> None:
    """Remove an index in a schema of its own, with everything in it. The main index is refused."""
    if database.schema == PUBLIC:
        raise ConfigurationError("The main index is not dropped.", hint="Name the schema of another index.")
    database.close_connections()
    with database.translated(), database.connect() as connection:
        connection.execute(sql.SQL(SQL.drop_schema).format(schema=sql.Identifier(database.schema)))


def has_schema(database: Database, schema: str) -> bool:
    """Whether a schema exists. Raises StoreUnavailable."""
    return bool(database.row(SQL.has_schema, {"schema": schema}, scalar_row))


def enter_schema(connection: Connection, schema: str) -> None:
    """Find the tables of a schema first until the transaction ends. Raises StoreError where it is gone."""
    if connection.execute(SQL.enter_schema, {"schema": schema}).fetchone() is None:
        raise StoreError(f"The index {schema} is no longer in the database.", hint="It was dropped; build it again.")


def is_lost(connection: Connection) -> bool:
    """Whether the server has ended a connection that nothing is asked of at the moment. Asks nothing itself."""
    try:
        connection.pgconn.consume_input()  # the server's last words
        connection.pgconn.consume_input()  # and the end of the connection
    except psycopg.OperationalError:
        return True
    return bool(connection.closed)


def _accepted(schema: str) -> str:
    if not schema or "\0" in schema or schema == "dagster" or schema.startswith(("pg_", "information_schema")):
        raise ConfigurationError(f"An index cannot be named {schema!r}.", hint="Choose another name.")
    if len(schema.encode("utf-8", "replace")) > LONGEST_NAME:
        raise ConfigurationError(
            f"The name of an index has at most {LONGEST_NAME} bytes: {schema!r} is longer.",
            hint="Choose a shorter name.",
        )
    return schema


class _Checks:
    """Looks at connections before the pool hands them out. One that was handed out a moment ago is asked nothing: what
    its server says of its end has arrived. One left alone for longer may have been forgotten on the way."""

    def __init__(self) -> None:
        self._checked_at: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()

    def __call__(self, connection: Connection) -> None:
        """Raises psycopg.OperationalError for one that is of no use."""
        before, now = self._checked_at.get(connection, -math.inf), time.monotonic()
        self._checked_at[connection] = now
        if now - before > ASKED_AFTER_SECONDS:
            ConnectionPool.check_connection(connection)
        elif is_lost(connection):
            raise psycopg.OperationalError("the server has ended the connection")


def _configure(connection: Connection) -> None:
    connection.execute(SQL.in_utc)
    register_vector(connection)
    connection.adapters.register_dumper(list, TextsDumper)
