"""How alike are versions, copies, and documents that are neither; and what does grouping cost a search?

python benchmarks/grouping.py
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from locator_search.app.locator import Locator
from locator_search.config.settings import Settings
from locator_search.indexing.crawl import observe_source, record_snapshot
from locator_search.model import Evidence, RetrievalQuery, Unit
from locator_search.ports.versions import TermCounts
from locator_search.retrieval.grouping import folded
from locator_search.retrieval.same_document import ComparedTexts, Likeness
from locator_search.retrieval.version_names import NamedFile, version_name, without_suffix
from locator_search.text.cutting import sentence_spans
from locator_search.text.terms import analyse

PASSAGES = 4
QUESTION = "資料"
SHARES = (0.05, 0.1, 0.2, 0.3, 0.5)


def crawled(folder: Path, home: Path) -> Locator:
    """The product with a folder indexed, whatever can be read of it."""
    locator = Locator(Settings(_env_file=None, locator_folders=(str(folder),), locator_home=home))
    now = locator.clock.now()
    snapshot = observe_source(locator.source, locator.registry, locator.indexer.version, now)
    record_snapshot(snapshot, locator.registry, locator.feed_log, locator.indexer.version, now)
    for file in snapshot.plan.to_index:
        locator.indexer.index_file(file)
    return locator


def everything(locator: Locator, limit: int = 1000, unit: Unit = "file") -> tuple[Evidence, ...]:
    """The files of an index, nearest to a query first; with the unit `document` those of so many documents."""
    vector = locator.embedder.embed([QUESTION], "query")[0]
    asked = RetrievalQuery(QUESTION, threshold=0.0, limit=limit, with_facets=False, unit=unit)
    return locator.index.retrieve(asked, vector).evidence


def counts_of(text: str) -> TermCounts:
    """The terms of a text, as the index counts them."""
    terms = analyse(text)
    return TermCounts(np.array([crc32(term.encode()) for term in terms.terms]), np.array(terms.frequencies))


def likeness(one: TermCounts, other: TermCounts) -> Likeness:
    """How alike two texts are."""
    return ComparedTexts({"one": one, "other": other}).likeness("one", ["other"])[0]


# How alike


def alike_in(locator: Locator) -> Iterator[tuple[str, Likeness]]:
    """Every pair of files under one title in one place, and every pair told apart by its numbers or dates alone."""
    files = everything(locator)
    keys = locator.versions.keys([file.file_id for file in files])
    terms = {file.file_id: locator.versions.term_counts([file.file_id])[file.file_id] for file in files}
    for one, other in itertools.combinations(files, 2):
        if keys[one.file_id].text == keys[other.file_id].text:
            continue
        titles = [version_name(without_suffix(file.file_name)[0]).title for file in (one, other)]
        names = [NamedFile.of(file.file_name, file.folder_path) for file in (one, other)]
        if (names[0].whereabouts, names[0].dates) == (names[1].whereabouts, names[1].dates):
            kind = "versions by name"
        elif _without_digits(titles[0]) == _without_digits(titles[1]):
            kind = "told apart by a number or a date"
        else:
            kind = "other names"
        yield kind, likeness(terms[one.file_id], terms[other.file_id])


def _without_digits(title: str) -> str:
    return "".join(letter for letter in title if not letter.isdigit())


def variants(texts: Sequence[str]) -> Iterator[tuple[str, Likeness]]:
    """Texts against what people make of them: sentences replaced or added (taken from the next), a name filled in."""
    for text, other in zip(texts, [*texts[1:], texts[0]], strict=True):
        sentences = [text[start:end] for start, end in sentence_spans(text)]
        foreign = itertools.cycle([other[start:end] for start, end in sentence_spans(other)])
        for share in SHARES:
            step = round(1 / share)
            replaced = [next(foreign) if n % step == 0 else line for n, line in enumerate(sentences)]
            added = [*sentences, *itertools.islice(foreign, round(share * len(sentences)))]
            yield f"{share:.0%} of the sentences replaced", likeness(counts_of(text), counts_of("".join(replaced)))
            yield f"{share:.0%} of the sentences added", likeness(counts_of(text), counts_of("".join(added)))
        forms = [f"{customer} 御中\n{text}" for customer in ("北斗製鋼株式会社", "瀬戸内ポンプ製作所")]
        yield "one form, two customers", likeness(*map(counts_of, forms))


def print_likeness(pairs: Iterator[tuple[str, Likeness]]) -> None:
    """Per kind of pair: least, median and largest overlap and resemblance."""
    by_kind: dict[str, list[Likeness]] = {}
    for kind, alike in pairs:
        by_kind.setdefault(kind, []).append(alike)
    for kind, found in by_kind.items():
        figures = [
            f"{min(values):.2f} {statistics.median(values):.2f} {max(values):.2f}"
            for values in zip(*found, strict=True)
        ]
        print(f"{kind:36} {len(found):6}   {'   '.join(figures)}")


# What it costs


def write_versions(folder: Path, texts: Sequence[str], titles: int, versions: int) -> None:
    """Files of that many titles in that many versions each, of several chunks each."""
    for title in range(titles):
        for version in range(versions):
            passages = (texts[(title + number) % len(texts)] for number in range(PASSAGES))
            text = "\n".join((*passages, f"{version} 番目の版の補足。"))
            (folder / f"資料{title:02}_v{version + 1}.txt").write_text(text, encoding="utf-8")


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def print_cost(locator: Locator, rounds: int, what: str) -> None:
    """A retrieval of 20 files, one of 20 documents, and the grouping of their files, in turns."""
    found = everything(locator, 20, "document")
    taken: dict[str, list[float]] = {"files": [], "documents": [], "group": []}
    for _ in range(rounds):
        taken["files"].append(seconds(lambda: everything(locator, 20)))
        taken["documents"].append(seconds(lambda: everything(locator, 20, "document")))
        taken["group"].append(seconds(lambda: folded(found, locator.versions, QUESTION)))
    few, many, grouping = (statistics.median(values) * 1000 for values in taken.values())
    print(f"{what:36} {len(found):6}   {few:6.1f} {many:6.1f} {grouping:6.1f} ms   ratio {(many + grouping) / few:.2f}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=Path, default=Path("samples"), help="documents to compare and to vary")
    parser.add_argument("--rounds", type=int, default=20, help="measurements of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, crawled(options.samples, Path(scratch) / "samples") as locator:
        texts = [item.text for item in everything(locator) if len(item.text) > 300]
        print(f"{'pairs of files':36} {'pairs':>6}   overlap          resemblance")
        print_likeness(alike_in(locator))
        print_likeness(variants(texts))
        print(f"\n{'cost':36} {'files':>6}   find 20 files, 20 documents, group them")
        print_cost(locator, options.rounds, "the samples")
        for titles, versions in ((16, 5), (1, 80)):
            folder = Path(scratch) / f"{titles} in {versions}"
            folder.mkdir()
            write_versions(folder, texts, titles, versions)
            with crawled(folder, Path(scratch) / f"home of {titles}") as crowded:
                print_cost(crowded, options.rounds, f"titles in versions: {titles} in {versions}")


if __name__ == "__main__":
    main()
