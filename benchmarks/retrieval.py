"""How fast and how exact each part of the retrieval is, beside bare statements of the same run.

python benchmarks/retrieval.py --chunks 100000
python benchmarks/retrieval.py --chunks 1000000 --vectors-only --home /somewhere/large
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.retrieval_asker import Asker, Measured
from benchmarks.retrieval_corpus import SHARES, Corpus, Question
from benchmarks.retrieval_reference import exact_cosines
from benchmarks.verdict import tell
from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresUpkeep, migrate
from locator_search.model import RetrievalMode

FILES_PER_TRANSACTION = 200


def main() -> None:
    """Load what is missing, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--vectors", choices=["hashed", "clustered"], default="hashed")
    parser.add_argument(
        "--vectors-only", action="store_true", help="short texts, and only the vector search is measured"
    )
    parser.add_argument("--graph", action="store_true", help="build the graph of neighbours first, if one is missing")
    parser.add_argument("--questions", type=int, default=100, help="per way of asking")
    parser.add_argument("--repeats", type=int, default=1, help="of every question; the fastest counts")
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
        print(f"{'':<26}{'p50 ms':>8}{'p95 ms':>8}{'bare p50':>12}{'p95':>8}{'p50 /':>9}{'p95 /':>7}")
        whole = dict[tuple[str, str], float]()
        for one in measure(
            database, corpus, questions, arguments.repeats, arguments.home / f"{name}.npz", arguments.only
        ):
            print(one.row(), flush=True)
            whole[one.name, one.filter] = median(one.milliseconds)
        print(sizes(database))
    for (way, share), milliseconds in whole.items():
        if way.startswith("hybrid") and share == "all":
            tell(f"{way}, {share} of {corpus.chunks:,} chunks, p50", milliseconds, "ms")


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
    database: Database, corpus: Corpus, questions: Sequence[Question], repeats: int, cache: Path, only: str
) -> Iterator[Measured]:
    """Every way of asking, under every filter that a file passes."""
    asker = Asker(database, corpus, questions, repeats)
    cosines = exact_cosines(corpus, questions, cache)
    modes: tuple[RetrievalMode, ...] = ("vector",) if corpus.short else ("keyword", "vector", "hybrid")
    for mode in modes:
        if only in f"{mode}, ranked":
            yield asker.ranked(mode)
    for threshold, counted in ((0.0, "ranking"), (0.7, "counted")):
        for mode in modes:
            name = f"{mode}, {counted}"
            if only in name:
                for share in (share for share in SHARES if corpus.passes[share].any()):
                    yield asker.retrieved(name, mode, threshold, share, cosines)
    if not corpus.short and only in "chunks by BM25":
        yield asker.chunks()


def sizes(database: Database) -> str:
    """The size of the tables and indexes of the search on the disk."""
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
