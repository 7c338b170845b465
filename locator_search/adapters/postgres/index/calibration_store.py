"""The calibration of an index (table `index_profile`), and samples of the index to measure it on."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from operator import itemgetter

import numpy as np
from psycopg.rows import args_row, scalar_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.index.profile import read_profile
from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import MeasuredCalibration, SampledFile

SQL = statements(__name__)

MOST_CHUNKS_PER_FILE = 40
"""Of a long file, so many suffice."""


class PostgresCalibrationStore(PostgresAdapter):
    """A CalibrationStore over PostgreSQL."""

    def files(self) -> int:
        """Number of indexed files."""
        return self._database.row(SQL.files, {}, scalar_row) or 0

    def sample(self, count: int) -> list[SampledFile]:
        """At most `count` files with chunks, drawn evenly; the same ones while the index stays the same."""
        rows = self._database.rows(SQL.sample, {"files": count, "chunks": MOST_CHUNKS_PER_FILE}, binary=True)
        sampled = []
        for (file_id, name), chunks in groupby(rows, key=itemgetter(0, 1)):
            texts, embeddings = zip(*((text, embedding.to_numpy()) for _, _, text, embedding in chunks), strict=True)
            sampled.append(SampledFile(file_id, name, texts, np.asarray(embeddings, dtype=np.float32)))
        return sampled

    def measured(self) -> MeasuredCalibration | None:
        """The calibration measured on this index; None where that of its model holds."""
        return self._database.row(SQL.measured, {}, args_row(_measured))

    def anchors_in_use(self) -> tuple[tuple[float, float], ...]:
        """The pairs (cosine, similarity) that searches go by; none for an empty index."""
        with self._database.connection() as connection:
            profile = read_profile(connection)
        return profile.calibration.anchors if profile else ()

    def keep(self, measured: MeasuredCalibration) -> None:
        """Use this calibration from the next search on. An empty index keeps none."""
        anchors = Jsonb([list(anchor) for anchor in measured.anchors])
        self._database.run(SQL.keep, {"anchors": anchors, "files": measured.files, "at": measured.measured_at})

    def forget(self) -> bool:
        """Return to the calibration of the model; whether there was another one."""
        return self._database.run(SQL.forget) > 0


def _measured(anchors: list[list[float]], files: int, measured_at: datetime) -> MeasuredCalibration:
    return MeasuredCalibration(tuple((raw, similarity) for raw, similarity in anchors), files, measured_at)
