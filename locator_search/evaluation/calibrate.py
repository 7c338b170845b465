"""Measures an index with questions made of its own texts, and fits its calibration.

Two kinds of questions, a few hundred of each (the method and its figures: docs/decisions/0007):

- **with an answer**: the title of a file and four keywords of one of its chunks. The right answer is the best of its
  chunks; the file's own vector does not count, because the title is part of it.
- **without an answer**: three keywords each of two files that are taken for absent. What comes nearest is what a search
  would find for a question that nothing answers; it grows with the index.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from pathlib import PurePath
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locator_search.core.errors import LocatorError
from locator_search.model import RetrievalQuery
from locator_search.ports import CalibrationStore, Embedder, IndexStore, SampledFile
from locator_search.retrieval.calibration import Calibration
from locator_search.retrieval.calibration_fit import fitted
from locator_search.retrieval.evidence import RANKING_ONLY
from locator_search.text.terms import STEM, WORD, analyse, bare

if TYPE_CHECKING:
    from locator_search.model import Vector

FEWEST_FILES = 30
"""An index of fewer files is not measured: they would say more about themselves than about the model."""

SAMPLED_FILES = 400
QUESTIONS = 400
"""Questions with an answer, and as many without one."""

BEST_WORDS = 12
"""The most telling words of a chunk, of which keywords are drawn: people rarely hit upon the very best."""

QUANTILES = (5, 25, 50, 75, 95, 99)

OnQuestion = Callable[[int], None]
"""Receives how many of the QUESTIONS without an answer were asked."""


class TooFewFiles(LocatorError):  # noqa: N818 - named like the errors it belongs to
    """The index has `count` files, fewer than FEWEST_FILES."""

    def __init__(self, count: int) -> None:
        super().__init__(f"A calibration needs at least {FEWEST_FILES} indexed files; the index has {count}.")
        self.count = count


@dataclass(frozen=True, slots=True)
class Measurement:
    """Cosines measured on an index, and the calibration they give. `files`: how many files the index has."""

    files: int
    unrelated: tuple[float, ...]
    unanswerable: tuple[float, ...]
    answerable: tuple[float, ...]

    @property
    def calibration(self) -> Calibration:
        """The calibration fitted to the cosines. Raises NotToldApart."""
        return fitted(self.unrelated, self.unanswerable, self.answerable)

    def quantiles(self, cosines: Sequence[float]) -> dict[str, float]:
        """Some of the cosines: the one that 5, 25, 50, 75, 95 and 99 of 100 do not exceed."""
        return {f"{percent}%": round(float(np.percentile(cosines, percent)), 4) for percent in QUANTILES}


class _Place(NamedTuple):
    """One chunk of a sampled file."""

    file: SampledFile
    number: int


def measure(
    store: CalibrationStore, index: IndexStore, embedder: Embedder, on_question: OnQuestion, *, seed: int = 0
) -> Measurement:
    """Ask the questions. The same index, model and seed give the same cosines.

    Raises TooFewFiles for an index of fewer than FEWEST_FILES files, and what index and embedder raise.
    """
    files = store.files()
    sample = store.sample(SAMPLED_FILES)
    if len(sample) < FEWEST_FILES:
        raise TooFewFiles(len(sample))
    questions = _Questions(sample, Random(seed))  # noqa: S311 - draws samples, guards nothing
    answered = [questions.with_answer() for _ in range(QUESTIONS)]
    unanswered = [questions.without_answer() for _ in range(QUESTIONS)]
    vectors = embedder.embed([text for text, _ in (*answered, *unanswered)], "query")
    nearest: list[float] = []
    for vector, (_, absent) in zip(vectors[QUESTIONS:], unanswered, strict=True):
        nearest.append(_nearest(index, vector, absent))
        on_question(len(nearest))
    return Measurement(
        files=files,
        unrelated=tuple(
            float(vector @ questions.another_file(right).embeddings[0])
            for vector, (_, right) in zip(vectors[:QUESTIONS], answered, strict=True)
        ),
        unanswerable=tuple(nearest),
        answerable=tuple(
            float(max(right.embeddings @ vector))
            for vector, (_, right) in zip(vectors[:QUESTIONS], answered, strict=True)
        ),
    )


def _nearest(index: IndexStore, vector: Vector, absent: Sequence[SampledFile]) -> float:
    """The cosine of the nearest file that is not absent."""
    query = RetrievalQuery("", threshold=RANKING_ONLY, limit=len(absent) + 1, mode="vector", with_facets=False)
    ids = {file.file_id for file in absent}
    return next(item.cosine or 0.0 for item in index.retrieve(query, vector).evidence if item.file_id not in ids)


class _Questions:
    """Draws questions from sampled files."""

    def __init__(self, sample: Sequence[SampledFile], draw: Random) -> None:
        self._sample = sample
        self._draw = draw
        words = [_words(text) for file in sample for text in file.texts]
        self._chunks = len(words)
        self._bearers = Counter(word for counts in words for word in counts)

    def with_answer(self) -> tuple[str, SampledFile]:
        """A question and the file that answers it."""
        place = self._place()
        return " ".join((PurePath(place.file.file_name).stem, *self._keywords(place, 4))), place.file

    def without_answer(self) -> tuple[str, tuple[SampledFile, SampledFile]]:
        """A question and the files that it was made from."""
        one, other = self._place(), self._place()
        return " ".join((*self._keywords(one, 3), *self._keywords(other, 3))), (one.file, other.file)

    def another_file(self, right: SampledFile) -> SampledFile:
        """Any other file."""
        return self._draw.choice([file for file in self._sample if file.file_id != right.file_id])

    def _place(self) -> _Place:
        file = self._draw.choice(self._sample)
        return _Place(file, self._draw.randrange(len(file.texts)))

    def _keywords(self, place: _Place, count: int) -> list[str]:
        words = _words(place.file.texts[place.number])
        telling = sorted(words, key=lambda word: (-(1 + log(words[word])) * self._rarity(word), word))[:BEST_WORDS]
        return [bare(word) for word in self._draw.sample(telling, min(count, len(telling)))]

    def _rarity(self, word: str) -> float:
        return log((self._chunks + 1) / self._bearers[word])


def _words(text: str) -> dict[str, int]:
    terms = analyse(text)
    return {
        term: frequency
        for term, frequency in zip(terms.terms, terms.frequencies, strict=True)
        if term.startswith((WORD, STEM))
    }
