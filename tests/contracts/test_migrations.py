"""Migrations: applied once, in order, by whoever comes first."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from locator_search.adapters.postgres import Database, PostgresFileRegistry, migrate
from locator_search.adapters.postgres.server import migrations
from locator_search.config.bundled import bundled
from locator_search.core.errors import ConfigurationError, SchemaOutOfDate, StoreError
from tests.builders.registry import all_known

NAMES = sorted(path.stem for path in bundled("sql").glob("*.sql"))


@pytest.fixture
def sql_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of sql/ that a test may change."""
    folder = tmp_path / "sql"
    shutil.copytree(bundled("sql"), folder)
    monkeypatch.setattr(migrations, "bundled", lambda name: tmp_path / name)
    return folder


def test_every_migration_is_applied_once_in_the_order_of_its_name(empty_database_url: str) -> None:
    with Database(empty_database_url) as database:
        assert migrate(database) == NAMES
        assert migrate(database) == []


def test_processes_that_migrate_at_once_apply_each_migration_once(empty_database_url: str) -> None:
    applied: list[str] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            with Database(empty_database_url) as database:
                applied.extend(migrate(database))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(applied) == NAMES


def test_a_migration_edited_after_it_was_applied_is_refused_by_name(database_url: str, sql_folder: Path) -> None:
    first = sql_folder / f"{NAMES[0]}.sql"
    first.write_text(first.read_text("utf-8") + "\n-- edited", "utf-8")
    with Database(database_url) as database, pytest.raises(SchemaOutOfDate, match=NAMES[0]):
        migrate(database)


def test_other_line_ends_are_not_an_edit(database_url: str, sql_folder: Path) -> None:
    for path in sql_folder.glob("*.sql"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with Database(database_url) as database:
        assert migrate(database) == []


def test_a_database_newer_than_the_program_is_refused(database_url: str, sql_folder: Path) -> None:
    (sql_folder / f"{NAMES[-1]}.sql").unlink()
    with Database(database_url) as database, pytest.raises(SchemaOutOfDate, match="newer"):
        migrate(database)


def test_a_migration_that_fails_leaves_nothing_of_itself(database_url: str, sql_folder: Path) -> None:
    (sql_folder / "9999_wrong.sql").write_text("CREATE TABLE half (id int); SELECT 1 / 0;", "utf-8")
    with Database(database_url) as database:
        with pytest.raises(StoreError, match="division by zero"):
            migrate(database)
        (sql_folder / "9999_wrong.sql").unlink()
        assert migrate(database) == []
        with database.connection() as connection:
            assert connection.execute("SELECT to_regclass('half')").fetchone() == (None,)


@pytest.mark.parametrize(("readers", "position"), [(("user:aki@example.com",), None), ((), "17")])
def test_readers_from_before_their_ends_were_known_are_listed_anew(
    empty_database_url: str, sql_folder: Path, readers: tuple[str, ...], position: str | None
) -> None:
    later = [path for path in sql_folder.glob("*.sql") if path.stem >= "0091"]
    written = {path: path.read_text("utf-8") for path in later}
    for path in later:
        path.unlink()
    with Database(empty_database_url) as database:
        migrate(database)
        with database.connection() as connection:
            connection.execute(
                "INSERT INTO drive_sync_state (id, drive_modified_at, change_token) VALUES ('a', now(), 17)"
            )
            for one in readers:
                connection.execute("INSERT INTO access_list VALUES (%s, ARRAY[%s])", (one, one))
        for path in later:
            path.write_text(written[path], "utf-8")
        migrate(database)
        with database.connection() as connection:
            assert connection.execute("SELECT change_token FROM drive_sync_state").fetchone() == (position,)


def test_an_external_database_without_our_tables_says_what_to_do(empty_database_url: str) -> None:
    with Database(empty_database_url) as database, pytest.raises(SchemaOutOfDate) as refused:
        all_known(PostgresFileRegistry(database))
    assert "db apply" in refused.value.hint


def test_the_tables_of_the_design_have_their_columns(database: Database) -> None:
    query = """
        SELECT table_name, array_agg(column_name::text) FROM information_schema.columns
        WHERE table_schema = 'public' GROUP BY 1
    """
    with database.connection() as connection:
        columns = {table: set(names) for table, names in connection.execute(query)}
    assert columns["drive_file_index"] >= {
        "file_id", "file_name", "summary", "keywords", "embedding", "drive_modified_at", "mime_type",
    }  # fmt: skip
    assert columns["drive_sync_state"] >= {"id", "drive_modified_at"}
    assert columns["file_chunk"] >= {"chunk_id", "file_id", "ordinal", "text", "embedding", "chunker_version"}
    assert columns["file_state"] >= {
        "file_id",
        "state",
        "reason",
        "content_hash",
        "parser_version",
        "attempts",
        "seen_at",
    }
    assert {"model_answer", "search_log", "extracted_text", "index_profile"} <= set(columns)


@pytest.fixture
def owner_url(empty_database_url: str) -> Iterator[str]:
    """The address of an empty database for a role that owns it and is nothing else."""
    name = conninfo_to_dict(empty_database_url)["dbname"]
    with psycopg.connect(empty_database_url, autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {name}_owner LOGIN")
        administrator.execute(f"ALTER DATABASE {name} OWNER TO {name}_owner")
        yield empty_database_url.replace("postgres@", f"{name}_owner@", 1)
        administrator.execute(f"REASSIGN OWNED BY {name}_owner TO postgres; DROP OWNED BY {name}_owner")
        administrator.execute(f"DROP ROLE {name}_owner")


def test_an_owner_is_told_the_one_statement_that_an_administrator_has_to_run(
    empty_database_url: str, owner_url: str
) -> None:
    with Database(owner_url) as database:
        with pytest.raises(ConfigurationError, match="may not make the tables") as refused:
            migrate(database)
        [statement] = re.findall(r"runs in the database \w+: (.+); then run", str(refused.value.hint))
        assert statement == "CREATE EXTENSION vector SCHEMA public"
        with psycopg.connect(empty_database_url) as administrator:
            administrator.execute(statement)
        assert migrate(database) == NAMES


def test_a_role_that_owns_nothing_is_told_all_it_lacks(empty_database_url: str, owner_url: str) -> None:
    with psycopg.connect(empty_database_url) as administrator:
        administrator.execute(f"ALTER DATABASE {administrator.info.dbname} OWNER TO postgres")
    with Database(owner_url) as database:
        with pytest.raises(ConfigurationError) as refused:
            migrate(database)
        [statements] = re.findall(r"runs in the database \w+: (.+); then run", str(refused.value.hint))
        with psycopg.connect(empty_database_url) as administrator:
            administrator.execute(statements)
        assert migrate(database) == NAMES
