"""How alike texts are, by the counts of their terms. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from locator_search.ports.versions import TermCounts

NO_TERMS = TermCounts(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


class Likeness(NamedTuple):
    """Two measures of what texts have in common, by the counts of their terms, each in [0, 1].

    `overlap` is the share of the shorter text that the longer one holds (Szymkiewicz-Simpson), `resemblance` the share
    of both together that is in both (Jaccard, in its form for counts: Ruzicka). Texts without terms are not alike.
    """

    overlap: float
    resemblance: float


class ComparedTexts:
    """Texts by their names as one table of counts: a text is compared with all others about as fast as
    with one."""

    def __init__(self, texts: Mapping[str, TermCounts]) -> None:
        each = list(texts.values()) or [NO_TERMS]
        terms, column = np.unique(np.concatenate([text.terms for text in each]), return_inverse=True)
        row = np.repeat(np.arange(len(each)), [len(text.terms) for text in each])
        counts = np.concatenate([text.counts for text in each])
        cells = np.bincount(row * len(terms) + column, weights=counts, minlength=len(each) * len(terms))
        self._counts = cells.reshape(len(each), len(terms)).astype(np.int32)
        self._rows = {name: number for number, name in enumerate(texts)}
        self._lengths = self._counts.sum(axis=1)

    def likeness(self, one: str, others: Sequence[str]) -> list[Likeness]:
        """How alike one text is to each of the others."""
        row, rows = self._rows[one], [self._rows[other] for other in others]
        common = np.minimum(self._counts[rows], self._counts[row]).sum(axis=1)
        shorter = np.minimum(self._lengths[rows], self._lengths[row])
        together = self._lengths[rows] + self._lengths[row] - common
        shares = zip(common / np.maximum(shorter, 1), common / np.maximum(together, 1), strict=True)
        return [Likeness(float(overlap), float(resemblance)) for overlap, resemblance in shares]
