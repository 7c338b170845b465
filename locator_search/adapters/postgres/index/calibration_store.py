"""The calibration of an index (table `index_profile`), and samples of the index to measure it on."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from psycopg.rows import args_row, scalar_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import MeasuredCalibration, SampledFile

SQL = statements(__name__)

MOST_CHUNKS_PER_FILE = 40
"""Of a long file, so many suffice."""


class PostgresCalibrationStore:
    """A CalibrationStore over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def files(self) -> int:
        """Number of indexed files."""
        return self._database.row(SQL.files, {}, scalar_row) or 0

    def sample(self, count: int) -> list[SampledFile]:
        """At most `count` files with chunks, drawn evenly; the same ones while the index stays the same."""
        rows = self._database.rows(SQL.sample, {"files": count, "chunks": MOST_CHUNKS_PER_FILE}, binary=True)
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
        return self._database.row(SQL.measured, {}, args_row(_measured))

    def keep(self, measured: MeasuredCalibration) -> None:
        """Use this calibration from the next search on. An empty index keeps none."""
        anchors = Jsonb([list(anchor) for anchor in measured.anchors])
        self._database.run(SQL.keep, {"anchors": anchors, "files": measured.files, "at": measured.measured_at})

    def forget(self) -> bool:
        """Return to the shipped profile; whether there was another one."""
        return self._database.run(SQL.forget) > 0


def _measured(anchors: list[list[float]], files: int, measured_at: datetime) -> MeasuredCalibration:
    return MeasuredCalibration(tuple((raw, similarity) for raw, similarity in anchors), files, measured_at)
