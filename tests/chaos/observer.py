"""Looks into a database from outside, while and after others work on it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, LiteralString

import psycopg


class Observer:
    """Asks over one connection of its own, opened anew whenever it was cut."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._connection: psycopg.Connection[Any] | None = None

    def rows(self, query: LiteralString) -> list[tuple[Any, ...]]:
        """Raises psycopg.Error when there is no server or no such table."""
        if self._connection is not None:
            with suppress(psycopg.OperationalError):  # the server was struck since the last look
                return self._connection.execute(query).fetchall()
            self._connection.close()
        self._connection = psycopg.connect(self.url, autocommit=True, connect_timeout=5)
        return self._connection.execute(query).fetchall()

    def number(self, query: LiteralString) -> int | None:
        """The one number a query gives; None as long as nobody answers."""
        try:
            return int(self.rows(query)[0][0])
        except psycopg.Error:
            return None

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            self._connection.close()
