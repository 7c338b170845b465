"""What it costs a search that it is trimmed to what its reader may read.

    python -m benchmarks.readers --chunks 20000
    python -m benchmarks.readers --chunks 1000000 --home FOLDER --questions 20

The second one takes the index that benchmarks.retrieval left in the folder, and gives its files readers.

Every question is asked twice in turn: of everything, and for a person. The fastest of the repeats counts for either.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.retrieval_corpus import BEGIN, Corpus, Question
from benchmarks.verdict import tell
from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresIndexStore, migrate
from locator_search.core.reader import Reader, reading_as
from locator_search.model import RetrievalQuery

FILES_AT_ONCE = 200
PEOPLE = {"all": 1, "half": 2, "twentieth": 20}
"""By name, every how many files the person may read one."""
ALLOWED = 1.2


def main() -> None:
    """Load, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--home", type=Path, help="where benchmarks.retrieval kept its index")
    arguments = parser.parse_args()
    corpus = Corpus(arguments.chunks, "hashed")
    questions = corpus.questions(arguments.questions)
    kept = arguments.home and arguments.home / f"hashed-{corpus.chunks}"
    with tempfile.TemporaryDirectory() as home, Database(kept or Path(home)) as database:
        migrate(database)
        if kept:
            give_readers(database)
        else:
            load(database, corpus)
        print(f"{corpus.chunks:,} chunks in {corpus.files:,} files, {len(questions)} questions")
        print(f"{'reads':<12}{'everything ms':>14}{'trimmed ms':>12}{'ratio':>8}")
        ratios = dict[str, float]()
        with Database(database.url, for_readers=True) as trimmed:
            for name in PEOPLE:
                whole, own = measured(database, trimmed, f"{name}@example.com", questions, arguments.repeats)
                print(f"{name:<12}{whole:>14.1f}{own:>12.1f}{own / whole:>8.2f}", flush=True)
                ratios[name] = own / whole
    for name, ratio in ratios.items():
        tell(f"a search trimmed to its reader ({name}) / of everything", ratio, at_most=ALLOWED)


def load(database: Database, corpus: Corpus) -> None:
    """Files with the readers that PEOPLE says."""
    registry, index = PostgresFileRegistry(database), PostgresIndexStore(database)
    for start in range(0, corpus.files, FILES_AT_ONCE):
        entries = [
            replace(entry, file=replace(entry.file, readers=_readers(start + number)))
            for number, entry in enumerate(corpus.entries(start, min(corpus.files, start + FILES_AT_ONCE)))
        ]
        registry.record_listing([entry.file for entry in entries], BEGIN)
        index.replace_many(entries, "benchmark")
    with database.connection() as connection:
        connection.execute("VACUUM ANALYZE")


def give_readers(database: Database) -> None:
    """The same readers for files that are there."""
    registry = PostgresFileRegistry(database)
    listed = [
        replace(known.file, readers=_readers(number))
        for number, (_file_id, known) in enumerate(sorted(registry.known(registry.ids("", registry.count())).items()))
    ]
    for start in range(0, len(listed), FILES_AT_ONCE):
        registry.record_listing(listed[start : start + FILES_AT_ONCE], BEGIN)
    with database.connection() as connection:
        connection.execute("VACUUM ANALYZE file_state, access_list")


def measured(
    database: Database, trimmed: Database, mail: str, questions: list[Question], repeats: int
) -> tuple[float, float]:
    """Median milliseconds of a hybrid search with counts and facets: of everything, and for this person."""
    reader, whole, own = Reader.of(mail, {}), list[float](), list[float]()
    stores = ((PostgresIndexStore(database), whole), (PostgresIndexStore(trimmed), own))
    with reading_as(reader):
        for question in questions:
            best = [float("inf"), float("inf")]
            for _ in range(repeats):
                for at, (store, _times) in enumerate(stores):
                    best[at] = min(best[at], _milliseconds(store, question))
            for at, (_store, times) in enumerate(stores):
                times.append(best[at])
    return median(whole), median(own)


def _milliseconds(store: PostgresIndexStore, question: Question) -> float:
    began = perf_counter()
    store.retrieve(RetrievalQuery(question.text, threshold=0.6), question.embedding)
    return (perf_counter() - began) * 1000


def _readers(file: int) -> tuple[str, ...]:
    return tuple(sorted(f"user:{name}@example.com" for name, every in PEOPLE.items() if file % every == 0))


if __name__ == "__main__":
    main()
