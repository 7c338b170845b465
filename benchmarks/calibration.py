"""Where searches end before and after `calibrate`, on a data set of which a part of the documents is missing.

    python benchmarks/calibration.py data/jsquad-valid --questions 400

Leaves out the documents of some titles. Questions about the others are answerable, and their document should be shown.
Questions about those left out are unanswerable, and should end in "not found" or in a question. Every search is the
whole branching search up to the question it asks back, with the models of the settings.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from locator_search.adapters.postgres.server.scratch import scratch_database
from locator_search.app.locator import Locator
from locator_search.config.settings import load_settings
from locator_search.drive_search.questions import SearchOptions
from locator_search.evaluation.calibrate import measure
from locator_search.evaluation.dataset import CorpusDocument, JudgedQuery, read_corpus, read_queries
from locator_search.evaluation.loading import load_corpus
from locator_search.model import Evidence, SearchOutcome
from locator_search.ports import MeasuredCalibration


@dataclass(frozen=True)
class Split:
    """Documents for the index, and questions with and without an answer in it."""

    documents: list[CorpusDocument]
    answerable: list[JudgedQuery]
    unanswerable: list[JudgedQuery]


class Everything:
    """An access checker for documents that lie nowhere else."""

    def check(self, evidence: Sequence[Evidence], *, names_alone: bool = False) -> list[Evidence]:  # noqa: ARG002
        """All of them."""
        return list(evidence)


def main() -> None:
    """Split, load, search, calibrate, search again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=400, help="of each kind")
    parser.add_argument("--left-out", type=float, default=0.3, help="share of the titles that questions are about")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    split = split_up(arguments.folder, arguments.left_out, arguments.questions, Random(arguments.seed))
    settings = load_settings()
    with scratch_database(settings) as database, Locator(settings) as locator:
        locator.database = database
        locator.access_checker = Everything()
        load_corpus(split.documents, locator.index, locator.chunker, locator.embedder, ignore)
        print(f"{len(split.documents):,} documents, {locator.embedder.model_name}", flush=True)
        report("shipped calibration", locator, split)
        store, started = locator.calibration_store, perf_counter()
        measured = measure(store, locator.index, locator.bare_embedder, ignore)
        store.keep(MeasuredCalibration(measured.calibration.anchors, measured.files, locator.clock.now()))
        print(f"measured in {perf_counter() - started:.0f} s: {measured.calibration.anchors}", flush=True)
        report("measured calibration", locator, split)


def ignore(count: int) -> None:
    """Nobody watches the progress."""


def split_up(folder: Path, left_out: float, questions: int, draw: Random) -> Split:
    """Leave out some of the titles that questions are about, and everything that is called like them."""
    documents, queries = list(read_corpus(folder)), read_queries(folder)
    titles = {document.id: document.title or document.id for document in documents}
    asked_about = sorted({titles[found] for query in queries for found in query.grades if found in titles})
    gone = set(draw.sample(asked_about, round(left_out * len(asked_about))))
    kept = [document for document in documents if titles[document.id] not in gone]
    about = {
        query.id: {titles.get(found) in gone for found, grade in query.grades.items() if grade} for query in queries
    }

    def some(wanted: bool) -> list[JudgedQuery]:
        fitting = [query for query in queries if about[query.id] == {wanted}]
        return draw.sample(fitting, min(questions, len(fitting)))

    return Split(kept, some(wanted=False), some(wanted=True))


def report(name: str, locator: Locator, split: Split) -> None:
    """Search for all questions and print where they ended."""
    ends = {query.id: search(locator, query) for query in (*split.answerable, *split.unanswerable)}
    kept = sum(keeps(ends[query.id], query) for query in split.answerable)
    refused = sum(ends[query.id].outcome != "found" for query in split.unanswerable)
    print(name)
    print(f"  answerable    {kept / len(split.answerable):.1%} kept", end="; ")
    print(outcomes(ends[query.id] for query in split.answerable))
    print(f"  unanswerable  {refused / len(split.unanswerable):.1%} not found or asked back", end="; ")
    print(outcomes(ends[query.id] for query in split.unanswerable), flush=True)


def search(locator: Locator, query: JudgedQuery) -> SearchOutcome:
    """One search, up to its end or to the question it asks back."""
    return locator.drive_search.start(query.text, options=SearchOptions(show=50)).advance()


def keeps(outcome: SearchOutcome, query: JudgedQuery) -> bool:
    """Whether a relevant document is shown, by itself or folded under another."""
    shown = [item for best in outcome.evidence for item in (best, *(member.evidence for member in best.group))]
    return any(query.grades.get(item.file_id, 0) > 0 for item in shown)


def outcomes(ended: Iterable[SearchOutcome]) -> str:
    """How often each outcome occurred."""
    counts = Counter(outcome.outcome for outcome in ended)
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


if __name__ == "__main__":
    main()
