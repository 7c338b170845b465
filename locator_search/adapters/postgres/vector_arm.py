"""The vector arm: near codes first, then the exact cosines of what is behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pgvector import Bit

from locator_search.adapters.postgres import retrieval_sql as sql
from locator_search.adapters.postgres.database import Connection
from locator_search.retrieval.binary_codes import ESTIMATE_DEVIATION, Estimator, binary_codes, code_distance

if TYPE_CHECKING:
    from locator_search.model import Vector

CODES = 2000
"""Codes that are looked at in four bits, of all that are compared in one."""
DEPTH = 300
"""Vectors whose exact cosines are computed at first."""
WIDER = 3
DEEPEST = 8000
"""Beyond, nothing is near the question, and it does not matter what is a hair nearer than the rest."""

SAFE_ORDER = 1.0
"""Standard deviations an estimate may be off before a vector is missed in a ranking: one in six of those just at its
end, next to none of those before. With all four numbers, 99 of 100 of the first twenty are found in 100,000 vectors
that lie close together; wider looks cost more than they find."""
SAFE_COUNT = 5.0
"""The same where files are counted: three in ten million of those just at the threshold."""

Near = tuple[str, int, float]
"""File id, ordinal of the chunk (-1 for the file's own vector), cosine."""


class VectorQuestion:
    """A question's embedding, its code, and its values in four bits per dimension."""

    def __init__(self, embedding: Vector) -> None:
        (code,) = binary_codes(np.asarray(embedding)[None])
        self._estimator = Estimator(embedding)
        planes = dict(zip(("plane_8", "plane_4", "plane_2", "plane_1"), self._estimator.planes, strict=True))
        self.values: dict[str, object] = {
            "embedding": embedding,
            "code": Bit(code),
            **{name: Bit(plane) for name, plane in planes.items()},
        }

    def hit_values(self, least_cosine: float) -> dict[str, object]:
        """The values of NEAR: vectors with at least this cosine are hits."""
        return self.values | {
            "farthest": 1 - least_cosine,
            "farthest_code": code_distance(least_cosine, SAFE_COUNT),
            "farthest_weighted": self._estimator.distance(least_cosine - SAFE_COUNT * ESTIMATE_DEVIATION),
        }

    def nearest(
        self,
        connection: Connection,
        condition: str,
        values: Mapping[str, object],
        wanted: int,
        of: Literal["files", "chunks"] = "files",
    ) -> list[Near]:
        """The nearest of all that pass the condition, best first: at least `wanted` files or chunks, where there are so
        many, and whatever else was compared on the way.

        Goes deeper until a vector that was not compared is unlikely to belong among the `wanted`.
        """
        statement = sql.nearest_statement(condition, chunks_alone=of == "chunks")
        codes, depth = max(CODES, 10 * wanted), max(DEPTH, 3 * wanted)
        while True:
            asked = {"codes": codes, "depth": depth}
            _look_far(connection, codes)
            rows: list[Any] = connection.execute(
                statement, {**values, **self.values, **asked}, prepare=False
            ).fetchall()
            near = sorted(((row[0], row[1], row[2]) for row in rows), key=lambda row: (-row[2], row[0], row[1]))
            best = _first_of_each_file(near) if of == "files" else near
            if len(rows) < depth or depth >= DEEPEST:
                return best
            missed = self._estimator.cosine(max(row[3] for row in rows)) + SAFE_ORDER * ESTIMATE_DEVIATION
            if len(best) >= wanted and missed <= best[wanted - 1][2]:
                return best
            codes, depth = codes * WIDER, depth * WIDER

    def cosines(self, connection: Connection, file_ids: Sequence[str]) -> dict[str, float]:
        """The cosines of some files."""
        return dict(
            connection.execute(sql.COSINES, self.values | {"file_ids": list(file_ids)}, prepare=False).fetchall()
        )


def _look_far(connection: Connection, codes: int) -> None:
    """Where a graph of neighbours over the codes exists, it is followed until so many are found."""
    connection.execute(
        f"SET LOCAL hnsw.ef_search = {min(1000, codes)}; SET LOCAL hnsw.iterative_scan = relaxed_order;"
        f"SET LOCAL hnsw.max_scan_tuples = {10 * codes}"
    )


def _first_of_each_file(near: Sequence[Near]) -> list[Near]:
    first: dict[str, Near] = {}
    for found in near:
        first.setdefault(found[0], found)
    return list(first.values())
