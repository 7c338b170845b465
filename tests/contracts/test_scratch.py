"""Tables for a while."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.postgres import Database, open_database
from locator_search.adapters.postgres.index_store import PostgresIndexStore
from locator_search.adapters.postgres.server.scratch import PREFIX, scratch_database
from locator_search.config.settings import Settings
from locator_search.model import RetrievalQuery
from tests.builders.index import index_entry

ANY = RetrievalQuery("本文", threshold=0.0, mode="keyword")


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(database_url=database_url, locator_home=tmp_path)


def scratch_schemas(database: Database) -> list[str]:
    with database.connection() as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", [PREFIX])
        return [name for (name,) in rows]


def test_a_scratch_index_is_beside_the_main_one_and_gone_afterwards(settings: Settings, database: Database) -> None:
    with scratch_database(settings) as scratch:
        PostgresIndexStore(scratch).replace(index_entry(), "1")
        assert PostgresIndexStore(scratch).retrieve(ANY, None).hit_count == 1
        assert PostgresIndexStore(database).retrieve(ANY, None).hit_count == 0
    assert scratch_schemas(database) == []


def test_a_scratch_index_is_dropped_when_its_work_is_interrupted(settings: Settings, database: Database) -> None:
    def load_and_press_ctrl_c() -> None:
        with scratch_database(settings) as scratch:
            PostgresIndexStore(scratch).replace(index_entry(), "1")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_and_press_ctrl_c()
    assert scratch_schemas(database) == []


def test_what_a_killed_process_left_is_dropped_by_the_next_and_what_is_in_use_is_not(
    settings: Settings, database: Database
) -> None:
    with database.connection() as connection:
        connection.execute(f"CREATE SCHEMA {PREFIX}0123456789ab")
        connection.execute(f"CREATE SCHEMA {PREFIX}of_somebody")
    with scratch_database(settings) as first, scratch_database(settings) as second:
        assert set(scratch_schemas(database)) == {first.schema, second.schema, f"{PREFIX}of_somebody"}
    with open_database(settings, f"{PREFIX}of_somebody") as other, other.connect() as connection:
        connection.execute(f"DROP SCHEMA {PREFIX}of_somebody")
