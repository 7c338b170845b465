"""Indexes beside the main one: the same tables in a schema of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.postgres import (
    Database,
    PostgresFileRegistry,
    PostgresIndexStore,
    PostgresStatusReader,
    PostgresUpkeep,
    drop_schema,
    migrate,
    open_database,
)
from locator_search.config.bundled import bundled
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError, SchemaOutOfDate, StoreError
from locator_search.model import RetrievalQuery
from tests.builders.index import file_ref, index_entry, unit_vector
from tests.builders.registry import all_known

NAMES = sorted(path.stem for path in bundled("sql").glob("*.sql"))


def found_ids(database: Database, query: str) -> list[str]:
    found = PostgresIndexStore(database).retrieve(RetrievalQuery(query, threshold=0.5, mode="keyword"), None)
    return [evidence.file_id for evidence in found.evidence]


def nearest_ids(database: Database) -> list[str]:
    asked = RetrievalQuery("", threshold=0.0, mode="vector", with_facets=False)
    return [evidence.file_id for evidence in PostgresIndexStore(database).retrieve(asked, unit_vector("x")).evidence]


def test_an_index_in_a_schema_of_its_own_shares_nothing_with_the_main_one(
    database: Database, database_url: str
) -> None:
    PostgresIndexStore(database).replace(index_entry(texts=["麒麟の生態"]), "pipeline-1")
    with open_database(Settings(database_url=database_url), schema='私の "コレクション"') as scratch:
        assert migrate(scratch) == NAMES
        assert migrate(scratch) == []
        other = index_entry(file_ref("file-2"), ["河馬の生態"], embedding_model="another-model")
        PostgresIndexStore(scratch).replace(other, "pipeline-1")
        assert (found_ids(scratch, "河馬"), found_ids(scratch, "麒麟")) == (["file-2"], [])
        assert (found_ids(database, "河馬"), found_ids(database, "麒麟")) == ([], ["file-1"])
        assert nearest_ids(scratch) == ["file-2"]
        assert set(all_known(PostgresFileRegistry(scratch))) == {"file-2"}
        assert PostgresStatusReader(scratch).status().chunks == 1
        assert PostgresUpkeep(scratch).schema().rows["drive_file_index"] == 1
        drop_schema(scratch)
    assert found_ids(database, "麒麟") == ["file-1"]


def test_a_dropped_index_never_lets_its_writers_reach_the_main_one(database: Database, database_url: str) -> None:
    with Database(database_url, "scratch") as scratch, Database(database_url, "scratch") as elsewhere:
        migrate(scratch)
        PostgresIndexStore(elsewhere).replace(index_entry(file_ref("file-2")), "pipeline-1")
        drop_schema(scratch)
        with pytest.raises(StoreError, match="no longer"):
            PostgresIndexStore(elsewhere).replace(index_entry(file_ref("file-3")), "pipeline-1")
        with pytest.raises(SchemaOutOfDate):
            PostgresIndexStore(scratch).replace(index_entry(file_ref("file-3")), "pipeline-1")
        assert migrate(scratch) == NAMES
        assert all_known(PostgresFileRegistry(elsewhere)) == {}
    assert all_known(PostgresFileRegistry(database)) == {}


def test_the_first_index_of_a_database_leaves_the_extension_to_the_next(empty_database_url: str) -> None:
    with Database(empty_database_url, "scratch") as scratch:
        migrate(scratch)
        drop_schema(scratch)
    with Database(empty_database_url) as database:
        migrate(database)
        PostgresIndexStore(database).replace(index_entry(), "pipeline-1")
        assert nearest_ids(database) == ["file-1"]


def test_the_main_index_is_not_dropped(database: Database) -> None:
    with pytest.raises(ConfigurationError):
        drop_schema(database)
    assert all_known(PostgresFileRegistry(database)) == {}


@pytest.mark.parametrize("name", ["dagster", "pg_catalog", "information_schema", "a\0b", "長" * 22])
def test_a_name_that_no_index_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        open_database(Settings(locator_home=tmp_path), schema=name)
