"""Addresses of databases, and errors that say what is wrong without saying the password."""

from __future__ import annotations

import socket

import pytest
import sqlalchemy
from psycopg.conninfo import conninfo_to_dict

from locator_search.adapters.postgres import Database
from locator_search.adapters.postgres.server.address import dagster_url, external_url
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError, StoreError, StoreUnavailable


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def test_an_unreachable_server_is_named_without_its_password() -> None:
    port = free_port()
    database = Database(f"postgresql://me:s3cret@127.0.0.1:{port}/files")
    with pytest.raises(StoreUnavailable) as failed:
        database.server_version()
    assert f"127.0.0.1:{port}/files" in failed.value.message
    assert "s3cret" not in f"{failed.value.message} {failed.value.hint}"
    assert "\n" not in failed.value.message
    assert failed.value.retryable


def test_a_refused_login_is_told_in_the_words_of_the_server(database_url: str) -> None:
    database = Database(database_url.replace("postgres@", "stranger@", 1))
    with pytest.raises(StoreUnavailable, match='role "stranger" does not exist'):
        database.server_version()


def test_a_refused_statement_is_one_sentence_without_values(database: Database) -> None:
    with pytest.raises(StoreError) as refused, database.connection() as connection:
        connection.execute("INSERT INTO file_chunk (chunk_id) VALUES ('private words')")
    assert "private words" not in refused.value.message


def test_a_wrong_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(ConfigurationError) as refused:
        external_url(Settings(database_url="my s3cret is this"))
    assert "s3cret" not in refused.value.message


def test_the_database_url_wins_over_supabase_and_nothing_set_means_embedded() -> None:
    supabase = Settings(supabase_url="https://abc.supabase.co", supabase_db_password="p/w@1")
    assert external_url(Settings()) is None
    url = external_url(supabase)
    assert url is not None
    assert conninfo_to_dict(url) == {
        "user": "postgres",
        "password": "p/w@1",
        "host": "db.abc.supabase.co",
        "port": "5432",
        "dbname": "postgres",
        "sslmode": "require",
    }
    assert external_url(supabase.model_copy(update={"database_url": "postgresql://h/d"})) == "postgresql://h/d"


def test_a_supabase_url_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="SUPABASE_URL"):
        external_url(Settings(supabase_url="abc", supabase_db_password="x"))


def test_dagster_gets_the_same_database_with_its_own_schema(database: Database) -> None:
    engine = sqlalchemy.create_engine(database.dagster_url)
    assert engine.driver == "psycopg2"
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE runs (id int)"))
        query = sqlalchemy.text("SELECT schemaname FROM pg_tables WHERE tablename = 'runs'")
        assert connection.execute(query).scalar() == "dagster"
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://u:p%40w@h:6543/d?sslmode=require",
            "postgresql+psycopg2://u:p%40w@h:6543/d?sslmode=require&options=-csearch_path%3Ddagster",
        ),
        (
            "postgresql://u@[::1]/d?options=-cstatement_timeout%3D5s",
            "postgresql+psycopg2://u@[::1]/d?options=-cstatement_timeout%3D5s%20-csearch_path%3Ddagster",
        ),
    ],
)
def test_every_part_of_the_address_reaches_dagster(url: str, expected: str) -> None:
    assert dagster_url(url) == expected


def test_times_are_utc_whatever_the_server_thinks(database: Database) -> None:
    with database.connection() as connection:
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)


def test_a_connection_used_a_moment_ago_is_handed_out_without_being_asked(database: Database) -> None:
    with database.connection() as used:
        used.execute("SELECT 'the last question'")
        pid = used.info.backend_pid
    last_question = "SELECT query FROM pg_stat_activity WHERE pid = %s"
    with database.connection() as again, database.connection() as watching:
        assert again.info.backend_pid == pid
        assert watching.execute(last_question, [pid]).fetchone() == ("SELECT 'the last question'",)


def test_a_connection_the_server_ended_a_moment_ago_is_not_handed_out(database: Database, database_url: str) -> None:
    with database.connection() as used:
        pid = used.info.backend_pid
    with Database(database_url) as administrator:
        assert administrator.rows("SELECT pg_terminate_backend(%s, 10000)", [pid]) == [(True,)]
    assert database.rows("SELECT pg_backend_pid() <> %s", [pid]) == [(True,)]
