"""Exact searches over a `Corpus`, computed without a database."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.retrieval_corpus import CHUNKS_PER_FILE, Corpus, Question
from locator_search.retrieval.term_weights import LENGTH_NORMALISATION, SATURATION
from locator_search.text.terms import analyse

BLOCK = 20_000


def exact_cosines(corpus: Corpus, questions: Sequence[Question], cache: Path) -> NDArray[np.float64]:
    """The cosine of each question to each file, (questions, files): the best of its chunks and of their sum."""
    if cache.exists():
        kept: NDArray[np.float64] = np.load(cache)["cosines"]
        if kept.shape == (len(questions), corpus.files):
            return kept
    asked = np.stack([question.embedding for question in questions]).T
    best = np.empty((corpus.files, len(questions)))
    files = 200  # as many as are written at once: their noise depends on where a block begins
    for start in range(0, corpus.files, files):
        stop = min(corpus.files, start + files)
        vectors = corpus.vectors(start * CHUNKS_PER_FILE, stop * CHUNKS_PER_FILE)
        by_file = vectors.reshape(stop - start, CHUNKS_PER_FILE, -1)
        sums = by_file.sum(axis=1)
        sums /= np.linalg.norm(sums, axis=1, keepdims=True)
        best[start:stop] = np.maximum((by_file @ asked).max(axis=1), sums @ asked)
    np.savez(cache, cosines=best.T)
    return best.T


def exact_scores(corpus: Corpus, questions: Sequence[Question]) -> list[dict[int, float]]:
    """The BM25 scores (k1 = 1.2, b = 0.75, Lucene's idf) of each question, by chunk."""
    postings = _postings(corpus, {term for question in questions for term in analyse(question.text).terms})
    lengths = _lengths(corpus)
    damping = SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * lengths / lengths.mean())
    found = []
    for question in questions:
        scores: dict[int, float] = {}
        for term in analyse(question.text).terms:
            chunks, counts = postings[term]
            idf = math.log(1 + (corpus.chunks - len(chunks) + 0.5) / (len(chunks) + 0.5))
            weights = idf * counts * (SATURATION + 1) / (counts + damping[chunks])
            for chunk, weight in zip(chunks.tolist(), weights.tolist(), strict=True):
                scores[chunk] = scores.get(chunk, 0.0) + weight
        found.append(scores)
    return found


def _postings(corpus: Corpus, terms: set[str]) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """The chunks that hold each term, and how often."""
    of_sentence = {term: np.zeros(len(corpus.sentences)) for term in terms}
    for number, found in enumerate(corpus.terms):
        for term, frequency in zip(found.terms, found.frequencies, strict=True):
            if term in terms:
                of_sentence[term][number] = frequency
    counts = {term: table[corpus.sentences_of].sum(axis=1) for term, table in of_sentence.items()}
    for chunk in range(corpus.chunks):
        own = analyse(corpus.own_line(chunk))
        for term, frequency in zip(own.terms, own.frequencies, strict=True):
            if term in terms:
                counts[term][chunk] += frequency
    return {term: (np.flatnonzero(tf), tf[np.flatnonzero(tf)]) for term, tf in counts.items()}


def _lengths(corpus: Corpus) -> NDArray[np.float64]:
    of_sentence = np.array([terms.length for terms in corpus.terms], dtype=np.float64)
    own = analyse(corpus.own_line(0)).length
    lengths: NDArray[np.float64] = of_sentence[corpus.sentences_of].sum(axis=1) + own
    return lengths
