"""How alike texts are, by the counts of their terms. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple

import numpy as np

TermCounts = Mapping[str, int]


class Likeness(NamedTuple):
    """What two texts have in common, by the counts of their terms, each in [0, 1].

    `overlap` is the share of the shorter text that the longer one holds (Szymkiewicz-Simpson), `resemblance` the share
    of both together that is in both (Jaccard, in its form for counts: Ruzicka). Texts without terms are not alike.
    """

    overlap: float
    resemblance: float


class ComparedTexts:
    """Texts by their names, as one table of counts: a text is compared with all others about as fast as with one."""

    def __init__(self, texts: Mapping[str, TermCounts]) -> None:
        columns: defaultdict[str, int] = defaultdict(count().__next__)
        each = list(texts.values())
        column = np.fromiter(map(columns.__getitem__, chain.from_iterable(each)), dtype=np.intp)
        row = np.repeat(np.arange(len(each)), [len(counts) for counts in each])
        self._rows = {name: number for number, name in enumerate(texts)}
        self._counts = np.zeros((len(each), len(columns)), dtype=np.int32)
        self._counts[row, column] = np.fromiter(chain.from_iterable(counts.values() for counts in each), dtype=np.int32)
        self._lengths = self._counts.sum(axis=1)

    def likeness(self, one: str, others: Sequence[str]) -> list[Likeness]:
        """How alike one text is to each of the others."""
        row, rows = self._rows[one], [self._rows[other] for other in others]
        common = np.minimum(self._counts[rows], self._counts[row]).sum(axis=1)
        shorter = np.minimum(self._lengths[rows], self._lengths[row])
        together = self._lengths[rows] + self._lengths[row] - common
        shares = zip(common / np.maximum(shorter, 1), common / np.maximum(together, 1), strict=True)
        return [Likeness(float(overlap), float(resemblance)) for overlap, resemblance in shares]
