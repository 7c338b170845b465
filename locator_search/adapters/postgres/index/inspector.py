"""Looks for damage in the index that no constraint of the tables excludes."""

from __future__ import annotations

from locator_search.adapters.postgres.server.database import Database
from locator_search.ports import IndexHealth

INSPECT = """
WITH vectors AS (
    SELECT embedding FROM drive_file_index WHERE embedding IS NOT NULL
    UNION ALL SELECT embedding FROM file_chunk WHERE embedding IS NOT NULL
)
SELECT
    (SELECT count(*) FROM drive_file_index),
    (SELECT count(*) FROM file_state WHERE state = 'indexed'
        AND NOT EXISTS (SELECT FROM drive_file_index WHERE drive_file_index.file_id = file_state.file_id)),
    (SELECT count(*) FROM drive_file_index
        WHERE NOT EXISTS (SELECT FROM file_state WHERE file_state.file_id = drive_file_index.file_id)),
    (SELECT count(*) FROM vectors WHERE abs(vector_norm(embedding) - 1) > 0.001),
    (SELECT COALESCE(array_agg(DISTINCT vector_dims(embedding)), '{}') FROM vectors),
    (SELECT COALESCE(array_agg(DISTINCT embedding_model), '{}') FROM drive_file_index)
"""


class PostgresIndexInspector:
    """An IndexInspector over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def inspect(self) -> IndexHealth:
        """One look at all rows and chunks."""
        with self._database.connection() as connection:
            found = connection.execute(INSPECT).fetchall()
        rows, without_row, without_file, not_unit, dimensions, models = found[0]
        return IndexHealth(rows, without_row, without_file, not_unit, tuple(dimensions), tuple(models))
