"""The comparison of codes, by which vectors are found, at ten million chunks: one table, its parts, or one part alone.

python -m benchmarks.ten_million --home FOLDER (that of `benchmarks.retrieval --chunks 1000000 --home FOLDER`)
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.retrieval_corpus import Corpus
from locator_search.adapters.postgres import Database
from locator_search.adapters.postgres.search.side_by_side import PLANNING
from locator_search.adapters.postgres.search.vector_search import CODES, DEEPEST, SQL, VectorSearch
from locator_search.adapters.postgres.server.database import Connection
from locator_search.retrieval.binary_codes import BITS

CHUNKS = 1_000_000
PARTS = 16
NOISES = 1000
FLIPPED = 0.04
"""Of the bits of a code, in its copies."""

# By the file, as the tables would be parted; a copy of a chunk is a chunk of another file.
MAKE = f"""
CREATE TABLE noise (number integer, mask bit({BITS}));
CREATE SCHEMA whole CREATE TABLE embedding_code (LIKE public.embedding_code);
CREATE SCHEMA parts CREATE TABLE embedding_code (LIKE public.embedding_code) PARTITION BY HASH (file_id);
CREATE SCHEMA one
"""
PART = "CREATE TABLE parts.part_{0} PARTITION OF parts.embedding_code FOR VALUES WITH (MODULUS {1}, REMAINDER {0})"
ONE = "CREATE TABLE one.embedding_code AS SELECT * FROM parts.part_0"
COPY = f"""
INSERT INTO whole.embedding_code (file_id, ordinal, code, fine)
SELECT file_id || '-' || %(copy)s, ordinal, code # mask, fine # mask
FROM public.embedding_code
JOIN noise ON number = mod(abs(hashtext(file_id)::bigint) + 7 * ordinal + 131 * %(copy)s, {NOISES})
"""
SPREAD = "INSERT INTO parts.embedding_code SELECT * FROM whole.embedding_code"
SHAPES = {"one table": "whole", f"{PARTS} parts": "parts", f"one of {PARTS} parts": "one"}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="where the database of a million chunks is kept")
    parser.add_argument("--times", type=int, default=10, help="copies of the million")
    parser.add_argument("--questions", type=int, default=20)
    arguments = parser.parse_args()
    questions = Corpus(CHUNKS, "hashed").questions(arguments.questions)
    with Database(arguments.home / f"hashed-{CHUNKS}") as database, database.connection() as connection:
        connection.execute("DROP TABLE IF EXISTS noise; DROP SCHEMA IF EXISTS whole, parts, one CASCADE")
        _make(connection, arguments.times)
        [[codes]] = connection.execute("SELECT count(*) FROM whole.embedding_code").fetchall()
        print(f"{codes:,} codes, {len(questions)} questions, each of all shapes in turn; seconds, p50 and p95")
        seconds: dict[str, list[float]] = {name: [] for name in SHAPES}
        for question in questions:
            values = VectorSearch(question.embedding).values
            for name, place in SHAPES.items():
                seconds[name].append(_asked(connection, place, values))
        for name, taken in seconds.items():
            print(f"{name:<16}{median(taken):6.2f}{float(np.quantile(taken, 0.95)):6.2f}")
        connection.execute("DROP TABLE noise; DROP SCHEMA whole, parts, one CASCADE")


def _make(connection: Connection, times: int) -> None:
    for statement in MAKE.split(";"):
        connection.execute(statement)
    for part in range(PARTS):
        connection.execute(PART.format(part, PARTS))
    draw = np.random.default_rng(1)
    masks = ["".join("01"[int(bit)] for bit in draw.random(BITS) < FLIPPED) for _ in range(NOISES)]
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO noise VALUES (%s, %s)", list(enumerate(masks)))
    for copy in range(times):
        connection.execute(COPY, {"copy": copy})
    connection.execute(SPREAD)
    connection.execute(ONE)
    connection.execute("ANALYZE whole.embedding_code; ANALYZE parts.embedding_code; ANALYZE one.embedding_code")


def _asked(connection: Connection, place: str, values: Mapping[str, object]) -> float:
    """Seconds of the two statements of a ranking by codes, as `VectorSearch.nearest` puts them."""
    with connection.transaction():
        connection.execute(PLANNING)
        connection.execute(f"SET LOCAL search_path = {place}, public")
        started = perf_counter()
        [[_, _, drawn]] = connection.execute(SQL.drawn_codes, {**values, "graph": "none"}, prepare=False).fetchall()
        edge = drawn[min(CODES // 100, len(drawn) - 1)]
        asked = {**values, "edge": edge, "depth": DEEPEST}
        connection.execute(SQL.codes_within, asked, prepare=False, binary=True).fetchall()
        return perf_counter() - started


if __name__ == "__main__":
    main()
