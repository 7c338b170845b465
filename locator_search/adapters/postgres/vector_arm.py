"""The vector arm: near codes first, then the exact cosines of what is behind them."""

from __future__ import annotations

from bisect import bisect_left
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

CODES = 10_000
"""Codes that are looked at in all their bits, about, of all whose signs are compared."""
DEEPEST = 1000
"""Of these, the nearest by all bits; then nothing is near the question, and it does not matter what is a hair nearer
than the rest."""
FIRST = 40
"""Vectors whose exact cosines are computed at first; then twice as many, and so on."""

SAFE_ORDER = 1.75
"""Standard deviations an estimate may be off before a vector is missed in a ranking: one in twenty-five of those just
at its end, next to none of those before. With all these numbers, 99 of 100 of the first twenty are found in 100,000
vectors, whether they lie close together or lead nowhere; wider looks cost more than they find."""
SAFE_CODE = 1.0
"""The same for the codes themselves, in one bit: farther codes are looked at only where the found are farther off."""
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
            "code": Bit(code.signs),
            **{name: Bit(plane) for name, plane in planes.items()},
        }

    def near(self, connection: Connection, scope: Scope, least_cosine: float) -> dict[str, float]:
        """Every file in the scope with at least this cosine, with its cosine."""
        asked = {
            **scope.values,
            **self.values,
            "farthest": 1 - least_cosine,
            "farthest_code": code_distance(least_cosine, SAFE_COUNT),
            "farthest_weighted": self._estimator.distance(least_cosine - SAFE_COUNT * ESTIMATE_DEVIATION),
        }
        return dict(connection.execute(sql.near_statement(scope.condition), asked, prepare=False, binary=True))

    def nearest(self, connection: Connection, scope: Scope, wanted: int) -> Nearest:
        """The nearest in the scope: at least `wanted` files (or chunks), where there are so many, and whatever else was
        compared on the way."""
        codes = max(CODES, 15 * wanted)
        depth = max(DEEPEST, 5 * wanted)
        has_graph, files, drawn = connection.execute(
            sql.DRAWN, self.values | {"graph": GRAPH}, prepare=False
        ).fetchone() or (False, 0, [])
        if has_graph and not scope.filtered:
            follow_graph(connection, codes)
            rows = self._near_codes(connection, scope, along_graph=True, codes=codes, depth=depth)
            return Nearest(files, self._best(connection, scope, wanted, rows, {}))
        place = codes // sql.ONE_IN
        if scope.filtered:
            rows = self._near_codes(connection, scope, edge=None, drawn=drawn, place=place, files=files, depth=depth)
            files, edge = rows[0][3:] if rows else (0, 0)
        else:
            edge = drawn[place] if place < len(drawn) else BITS
            rows = self._near_codes(connection, scope, edge=edge, depth=depth)
        compared: dict[tuple[str, int], float] = {}
        best = self._best(connection, scope, wanted, rows, compared)
        # Codes beyond the edge may belong to nearer vectors.
        farther = code_distance(best[wanted - 1][2], SAFE_CODE) if len(best) >= wanted else BITS
        if farther > edge:
            rows = self._near_codes(connection, scope, edge=farther, drawn=drawn, place=place, files=files, depth=depth)
            files = rows[0][3] if rows and scope.filtered else files
            best = self._best(connection, scope, wanted, rows, compared)
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
        values = {**scope.values, **self.values, **asked}
        return connection.execute(statement, values, prepare=False, binary=True).fetchall()

    def _best(
        self,
        connection: Connection,
        scope: Scope,
        wanted: int,
        codes: Sequence[Any],
        compared: dict[tuple[str, int], float],
    ) -> list[Near]:
        """By exact cosines, `compared` so far and those that are added to it. Stops where what is left is, by its
        estimate, unlikely to be among the wanted."""
        best: list[Near] = []
        done, step, end = 0, max(FIRST, 3 * wanted), len(codes)
        while done < end:
            part = [row for row in codes[done : min(done + step, end)] if (row[0], row[1]) not in compared]
            asked = self.values | {"file_ids": [row[0] for row in part], "ordinals": [row[1] for row in part]}
            for file_id, ordinal, cosine in connection.execute(sql.EXACT, asked, prepare=False, binary=True):
                compared[file_id, ordinal] = cosine
            near = sorted(((*place, cosine) for place, cosine in compared.items()), key=_best_first)
            best = near if scope.chunks_alone else _first_of_each_file(near)
            done, step = min(done + step, end), 2 * step
            if len(best) >= wanted:
                farthest = self._estimator.distance(best[wanted - 1][2] - SAFE_ORDER * ESTIMATE_DEVIATION)
                end = bisect_left(codes, farthest, key=lambda row: row[2])
        return best


def _best_first(near: Near) -> tuple[float, str, int]:
    return -near[2], near[0], near[1]


def _first_of_each_file(near: Sequence[Near]) -> list[Near]:
    first: dict[str, Near] = {}
    for found in near:
        first.setdefault(found[0], found)
    return list(first.values())
