"""The codes and weights that searches look at, made when a file is written."""

from __future__ import annotations

from typing import Any

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore, migrate
from locator_search.core.errors import SchemaOutOfDate
from tests.builders.index import file_ref, index_entry

ROWS = """
SELECT f.file_id, k.ordinal, k.code || k.fine, f.name_weights::text, f.name_key, c.weights::text, c.text,
       c.embedding::text, c.terms
FROM drive_file_index AS f JOIN embedding_code AS k USING (file_id) LEFT JOIN file_chunk AS c USING (file_id, ordinal)
ORDER BY 1, 2
"""


def rows_of(database: Database) -> list[tuple[Any, ...]]:
    with database.connection() as connection:
        return connection.execute(ROWS).fetchall()


def test_every_embedding_has_its_code_and_every_chunk_its_weights(database: Database) -> None:
    index = PostgresIndexStore(database)
    index.replace(index_entry(file_ref("file-1", "予算 2024.xlsx"), ["麒麟の生態", "河馬"]), "pipeline-1")
    index.replace(index_entry(file_ref("file-2"), []), "pipeline-1")
    rows = rows_of(database)
    assert [(row[0], row[1]) for row in rows] == [("file-1", -1), ("file-1", 0), ("file-1", 1), ("file-2", -1)]
    assert len({row[2] for row in rows}) == 4
    assert rows[0][4] == "予算 2024"
    index.replace(index_entry(file_ref("file-1"), ["象"]), "pipeline-1")
    index.delete(["file-2"])
    assert [(row[0], row[1], row[6]) for row in rows_of(database)] == [("file-1", -1, None), ("file-1", 0, "象")]


def test_tables_from_before_the_first_release_are_refused(database: Database) -> None:
    with database.connect() as connection:
        connection.execute("DELETE FROM schema_migration WHERE name >= '0008'")
    with pytest.raises(SchemaOutOfDate, match="before the first release"):
        migrate(database)


def test_weights_lie_in_the_row_and_embeddings_beside_it(database: Database) -> None:
    query = "SELECT attname, attstorage::text FROM pg_attribute WHERE attrelid = 'file_chunk'::regclass AND attnum > 0"
    with database.connection() as connection:
        storage = dict(connection.execute(query).fetchall())
    assert (storage["weights"], storage["embedding"]) == ("m", "e")
