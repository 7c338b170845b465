"""The vector arm: near codes first, then the exact cosines of what is behind them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from pgvector import Bit

from locator_search.adapters.postgres.index.vector_graph import GRAPH, follow_graph
from locator_search.adapters.postgres.search import vector_sql as sql
from locator_search.adapters.postgres.search.filters import ANY_FILE
from locator_search.adapters.postgres.server.database import Connection
from locator_search.retrieval.binary_codes import BITS, ESTIMATE_DEVIATION, Estimator, binary_codes, code_distance

if TYPE_CHECKING:
    from locator_search.model import Vector

CODES = 10_000
"""Codes that are looked at in all their bits, about, of all whose signs are compared."""
DEEPEST = 500
"""Of these, the nearest by all bits; then nothing is near the question, and it does not matter what is a hair nearer
than the rest."""
MOST = 1 / 3
"""The share of files from which on a filter is looked at last: all codes are compared, by several processes (18 ms for
110,000), and of the near ones those remain that pass. Below it the codes of the files that pass are looked up, by one
process (8 ms for a twentieth of them, 20 for a fifth, 35 for half)."""
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
        depth = max(DEEPEST, 10 * wanted)
        has_graph, files, drawn = connection.execute(
            sql.DRAWN, self.values | {"graph": GRAPH}, prepare=False
        ).fetchone() or (False, 0, [])
        if has_graph and not scope.filtered:
            follow_graph(connection, codes)
            statement = sql.near_codes_statement(along_graph=True, chunks_alone=scope.chunks_alone)
            rows = self._rows(connection, statement, codes=codes, depth=depth)
            return Nearest(files, self._best(connection, scope, wanted, rows, {}))
        passing = _passing(connection, scope) if scope.filtered else None
        passed = files if passing is None else len(passing)
        if not passed:
            return Nearest(0, [])
        # The fewer pass, the farther out lie as many codes.
        place = codes * files // (sql.ONE_IN * passed)
        edge = drawn[place] if place < len(drawn) else BITS
        near_codes = partial(self._near_codes, connection, scope, passing, passed / files, depth)
        compared: dict[tuple[str, int], float] = {}
        best = self._best(connection, scope, wanted, near_codes(edge), compared)
        # Codes beyond the edge may belong to nearer vectors.
        farther = code_distance(best[wanted - 1][2], SAFE_CODE) if len(best) >= wanted else BITS
        if farther > edge:
            best = self._best(connection, scope, wanted, near_codes(farther), compared)
        return Nearest(passed, best)

    def cosines(self, connection: Connection, file_ids: Sequence[str]) -> dict[str, float]:
        """The cosines of some files."""
        return dict(
            connection.execute(sql.COSINES, self.values | {"file_ids": list(file_ids)}, prepare=False).fetchall()
        )

    def _near_codes(
        self,
        connection: Connection,
        scope: Scope,
        passing: Sequence[str] | None,
        share: float,
        depth: int,
        edge: int,
    ) -> list[Any]:
        """The nearest codes within the edge, of the files `passing`, which are that share of all."""
        of_all = sql.near_codes_statement(chunks_alone=scope.chunks_alone)
        if passing is None:
            return self._rows(connection, of_all, edge=edge, depth=depth)
        if share > MOST:
            deep = ceil(depth / share)
            rows = self._rows(connection, of_all, edge=edge, depth=deep)
            ids = frozenset(passing)
            passed = [row for row in rows if row[0] in ids]
            # Where far fewer of the nearest pass than of all, those that pass lie deeper.
            if len(rows) < deep or len(passed) >= depth / 2:
                return passed
        of_files = sql.near_codes_statement(of_files=True, chunks_alone=scope.chunks_alone)
        return self._rows(connection, of_files, passing=passing, edge=edge, depth=depth)

    def _rows(self, connection: Connection, statement: str, **asked: object) -> list[Any]:
        return connection.execute(statement, self.values | asked, prepare=False, binary=True).fetchall()

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


def _passing(connection: Connection, scope: Scope) -> list[str]:
    """The ids of the files that pass."""
    (ids,) = connection.execute(
        sql.passing_statement(scope.condition), scope.values, prepare=False, binary=True
    ).fetchone() or ([],)
    return list(ids)


def _best_first(near: Near) -> tuple[float, str, int]:
    return -near[2], near[0], near[1]


def _first_of_each_file(near: Sequence[Near]) -> list[Near]:
    first: dict[str, Near] = {}
    for found in near:
        first.setdefault(found[0], found)
    return list(first.values())
