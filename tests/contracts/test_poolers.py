"""Poolers in front of PostgreSQL, and a copy of the database that searches ask."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from locator_search.adapters.postgres import Database, PostgresFileLocks, PostgresIndexStore
from locator_search.adapters.postgres.search.unread_search import PostgresUnreadReader
from locator_search.adapters.postgres.server.address import place_of
from locator_search.core.errors import ConfigurationError
from locator_search.model import RetrievalQuery
from tests.builders.index import file_ref, index_entry, unit_vector
from tests.builders.poolers import pgbouncer

QUESTION = RetrievalQuery("麒麟と河馬", mode="hybrid", threshold=0.0, limit=5)
VECTOR = unit_vector("question")


def fill(database: Database, *names: str) -> None:
    entries = [index_entry(file_ref(name, name), [f"麒麟と河馬の話 {name}"]) for name in names]
    PostgresIndexStore(database).replace_many(entries, "pipeline-1")


def found(index: PostgresIndexStore) -> list[str]:
    return sorted(hit.file_name for hit in index.retrieve(QUESTION, VECTOR).evidence)


@pytest.fixture
def copied(database: Database, database_url: str) -> Iterator[Callable[[], str]]:
    """Copies the database as it is now; the address of the copy, for a role that may only read it."""
    made: list[str] = []

    def copy() -> str:
        name = conninfo_to_dict(database_url)["dbname"]
        database.close()
        with psycopg.connect(make_conninfo(database_url, dbname="postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}_copy TEMPLATE {name}")
            connection.execute(f"CREATE ROLE {name}_reader LOGIN IN ROLE pg_read_all_data")
        made.append(str(name))
        return database_url.replace("postgres@", f"{name}_reader@", 1).replace(f"/{name}?", f"/{name}_copy?")

    yield copy
    with psycopg.connect(make_conninfo(database_url, dbname="postgres"), autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP DATABASE IF EXISTS {name}_copy WITH (FORCE)")
            connection.execute(f"DROP ROLE {name}_reader")


@pytest.mark.parametrize("connections", [1, 20])
def test_a_pooler_that_keeps_no_sessions_is_refused_by_name_with_the_address_that_works(
    database_url: str, connections: int
) -> None:
    with pgbouncer(database_url, "transaction", connections) as url, Database(url) as database:
        for use in (database.server_version, database.connect):
            with pytest.raises(ConfigurationError) as refused:
                use()
            assert place_of(url) in refused.value.message
            assert "every transaction another connection" in refused.value.message
            assert "port 5432" in str(refused.value.hint)
            assert "LOCATOR_SEARCH_DATABASE_URL" in str(refused.value.hint)


def test_it_is_known_while_others_keep_it_busy(database_url: str) -> None:
    with pgbouncer(database_url, "transaction") as url, ThreadPoolExecutor(4) as threads:
        stop = False

        def ask() -> None:
            with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
                while not stop:
                    connection.execute("SELECT pg_sleep(0.001)")

        asking = [threads.submit(ask) for _ in range(4)]
        try:
            for _ in range(5):
                with Database(url) as database, pytest.raises(ConfigurationError):
                    database.server_version()
        finally:
            stop = True
        assert [each.result() for each in asking] == [None] * 4


def test_a_server_and_a_pooler_that_keeps_sessions_serve_locks(database_url: str) -> None:
    with pgbouncer(database_url, "session") as url, Database(url) as ours, Database(database_url) as theirs:
        with PostgresFileLocks(ours).hold("one"):
            assert PostgresFileLocks(theirs).is_held("one")
        assert not PostgresFileLocks(theirs).is_held("one")


def test_a_crawl_and_a_search_work_behind_a_pooler_that_keeps_sessions(database_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "報告書.txt").write_text("北斗製鋼の見積もり", "utf-8")
    with pgbouncer(database_url, "session") as url:

        def command(*arguments: str) -> dict[str, object]:
            ended = subprocess.run(
                [sys.executable, "-m", "locator_search.cli.main", *arguments, "--json"],
                env=os.environ
                | {"DATABASE_URL": url, "LOCATOR_HOME": str(tmp_path / "home"), "LOCATOR_FOLDERS": str(folder)},
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert ended.returncode == 0, ended.stderr[-3000:]
            result: dict[str, object] = json.loads(ended.stdout)
            return result

        assert command("crawler")["indexed"] == 1
        assert "報告書.txt" in json.dumps(command("search", "北斗製鋼"), ensure_ascii=False)
    with psycopg.connect(database_url) as connection:
        [schema] = connection.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'event_logs'").fetchall()
        assert schema == ("dagster",)


@pytest.mark.parametrize("connections", [1, 3])
def test_a_hundred_searches_at_once_find_their_files_behind_a_pooler_that_keeps_no_sessions(
    database: Database, database_url: str, connections: int
) -> None:
    fill(database, "a.txt", "b.txt")
    with (
        pgbouncer(database_url, "transaction", connections) as url,
        Database(database_url, search_url=url) as searching,
        ThreadPoolExecutor(8) as people,
    ):
        index, unread = PostgresIndexStore(searching), PostgresUnreadReader(searching)
        answers = [people.submit(found, index) for _ in range(100)]
        assert [answer.result() for answer in answers] == [["a.txt", "b.txt"]] * 100
        assert unread.matching(QUESTION, 10) == []
        assert searching.searched is searching.replica


def test_searches_ask_the_copy_and_everything_else_the_database(
    database: Database, database_url: str, copied: Callable[[], str]
) -> None:
    fill(database, "in both.txt")
    with Database(database_url, search_url=copied()) as both:
        index = PostgresIndexStore(both)
        assert found(index) == ["in both.txt"]
        fill(both, "later.txt")
        assert found(index) == ["in both.txt"]
        assert both.rows("SELECT count(*) FROM drive_file_index") == [(2,)]


def test_a_copy_that_ends_is_left_alone_and_said(
    database: Database, database_url: str, copied: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    fill(database, "in both.txt")
    with Database(database_url, search_url=copied()) as both:
        index = PostgresIndexStore(both)
        found(index)
        fill(both, "later.txt")
        name = conninfo_to_dict(database_url)["dbname"]
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name}_copy WITH (FORCE)")
        assert found(index) == found(index) == ["in both.txt", "later.txt"]
    told = [record.getMessage() for record in caplog.records if "LOCATOR_SEARCH_DATABASE_URL" in record.getMessage()]
    assert len(told) == 1


def test_a_copy_without_tables_is_not_searched(database: Database, database_url: str, empty_database_url: str) -> None:
    fill(database, "here.txt")
    with Database(database_url, search_url=empty_database_url) as both:
        assert found(PostgresIndexStore(both)) == ["here.txt"]
