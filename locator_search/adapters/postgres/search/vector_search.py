"""The vector search: near codes first, then the exact cosines of what is behind them."""

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
from locator_search.adapters.postgres.search.scope import EVERYTHING, Place, Scope, key_of, place_of
from locator_search.adapters.postgres.search.side_by_side import with_parameters
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import Unit
from locator_search.retrieval.binary_codes import BITS, ESTIMATE_DEVIATION, Estimator, binary_codes, code_distance

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)

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

ONE_IN = 100
"""Of so many pages of codes, one is drawn."""


@dataclass(frozen=True)
class Nearest:
    """How many files are in the scope, and the nearest of them (or of their chunks) with their cosines, best first."""

    files: int
    best: list[tuple[str, float]]


class VectorSearch:
    """A question's embedding, its code, and its values in four bits per dimension; finds files or chunks, by key."""

    def __init__(self, embedding: Vector, unit: Unit = "file") -> None:
        (code,) = binary_codes(np.asarray(embedding)[None])
        self._unit = unit
        self._estimator = Estimator(embedding)
        planes = dict(zip(("plane_8", "plane_4", "plane_2", "plane_1"), self._estimator.planes, strict=True))
        self.values: dict[str, object] = {
            "embedding": embedding,
            "code": Bit(code.signs),
            "least_ordinal": -1 if unit == "file" else 0,
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
        with with_parameters(connection):
            return dict(connection.execute(SQL.near_files, asked, prepare=False, binary=True))

    def nearest(self, connection: Connection, scope: Scope, wanted: int) -> Nearest:
        """The nearest in the scope: at least `wanted`, where there are so many, and whatever else was compared on the
        way."""
        codes = max(CODES, 15 * wanted)
        depth = max(DEEPEST, 10 * wanted)
        has_graph, files, drawn = connection.execute(
            SQL.drawn_codes, self.values | {"graph": GRAPH}, prepare=False
        ).fetchone() or (False, 0, [])
        if has_graph and scope == EVERYTHING:
            follow_graph(connection, codes)
            rows = self._rows(connection, SQL.codes_along_graph, codes=codes, depth=depth)
            return Nearest(files, self._best(connection, wanted, rows, {}))
        passing = files if scope.passing is None else len(scope.passing)
        if not passing:
            return Nearest(0, [])
        # The fewer pass, the farther out lie as many codes.
        place = codes * files // (ONE_IN * passing)
        edge = drawn[place] if place < len(drawn) else BITS
        near_codes = partial(self._near_codes, connection, scope, passing / files, depth)
        compared: dict[Place, float] = {}
        best = self._best(connection, wanted, near_codes(edge), compared)
        # Codes beyond the edge may belong to nearer vectors.
        farther = code_distance(best[wanted - 1][1], SAFE_CODE) if len(best) >= wanted else BITS
        if farther > edge:
            best = self._best(connection, wanted, near_codes(farther), compared)
        return Nearest(passing, best)

    def cosines(self, connection: Connection, keys: Sequence[str]) -> dict[str, float]:
        """The cosines of some files or chunks."""
        if self._unit == "file":
            asked = self.values | {"file_ids": list(keys)}
            return dict(connection.execute(SQL.file_cosines, asked, prepare=False).fetchall())
        return {key_of(place): cosine for place, cosine in self._exact(connection, [place_of(key) for key in keys])}

    def _near_codes(self, connection: Connection, scope: Scope, share: float, depth: int, edge: int) -> list[Any]:
        """The nearest codes in the scope within the edge; the files that pass are that share of all."""
        if scope.passing is None:
            return self._rows(connection, SQL.codes_within, edge=edge, depth=depth)
        if share > MOST and scope.written_chunks is None:
            deep = ceil(depth / share)
            rows = self._rows(connection, SQL.codes_within, edge=edge, depth=deep)
            ids = frozenset(scope.passing)
            passed = [row for row in rows if row[0] in ids]
            # Where far fewer of the nearest pass than of all, those that pass lie deeper.
            if len(rows) < deep or len(passed) >= depth / 2:
                return passed
        return self._rows(connection, SQL.codes_in_scope, **scope.values, edge=edge, depth=depth)

    def _rows(self, connection: Connection, statement: str, **asked: object) -> list[Any]:
        return connection.execute(statement, self.values | asked, prepare=False, binary=True).fetchall()

    def _exact(self, connection: Connection, places: Sequence[Place]) -> list[tuple[Place, float]]:
        asked = {"file_ids": [file_id for file_id, _ in places], "ordinals": [ordinal for _, ordinal in places]}
        rows = self._rows(connection, SQL.exact_cosines, **asked)
        return [((file_id, ordinal), cosine) for file_id, ordinal, cosine in rows]

    def _best(
        self, connection: Connection, wanted: int, codes: Sequence[Any], compared: dict[Place, float]
    ) -> list[tuple[str, float]]:
        """By exact cosines, `compared` so far and those that are added to it. Stops where what is left is, by its
        estimate, unlikely to be among the wanted."""
        best: list[tuple[str, float]] = []
        done, step, end = 0, max(FIRST, 3 * wanted), len(codes)
        while done < end:
            places = [(row[0], row[1]) for row in codes[done : min(done + step, end)]]
            compared |= self._exact(connection, [place for place in places if place not in compared])
            best = self._first_of_each(compared)
            done, step = min(done + step, end), 2 * step
            if len(best) >= wanted:
                farthest = self._estimator.distance(best[wanted - 1][1] - SAFE_ORDER * ESTIMATE_DEVIATION)
                end = bisect_left(codes, farthest, key=lambda row: row[2])
        return best

    def _first_of_each(self, compared: Mapping[Place, float]) -> list[tuple[str, float]]:
        """Every file (or chunk) with the cosine of its nearest vector, best first."""
        first: dict[str, float] = {}
        for place in sorted(compared, key=lambda place: (-compared[place], place)):
            first.setdefault(place[0] if self._unit == "file" else key_of(place), compared[place])
        return list(first.items())
