"""The databases of the scenarios: one server that all share, and homes with a server of their own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from locator_search.adapters.postgres import Database, migrate
from locator_search.adapters.postgres.server.embedded import SERVER_OPTIONS, EmbeddedServer
from tests.builders.dagster_tables import make_dagster_tables

FAST_AND_FORGETFUL = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
"""Processes are killed here, the machine is not: what was committed is in the memory of the system."""
TEMPLATE = "chaos_template"


@dataclass(frozen=True)
class Cluster:
    """A server whose databases are copied from one with all tables in it."""

    server: EmbeddedServer
    scratch: Path
    _numbers: count[int]

    def new_database(self) -> str:
        """The URL of an empty index."""
        name = f"chaos_{next(self._numbers)}"
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY file_copy")
        return self._url_of(name)

    def drop(self, url: str) -> None:
        """Forget a database."""
        name = url.split("/postgres?")[0] if "/postgres?" in url else url.partition("?")[0].rpartition("/")[2]
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def new_home(self, place: Path) -> Path:
        """A home whose own server has an empty index; to make one takes seconds, to copy it hardly any time."""
        pattern = self.scratch / "home-to-copy"
        if not pattern.exists():
            with Database(pattern) as database:
                with database.connection():  # the first one brings the tables up to date
                    pass
                make_dagster_tables(database.url, self._dagster_home())
        # As `cp -a`, because owners matter to PostgreSQL and root makes its files for another account.
        subprocess.run(["cp", "-a", str(pattern), str(place)], check=True)
        return place

    def _dagster_home(self) -> Path:
        home = self.scratch / f"dagster-{next(self._numbers)}"
        home.mkdir()
        return home

    def _url_of(self, name: str) -> str:
        return self.server.url.replace("/postgres?", f"/{name}?", 1)

    def _make_template(self) -> None:
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        with Database(self._url_of(TEMPLATE)) as database:
            migrate(database)
        make_dagster_tables(self._url_of(TEMPLATE), self._dagster_home())


@contextmanager
def cluster(scratch: Path) -> Iterator[Cluster]:
    """One that runs while the block does."""
    server = EmbeddedServer(scratch / "cluster", f"{SERVER_OPTIONS} {FAST_AND_FORGETFUL}")
    made = Cluster(server, scratch, count())
    made._make_template()
    try:
        yield made
    finally:
        server.close()
        shutil.rmtree(scratch / "home-to-copy", ignore_errors=True)
