"""Tables for a while: a schema of its own that is dropped when its work is done, however that ends."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from locator_search.adapters.postgres.server.database import Connection, Database, drop_schema, open_database
from locator_search.adapters.postgres.server.migrations import migrate
from locator_search.adapters.postgres.server.statements import statements
from locator_search.config.settings import Settings

SQL = statements(__name__)

PREFIX = "locator_scratch_"


@contextmanager
def scratch_database(settings: Settings) -> Iterator[Database]:
    """Empty tables, dropped at the end.

    What a killed process left is dropped first: it is known by the lock that nobody holds.
    """
    schema = PREFIX + secrets.token_hex(6)
    with open_database(settings) as main, main.connect() as holder:
        _drop_abandoned(settings, holder)
        holder.execute(SQL.hold, {"schema": schema})
        with open_database(settings, schema) as database:
            try:
                migrate(database)
                yield database
            finally:
                drop_schema(database)


def _drop_abandoned(settings: Settings, holder: Connection) -> None:
    for (schema,) in holder.execute(SQL.abandoned).fetchall():
        with open_database(settings, schema) as left:
            drop_schema(left)
