"""The vector arm: near codes first, then the exact cosines of what is behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from pgvector import Bit

from locator_search.adapters.postgres import vector_sql as sql
from locator_search.adapters.postgres.database import Connection
from locator_search.adapters.postgres.filters import ANY_FILE
from locator_search.adapters.postgres.vector_graph import GRAPH, follow_graph
from locator_search.retrieval.binary_codes import BITS, ESTIMATE_DEVIATION, Estimator, binary_codes, code_distance

if TYPE_CHECKING:
    from locator_search.model import Vector

CODES = 3000
"""Codes that are looked at in four bits, about, of all that are compared in one."""
FIRST = 200
"""Vectors whose exact cosines are computed at first; then twice as many, and so on."""
DEEPEST = 3000
"""Beyond, nothing is near the question, and it does not matter what is a hair nearer than the rest."""

SAFE_ORDER = 1.25
"""Standard deviations an estimate may be off before a vector is missed in a ranking: one in ten of those just at its
end, next to none of those before. With all four numbers, 99 of 100 of the first twenty are found in 100,000 vectors,
whether they lie close together or lead nowhere; wider looks cost more than they find."""
SAFE_COUNT = 5.0
"""The same where files are counted: three in ten million of those just at the threshold."""

Near = tuple[str, int, float]
"""File id, ordinal of the chunk (-1 for the file's own vector), cosine."""


@dataclass(frozen=True)
class Scope:
    """What is searched: files that pass a condition with its values, or `chunks_alone` of them."""

    condition: str
    values: Mapping[str, object]
    chunks_alone: bool = False

    @property
    def filtered(self) -> bool:
        """Whether some files do not pass."""
        return self.condition != ANY_FILE


@dataclass(frozen=True)
class Nearest:
    """How many files are in the scope, and the nearest of them (or of their chunks), best first."""

    files: int
    best: list[Near]


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

    def nearest(self, connection: Connection, scope: Scope, wanted: int) -> Nearest:
        """The nearest in the scope: at least `wanted` files (or chunks), where there are so many, and whatever else was
        compared on the way."""
        codes = max(CODES, 15 * wanted)
        has_graph, files, drawn = connection.execute(
            sql.DRAWN, self.values | {"graph": GRAPH}, prepare=False
        ).fetchone() or (False, 0, [])
        if has_graph and not scope.filtered:
            follow_graph(connection, codes)
            rows = self._near_codes(connection, scope, along_graph=True, codes=codes)
            return Nearest(files, self._best(connection, scope, wanted, rows))
        place = codes // sql.ONE_IN
        if scope.filtered:
            rows = self._near_codes(connection, scope, edge=None, drawn=drawn, place=place, files=files)
            files, edge = rows[0][3:] if rows else (0, 0)
        else:
            edge = drawn[place] if place < len(drawn) else BITS
            rows = self._near_codes(connection, scope, edge=edge)
        best = self._best(connection, scope, wanted, rows)
        # Codes beyond the edge may belong to nearer vectors.
        farther = code_distance(best[wanted - 1][2], SAFE_ORDER) if len(best) >= wanted else BITS
        if farther > edge:
            rows = self._near_codes(connection, scope, edge=farther, drawn=drawn, place=place, files=files)
            files = rows[0][3] if rows and scope.filtered else files
            best = self._best(connection, scope, wanted, rows)
        return Nearest(files, best)

    def cosines(self, connection: Connection, file_ids: Sequence[str]) -> dict[str, float]:
        """The cosines of some files."""
        return dict(
            connection.execute(sql.COSINES, self.values | {"file_ids": list(file_ids)}, prepare=False).fetchall()
        )

    def _near_codes(
        self, connection: Connection, scope: Scope, *, along_graph: bool = False, **asked: object
    ) -> list[Any]:
        statement = sql.near_codes_statement(scope.condition, along_graph=along_graph, chunks_alone=scope.chunks_alone)
        values = {**scope.values, **self.values, **asked, "depth": DEEPEST}
        return connection.execute(statement, values, prepare=False).fetchall()

    def _best(self, connection: Connection, scope: Scope, wanted: int, codes: Sequence[Any]) -> list[Near]:
        """By exact cosines. Stops where what is left is, by its estimate, unlikely to be among the wanted."""
        near: list[Near] = []
        done, step = 0, max(FIRST, 3 * wanted)
        while True:
            part = codes[done : done + step]
            asked = self.values | {"file_ids": [row[0] for row in part], "ordinals": [row[1] for row in part]}
            near += connection.execute(sql.EXACT, asked, prepare=False).fetchall()
            near.sort(key=lambda row: (-row[2], row[0], row[1]))
            best = near if scope.chunks_alone else _first_of_each_file(near)
            done, step = done + len(part), 2 * step
            if done == len(codes):
                return best
            missed = self._estimator.cosine(codes[done][2]) + SAFE_ORDER * ESTIMATE_DEVIATION
            if len(best) >= wanted and missed <= best[wanted - 1][2]:
                return best


def _first_of_each_file(near: Sequence[Near]) -> list[Near]:
    first: dict[str, Near] = {}
    for found in near:
        first.setdefault(found[0], found)
    return list(first.values())
