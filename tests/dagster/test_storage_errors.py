"""What a person reads when Dagster's records cannot be written.

No `from __future__ import annotations` here: Dagster reads the context class from the signature.
"""

from pathlib import Path

import dagster as dg
import psycopg
import psycopg2
import pytest
import sqlalchemy.exc
from dagster_postgres.utils import DagsterPostgresException

from locator_assets.instance import open_instance
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from locator_search.core.errors import StoreUnavailable

pytestmark = pytest.mark.dagster_tables


@dg.op
def speak(context: dg.OpExecutionContext) -> None:
    context.log.info("one event of a run")


@dg.job
def speaking() -> None:
    speak()


def test_an_event_that_cannot_be_written_is_told_in_one_sentence_without_sql(
    tmp_path: Path, database_url: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DAGSTER_HOME", "DAGSTER_POSTGRES_URL"):
        monkeypatch.setenv(name, "")  # and put back afterwards
    settings = load_settings(locator_home=tmp_path / "home", database_url=database_url)

    def run_without_a_table_for_events() -> None:
        with open_locator(settings) as locator, open_instance(locator) as instance:
            with psycopg.connect(database_url, autocommit=True) as connection:
                connection.execute("ALTER TABLE dagster.event_logs RENAME TO gone")
            speaking.execute_in_process(instance=instance)

    with pytest.raises(StoreUnavailable) as raised:
        run_without_a_table_for_events()
    told = capfd.readouterr().err
    assert "PostgreSQL failed while Dagster's records were written" in raised.value.message
    assert "PostgreSQL failed while Dagster's records were written" in told
    assert "[SQL" not in raised.value.message + told


@pytest.mark.parametrize("wrapped", ["bare", "by SQLAlchemy", "by Dagster"])
def test_what_the_driver_says_is_told_however_it_is_wrapped(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch, wrapped: str
) -> None:
    for name in ("DAGSTER_HOME", "DAGSTER_POSTGRES_URL"):
        monkeypatch.setenv(name, "")
    said = psycopg2.OperationalError("server closed the connection unexpectedly\n\tThis probably means ...")
    errors = {
        "bare": said,
        "by SQLAlchemy": sqlalchemy.exc.OperationalError("SELECT secret", {}, said),
        "by Dagster": DagsterPostgresException("too many retries for DB connection"),
    }
    settings = load_settings(locator_home=tmp_path / "home", database_url=database_url)
    with (
        pytest.raises(StoreUnavailable, match=r"were written: server closed the connection unexpectedly\.\n"),
        open_locator(settings) as locator,
        open_instance(locator),
    ):
        raise errors[wrapped] from said


def test_an_error_that_is_not_of_the_database_stays_what_it_is(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DAGSTER_HOME", "DAGSTER_POSTGRES_URL"):
        monkeypatch.setenv(name, "")
    settings = load_settings(locator_home=tmp_path / "home", database_url=database_url)
    with pytest.raises(ValueError, match="another"), open_locator(settings) as locator, open_instance(locator):
        raise ValueError("another")


def test_a_connection_the_server_ended_a_moment_ago_is_replaced(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DAGSTER_HOME", "DAGSTER_POSTGRES_URL"):
        monkeypatch.setenv(name, "")
    settings = load_settings(locator_home=tmp_path / "home", database_url=database_url)
    with open_locator(settings) as locator, open_instance(locator) as instance:
        storage = instance.run_storage
        storage.get_runs_count()
        with psycopg.connect(database_url, autocommit=True) as administrator:
            dagsters = "datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%runs%'"
            ended = f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {dagsters}"
            assert administrator.execute(ended).fetchall()
        assert storage.get_runs_count() == 0
