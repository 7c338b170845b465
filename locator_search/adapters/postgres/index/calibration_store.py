"""The calibration of an index (table `index_profile`), and samples of the index to measure it on."""

from __future__ import annotations

import numpy as np
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.ports import MeasuredCalibration, SampledFile

# By a hash of their ids: as good as by chance, and the same files each time. Of a long file, so many chunks suffice.
MOST_CHUNKS_PER_FILE = 40
SAMPLE = f"""
WITH drawn AS (
    SELECT file_id, file_name FROM drive_file_index AS f
    WHERE EXISTS (SELECT FROM file_chunk AS c WHERE c.file_id = f.file_id AND c.embedding IS NOT NULL)
    ORDER BY md5(file_id), file_id LIMIT %s
)
SELECT file_id, file_name, c.text, c.embedding FROM drawn
CROSS JOIN LATERAL (
    SELECT text, embedding, ordinal FROM file_chunk
    WHERE file_chunk.file_id = drawn.file_id AND embedding IS NOT NULL
    ORDER BY md5(chunk_id) LIMIT {MOST_CHUNKS_PER_FILE}
) AS c
ORDER BY md5(file_id), file_id, c.ordinal
"""  # noqa: S608 - a constant

KEEP = "UPDATE index_profile SET calibration = %s, calibrated_files = %s, calibrated_at = %s, updated_at = now()"
FORGET = """
UPDATE index_profile SET calibration = NULL, calibrated_files = NULL, calibrated_at = NULL, updated_at = now()
WHERE calibration IS NOT NULL
"""


class PostgresCalibrationStore:
    """A CalibrationStore over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def files(self) -> int:
        """Number of indexed files."""
        with self._database.connection() as connection:
            row = connection.execute("SELECT count(*) FROM drive_file_index").fetchone()
        return int(row[0]) if row else 0

    def sample(self, count: int) -> list[SampledFile]:
        """At most `count` files with chunks, drawn evenly; the same ones while the index stays the same."""
        with self._database.connection() as connection:
            rows = connection.execute(SAMPLE, [count], binary=True).fetchall()
        names = {file_id: name for file_id, name, _, _ in rows}
        texts: dict[str, list[str]] = {file_id: [] for file_id in names}
        vectors: dict[str, list[object]] = {file_id: [] for file_id in names}
        for file_id, _, text, embedding in rows:
            texts[file_id].append(text)
            vectors[file_id].append(embedding.to_numpy())
        return [
            SampledFile(file_id, name, tuple(texts[file_id]), np.asarray(vectors[file_id], dtype=np.float32))
            for file_id, name in names.items()
        ]

    def measured(self) -> MeasuredCalibration | None:
        """The calibration measured on this index; None where the shipped profile of its model holds."""
        with self._database.connection() as connection:
            return measured_calibration(connection)

    def keep(self, measured: MeasuredCalibration) -> None:
        """Use this calibration from the next search on. An empty index keeps none."""
        anchors = Jsonb([list(anchor) for anchor in measured.anchors])
        with self._database.connection() as connection:
            connection.execute(KEEP, [anchors, measured.files, measured.measured_at])

    def forget(self) -> bool:
        """Return to the shipped profile; whether there was another one."""
        with self._database.connection() as connection:
            return connection.execute(FORGET).rowcount > 0


def measured_calibration(connection: Connection) -> MeasuredCalibration | None:
    """What `PostgresCalibrationStore.measured` returns, within a transaction of somebody else."""
    query = "SELECT calibration, calibrated_files, calibrated_at FROM index_profile WHERE calibrated_at IS NOT NULL"
    row = connection.execute(query).fetchone()
    if row is None or row[0] is None:
        return None
    return MeasuredCalibration(tuple((raw, similarity) for raw, similarity in row[0]), row[1], row[2])
