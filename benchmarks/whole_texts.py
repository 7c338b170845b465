"""How well files rank by their best chunk, by their whole text, and by both: nDCG@10 on data sets in BEIR form.

    python benchmarks/whole_texts.py long-docs jsquad-valid

BM25 over the chunks and terms of the product, beside the index. The product ranks by the best chunk and its breadth.
The second figure of each way leaves out the questions for the longest document.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from locator_search.evaluation.dataset import read_corpus, read_queries
from locator_search.evaluation.measures import ndcg
from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from locator_search.indexing.entry import analyse_chunks
from locator_search.model import Block, Document, Terms
from locator_search.retrieval.query_terms import terms_of
from locator_search.retrieval.term_weights import LENGTH_NORMALISATION, SATURATION, of_file

Values = NDArray[np.float64]

USUAL = (1.2, 0.75)
"""k1 and b that were found on whole documents."""
WEIGHTS_OF_WHOLE = (0.25, 0.5)
WEIGHT_OF_SECOND = 0.3


class Texts:
    """Texts that are ranked by BM25: chunks, or whole files."""

    def __init__(self, texts: Sequence[Terms], owners: Sequence[int]) -> None:
        self._counts: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self._lengths = np.zeros(max(owners) + 1)
        for text, owner in zip(texts, owners, strict=True):
            self._lengths[owner] += text.length
            for term, frequency in zip(text.terms, text.frequencies, strict=True):
                self._counts[term][owner] += frequency

    def scores(self, terms: Sequence[str], k1: float, b: float) -> Values:
        """The BM25 score of every text."""
        count, scores = len(self._lengths), np.zeros(len(self._lengths))
        damped = k1 * (1 - b + b * self._lengths / self._lengths.mean())
        for holding in (self._counts[term] for term in terms if term in self._counts):
            places, frequencies = np.array(list(holding)), np.array(list(holding.values()), float)
            idf = math.log(1 + (count - len(holding) + 0.5) / (len(holding) + 0.5))
            scores[places] += idf * frequencies * (k1 + 1) / (frequencies + damped[places])
        return scores


def measured(folder: Path) -> dict[str, tuple[float, float]]:
    """nDCG@10 of every way to score, over all questions of a data set, and without those for its longest document."""
    names, chunks, owners = [], [], []
    for place, document in enumerate(read_corpus(folder)):
        names.append(document.id)
        blocks = [Block("heading", document.title, level=1)] if document.title.strip() else []
        text = Document((*blocks, Block("paragraph", document.text)), "text/plain")
        for chunk in analyse_chunks(HeadingChunker().chunk(text)):
            chunks.append(chunk)
            owners.append(place)
    counts = np.bincount(owners)
    longest = names[int(counts.argmax())]
    of_chunks, of_files = Texts(chunks, range(len(chunks))), Texts(chunks, owners)
    gained: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for query in read_queries(folder):
        terms = terms_of(query.text, ())
        whole = of_files.scores(terms, *USUAL)
        found = of_chunks.scores(terms, SATURATION, LENGTH_NORMALISATION)
        ranked = [np.sort(of_one)[::-1] for of_one in np.split(found, np.cumsum(counts)[:-1])]
        best = np.array([of_one[0] for of_one in ranked])
        second = np.array([of_one[1] if len(of_one) > 1 else 0.0 for of_one in ranked])
        cubes = np.add.reduceat((found / np.repeat(np.maximum(best, 1e-9), counts)) ** 3, np.cumsum(counts) - counts)
        breadth = np.cbrt(cubes / (1 + np.log2(counts)))
        ways = {"best chunk and its breadth": of_file(best, breadth), "best chunk": best, "whole text": whole}
        ways[f"best chunk + {WEIGHT_OF_SECOND} second"] = best + WEIGHT_OF_SECOND * second
        ways |= {f"best chunk + {weight} whole text": best + weight * whole for weight in WEIGHTS_OF_WHOLE}
        for way, scores in ways.items():
            first = np.argsort(-scores, kind="stable")[:10]
            value = ndcg([names[place] for place in first if scores[place] > 0], query.grades, 10)
            gained[way].append((value, longest not in query.grades))
    return {way: (_mean(one for one, _ in of), _mean(one for one, other in of if other)) for way, of in gained.items()}


def _mean(values: Iterable[float]) -> float:
    return float(np.mean([*values]))


def main() -> None:
    """Measure each data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    for folder in parser.parse_args().folders:
        print(folder.name, *(f"{way} {of[0]:.4f} {of[1]:.4f}" for way, of in measured(folder).items()), sep="\n  ")


if __name__ == "__main__":
    main()
