"""States of the main index, each a copy of what searches read, in a schema of its own that bears its name."""

from __future__ import annotations

import json
import unicodedata
from datetime import datetime

from psycopg import sql
from psycopg.rows import class_row

from locator_search.adapters.postgres.server.database import Connection, Database, drop_schema, open_database
from locator_search.adapters.postgres.server.migrations import PUBLIC, migrate
from locator_search.adapters.postgres.server.statements import statements
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError
from locator_search.ports.versions import KeptState

SQL = statements(__name__)

PREFIX = "locator_kept_"
LONGEST_NAME = 63 - len(PREFIX)
"""Bytes. PostgreSQL takes 63 for the name of a schema."""

TABLES = (
    "access_list",
    "index_profile",
    "drive_file_index",
    "file_chunk",
    "embedding_code",
    "file_document",
    "file_state",
    "keyword_term",
    "keyword_total",
    "keyword_change",
    "keyword_total_change",
)
"""What a search reads. A table stands behind those it refers to."""


class PostgresKeptStates:
    """KeptStates over PostgreSQL."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database

    def keep(self, name: str, now: datetime) -> KeptState:
        """Copy the index as it is at this moment; crawls and searches go on. Raises ConfigurationError for a name that
        is none, or is taken, StoreError."""
        schema = _schema_of(name)
        with self._database.connect() as holder, open_database(self._settings, schema) as kept:
            holder.execute(SQL.hold, {"schema": schema})
            if any(state.name == name for state in self.all()):
                raise ConfigurationError(
                    f"A state of the name {name} is kept already.", hint="Choose another name, or drop that one before."
                )
            drop_schema(kept)  # what a copy that was interrupted left
            migrate(kept)
            try:
                with self._database.transaction() as connection:
                    _copy(connection, schema, now)
            except BaseException:
                drop_schema(kept)
                raise
        return self.find(name)

    def all(self) -> list[KeptState]:
        """The states that are kept, newest first."""
        return self._database.rows(SQL.states, {"prefix": PREFIX}, class_row(KeptState))

    def find(self, name: str) -> KeptState:
        """The state of that name. Raises ConfigurationError where there is none."""
        states = self.all()
        found = next((state for state in states if state.name == name), None)
        if found is None:
            names = ", ".join(state.name for state in states)
            raise ConfigurationError(
                f"No state of the name {name} is kept.",
                hint=f"There are: {names}." if names else "`document-locator db keep NAME` keeps one.",
            )
        return found

    def drop(self, name: str) -> KeptState:
        """Remove a state; returns what it was. Raises ConfigurationError where there is none."""
        state = self.find(name)
        with open_database(self._settings, _schema_of(name)) as kept:
            drop_schema(kept)
        return state

    def schema(self, state: KeptState) -> str:
        """Where its tables are, brought up to date. Raises SchemaOutOfDate where a newer program kept it."""
        schema = _schema_of(state.name)
        with open_database(self._settings, schema) as kept:
            migrate(kept)
        return schema


def _schema_of(name: str) -> str:
    plain = name == unicodedata.normalize("NFC", name).strip() and name.isprintable()
    if not plain or not 0 < len(name.encode("utf-8", "replace")) <= LONGEST_NAME:
        raise ConfigurationError(
            "That name cannot be used for a state of the index.",
            hint=f"Names have 1 to {LONGEST_NAME} bytes and no control characters (a Japanese letter has three).",
        )
    return PREFIX + name


def _copy(connection: Connection, schema: str, now: datetime) -> None:
    connection.execute(SQL.begin)
    for table in TABLES:
        names = connection.execute(SQL.columns, {"table": f"{PUBLIC}.{table}"}).fetchall()
        columns = sql.SQL(", ").join(sql.Identifier(name) for (name,) in names)
        original, copy = sql.Identifier(PUBLIC, table), sql.Identifier(schema, table)
        connection.execute(sql.SQL(SQL.clear).format(table=copy))
        connection.execute(sql.SQL(SQL.copy).format(copy=copy, columns=columns, table=original))
        connection.execute(sql.SQL(SQL.analyse).format(table=copy))
    count = sql.SQL(SQL.documents).format(table=sql.Identifier(schema, "drive_file_index"))
    [[documents]] = connection.execute(count).fetchall()
    told = json.dumps({"kept_at": now.isoformat(), "documents": documents})
    connection.execute(sql.SQL(SQL.tell).format(schema=sql.Identifier(schema), told=sql.Literal(told)))
