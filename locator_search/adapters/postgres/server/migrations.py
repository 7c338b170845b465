"""Brings the tables up to date: the files of `sql/`, in the order of their names, each applied once.

What was applied is kept with a checksum in `schema_migration`. A file that changed after it was applied, or one this
program does not carry, is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from locator_search.adapters.postgres.server.statements import statements
from locator_search.config.bundled import bundled
from locator_search.core.errors import ConfigurationError, SchemaOutOfDate

if TYPE_CHECKING:
    from locator_search.adapters.postgres.server.database import Database

SQL = statements(__name__)

OLDEST = "0042_terms_at_once"
"""Tables that lack this one were made before rows were written as they are now."""

MIGRATION_LOCK = 0x6C6F6361746F72  # "locator"

PUBLIC = "public"
"""The schema of the main index. Others have one of their own."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of `sql/`."""

    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text, whatever its line ends."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrate(database: Database) -> list[str]:
    """Apply what is missing and return its names. Safe when several processes do it at once.

    Raises SchemaOutOfDate when the database is newer than this program, or a file was edited after it was applied.
    """
    with database.translated(), database.connect() as connection:
        return apply_migrations(connection, database.schema)


def apply_migrations(connection: psycopg.Connection[Any], schema: str) -> list[str]:
    """`migrate` over a connection whose search path begins with `schema`; all of it in one transaction.

    Raises ConfigurationError where the role may not make them, with what an administrator has to run.
    """
    migrations, applied = _migrations(), _applied(connection, schema)
    if not _pending(migrations, applied):
        return []
    if not applied:
        _refuse_a_role_that_may_not(connection)
    with connection.transaction():
        connection.execute(SQL.lock, {"lock": MIGRATION_LOCK})
        if schema != PUBLIC:
            connection.execute(SQL.create_extension)
            connection.execute(sql.SQL(SQL.create_schema).format(schema=sql.Identifier(schema)))
        connection.execute(SQL.create_table)
        pending = _pending(migrations, _applied(connection, schema))
        for migration in pending:
            connection.execute(migration.sql)
            connection.execute(SQL.note, {"name": migration.name, "checksum": migration.checksum})
    return [migration.name for migration in pending]


def check_migrations(connection: psycopg.Connection[Any], schema: str) -> None:
    """Raise SchemaOutOfDate unless the tables are exactly those of this program."""
    pending = _pending(_migrations(), _applied(connection, schema))
    if pending:
        raise SchemaOutOfDate(
            f"The tables in the database are older than this program ({pending[0].name} is missing).",
            hint="Run `document-locator db apply`.",
        )


def schema_state(connection: psycopg.Connection[Any], schema: str) -> tuple[list[str], list[str]]:
    """The names of applied and of pending migrations. Raises SchemaOutOfDate as `migrate` does."""
    applied = _applied(connection, schema)
    return sorted(applied), [migration.name for migration in _pending(_migrations(), applied)]


def schema_checksums(connection: psycopg.Connection[Any]) -> dict[str, str]:
    """The migrations of the main index and their checksums."""
    return _applied(connection, PUBLIC)


def refuse_unknown(applied: Mapping[str, str]) -> None:
    """Raise SchemaOutOfDate for tables that a newer program made, or an edited one."""
    _pending(_migrations(), dict(applied))


def _refuse_a_role_that_may_not(connection: psycopg.Connection[Any]) -> None:
    [[role, database, has_pgvector, statements]] = connection.execute(SQL.privileges).fetchall()
    if not has_pgvector:
        raise ConfigurationError(
            "The PostgreSQL server has no pgvector.",
            hint="An administrator installs it there (for example the package postgresql-18-pgvector).",
        )
    if statements:
        raise ConfigurationError(
            f"The role {role} may not make the tables.",
            hint=f"An administrator runs in the database {database}: {statements};"
            " then run `document-locator db apply` again.",
        )


def _migrations() -> list[Migration]:
    return [Migration(path.stem, path.read_text("utf-8")) for path in sorted(bundled("sql").glob("*.sql"))]


def _applied(connection: psycopg.Connection[Any], schema: str) -> dict[str, str]:
    """Checksums of the migrations applied in a schema, by name."""
    [[found]] = connection.execute(SQL.has_table, {"schema": schema}).fetchall()
    return dict(connection.execute(SQL.applied).fetchall()) if found else {}


def _pending(migrations: list[Migration], applied: dict[str, str]) -> list[Migration]:
    if applied and OLDEST not in applied:
        raise SchemaOutOfDate(
            "The tables were made by a program from before the first release, and are not brought up to date.",
            hint="Use another LOCATOR_HOME or an empty database, and crawl again.",
        )
    known = {migration.name: migration.checksum for migration in migrations}
    for name, checksum in sorted(applied.items()):
        if name not in known:
            raise SchemaOutOfDate(
                f"The database is newer than this program (it has {name}).",
                hint="Upgrade document-locator, or use another database.",
            )
        if known[name] != checksum:
            raise SchemaOutOfDate(
                f"The migration {name} was edited after it had been applied.",
                hint="Restore the released file; changes to tables belong in a new migration.",
            )
    return [migration for migration in migrations if migration.name not in applied]
