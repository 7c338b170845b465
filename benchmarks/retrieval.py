"""How fast and how exact each arm of the retrieval is, beside bare statements of the same run.

python benchmarks/retrieval.py --chunks 100000
python benchmarks/retrieval.py --chunks 1000000 --vectors-only --home /somewhere/large
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from retrieval_corpus import CHUNKS_PER_FILE, SHARES, Corpus, Question
from retrieval_reference import exact_cosines, exact_scores

from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresUpkeep, migrate
from locator_search.model import RetrievalMode, RetrievalQuery, SearchFilters

FILES_PER_TRANSACTION = 200
LIMIT = 20
TOP = 10

# One look into an index, and one pass over a table that is as large as the vocabulary and the same in every version of
# the product: what milliseconds are compared with.
BARE_LOOKUP = "SELECT count(*) FROM file_chunk WHERE file_id = ANY(%s)"
BARE_PASS = "SELECT sum(document_frequency * ln(1 + length(term))) FROM keyword_term WHERE document_frequency > %s"

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """What one way of asking took, and how right it was. Milliseconds; shares in [0, 1]."""

    name: str
    filter: str
    milliseconds: list[float]
    quality: str = ""

    def row(self, bare: float) -> str:
        """One line of the table."""
        p50, p95 = median(self.milliseconds), float(np.quantile(self.milliseconds, 0.95))
        return f"{self.name:<34}{self.filter:<7}{p50:>9.1f}{p95:>9.1f}{p50 / bare:>9.1f}   {self.quality}"


def main() -> None:
    """Load what is missing, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--vectors", choices=["hashed", "clustered"], default="hashed")
    parser.add_argument("--vectors-only", action="store_true", help="short texts, and only the vector arm is measured")
    parser.add_argument("--graph", action="store_true", help="build the graph of neighbours first, if one is missing")
    parser.add_argument("--questions", type=int, default=100, help="per way of asking")
    parser.add_argument("--home", type=Path, default=Path(".locator-benchmark"), help="where the database is kept")
    parser.add_argument("--only", default="", help="measure only the ways whose name contains this")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    corpus = Corpus(arguments.chunks, arguments.vectors, short=arguments.vectors_only)
    name = f"{arguments.vectors}-{corpus.chunks}{'-short' if corpus.short else ''}"
    with Database(arguments.home / name) as database:
        migrate(database)
        load(database, corpus)
        questions = corpus.questions(arguments.questions)
        print(f"{corpus.chunks:,} chunks in {corpus.files:,} files, {corpus.kind} vectors, {len(questions)} questions")
        print(f"vector graph: {PostgresUpkeep(database).build_vector_graph() if arguments.graph else 'as it is'}")
        print(f"{'':<34}{'filter':<7}{'p50 ms':>9}{'p95 ms':>9}{'/ pass':>9}")
        bare = 1.0
        for one in measure(database, corpus, questions, arguments.home / f"{name}.npz", arguments.only):
            bare = median(one.milliseconds) if one.name.startswith("bare: one") else bare
            print(one.row(bare), flush=True)
        print(sizes(database))


def load(database: Database, corpus: Corpus) -> None:
    """Write the files that are not there yet; indexes that slow writing down are built at the end."""
    with database.connection() as connection:
        row = connection.execute("SELECT count(*) FROM drive_file_index").fetchone()
    there = row[0] if row else 0
    if there == corpus.files:
        return
    index = PostgresIndexStore(database)
    started = perf_counter()
    with _without_slow_indexes(database):
        for start in range(there, corpus.files, FILES_PER_TRANSACTION):
            stop = min(corpus.files, start + FILES_PER_TRANSACTION)
            index.replace_many(list(corpus.entries(start, stop)), "benchmark")
            if start % (FILES_PER_TRANSACTION * 10) == 0:
                print(f"  {stop:,} of {corpus.files:,} files, {perf_counter() - started:.0f} s", flush=True)
    with database.connection() as connection:
        connection.execute("VACUUM ANALYZE")
    print(f"loaded in {perf_counter() - started:.0f} s")


@contextmanager
def _without_slow_indexes(database: Database) -> Iterator[None]:
    """GIN and HNSW indexes are built from their own definitions after the load."""
    query = """
        SELECT indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND indexdef ~ 'USING (gin|hnsw)' AND tablename <> 'folder_tree'
    """
    with database.connection() as connection:
        slow = connection.execute(query).fetchall()
        for index_name, _ in slow:
            connection.execute(f'DROP INDEX "{index_name}"')
    yield
    with database.connection() as connection:
        connection.execute("SET maintenance_work_mem = '1GB'")
        for _, definition in slow:
            connection.execute(definition)


def measure(
    database: Database, corpus: Corpus, questions: Sequence[Question], cache: Path, only: str
) -> Iterator[Measured]:
    """Every way of asking, under every filter."""
    index = PostgresIndexStore(database)
    with database.connection() as connection:
        ids = [f"file-{n:07}" for n in range(0, corpus.files, max(1, corpus.files // 10))]
        yield Measured("bare: indexed count", "all", timed(lambda _: connection.execute(BARE_LOOKUP, [ids]), questions))
        yield Measured("bare: one pass", "all", timed(lambda _: connection.execute(BARE_PASS, [0]), questions))
    cosines = exact_cosines(corpus, questions, cache)
    modes: tuple[RetrievalMode, ...] = ("vector",) if corpus.short else ("keyword", "vector", "hybrid")
    for threshold, counted in ((0.0, "ranking"), (0.7, "counted")):
        for mode in modes:
            name = f"{mode}, {counted}"
            if only not in name:
                continue
            for share in SHARES:
                yield _asked(index, corpus, questions, cosines, (name, mode, threshold, share))
    if not corpus.short and only in "chunks by BM25":
        best: list[list[str]] = []
        times = timed(lambda q: best.append([hit.chunk_id for hit in index.matching_chunks(q.text, TOP)]), questions)
        yield Measured("chunks by BM25", "all", times, _overlap(best, exact_scores(corpus, questions)))


def _asked(
    index: PostgresIndexStore,
    corpus: Corpus,
    questions: Sequence[Question],
    cosines: Float,
    way: tuple[str, RetrievalMode, float, str],
) -> Measured:
    name, mode, threshold, share = way
    filters = SearchFilters() if share == "all" else SearchFilters(keywords=(share,))
    found: list[list[int]] = []

    def ask(question: Question) -> None:
        asked = RetrievalQuery(
            question.text, filters=filters, threshold=threshold, limit=LIMIT, mode=mode, with_facets=threshold > 0
        )
        answer = index.retrieve(asked, None if mode == "keyword" else question.embedding)
        found.append([int(evidence.file_id[5:]) for evidence in answer.evidence])

    times = timed(ask, questions)
    quality = _recall(found, cosines, corpus.passes[share]) if mode == "vector" and threshold == 0 else ""
    return Measured(name, share, times, quality)


def timed(ask: Callable[[Question], object], questions: Sequence[Question]) -> list[float]:
    """Milliseconds of each question, after some that do not count."""
    for question in questions[:3]:
        ask(question)
    times = []
    for question in questions:
        started = perf_counter()
        ask(question)
        times.append((perf_counter() - started) * 1000)
    return times


def _recall(found: list[list[int]], cosines: Float, passes: NDArray[np.bool_]) -> str:
    """How many of the first 20 files are at least as near as the 20th exact one. The first three were warm-up."""
    shares = []
    for row, files in zip(cosines, found[3:], strict=True):
        allowed = row[passes]
        least = np.sort(allowed)[-min(LIMIT, len(allowed))]
        right = sum(1 for file in files[:LIMIT] if passes[file] and row[file] >= least - 1e-5)
        shares.append(right / min(LIMIT, len(allowed)))
    return f"recall@{LIMIT} {np.mean(shares):.4f}"


def _overlap(found: list[list[str]], scores: list[dict[int, float]]) -> str:
    """How many of the first 10 chunks score at least as high as the 10th exact one."""
    shares, tops = [], []
    for chunk_ids, exact in zip(found[3:], scores, strict=True):
        best = sorted(exact.values(), reverse=True)[:TOP]
        numbers = [int(i[5:12]) * CHUNKS_PER_FILE + int(i[13:]) for i in chunk_ids]
        shares.append(sum(exact.get(n, 0) >= best[-1] * (1 - 1e-6) for n in numbers) / len(best))
        tops.append(exact.get(numbers[0], 0) >= best[0] * (1 - 1e-6))
    return f"overlap@{TOP} {np.mean(shares):.4f}, same first {np.mean(tops):.2f}"


def sizes(database: Database) -> str:
    """What the tables and indexes of the search take on the disk."""
    query = """
        SELECT relname, pg_table_size(oid), pg_total_relation_size(oid) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 3 DESC LIMIT 4
    """
    with database.connection() as connection:
        tables = connection.execute(query).fetchall()
    size = PostgresUpkeep(database).schema().size_bytes
    parts = [f"{name} {own / 1e6:,.0f} + {(total - own) / 1e6:,.0f} MB of indexes" for name, own, total in tables]
    return f"{size / 1e6:,.0f} MB in all: {', '.join(parts)}"


if __name__ == "__main__":
    main()
