"""Tables for a while: a schema of its own that is dropped when its work is done, however that ends."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from locator_search.adapters.postgres.server.database import Connection, Database, drop_schema, open_database
from locator_search.adapters.postgres.server.migrations import migrate
from locator_search.config.settings import Settings

PREFIX = "locator_scratch_"

ABANDONED = """
SELECT nspname FROM pg_catalog.pg_namespace
WHERE nspname ~ '^locator_scratch_[0-9a-f]{12}$' AND pg_try_advisory_lock(hashtextextended(nspname, 0))
"""


@contextmanager
def scratch_database(settings: Settings) -> Iterator[Database]:
    """Empty tables, dropped at the end.

    What a killed process left is dropped first: it is known by the lock that nobody holds.
    """
    schema = PREFIX + secrets.token_hex(6)
    with open_database(settings) as main, main.connect() as holder:
        _drop_abandoned(settings, holder)
        holder.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [schema])
        with open_database(settings, schema) as database:
            try:
                migrate(database)
                yield database
            finally:
                drop_schema(database)


def _drop_abandoned(settings: Settings, holder: Connection) -> None:
    for (schema,) in holder.execute(ABANDONED).fetchall():
        with open_database(settings, schema) as left:
            drop_schema(left)
