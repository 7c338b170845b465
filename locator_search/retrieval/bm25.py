"""BM25 as a sum over the terms of a question: idf times what a text gives for the term. Pure.

The index keeps what a text gives, made with the mean length of its day. SATURATION and LENGTH_NORMALISATION are part of
what is kept: whoever changes them writes a migration that makes the kept weights again.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Numbers = TypeVar("Numbers", float, NDArray[np.float64])
"""One text or term, or many at once."""

SATURATION = 0.8
"""BM25's k1: how much a repeated term still counts."""
LENGTH_NORMALISATION = 0.9
"""BM25's b: how much a long chunk pays for its length. Robertson and Zaragoza, "The Probabilistic Relevance Framework:
BM25 and Beyond", 2009; the values were measured best on Japanese paragraphs."""


def damping(length: Numbers, mean_length: Numbers) -> Numbers:
    """How slowly repetitions of a term count up in a text of this length; 1 / `weight` grows with it."""
    return SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length / mean_length)


def weight(frequency: Numbers, damped: Numbers) -> Numbers:
    """The BM25 weight of a term that a text holds so often; `damped` comes from `damping`. In [0, SATURATION + 1)."""
    return frequency * (SATURATION + 1) / (frequency + damped)


def frequency_of(kept: NDArray[np.float64], damped: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often texts hold a term of which they give `kept`: `weight` turned round. 0 for 0."""
    rest = np.maximum(SATURATION + 1 - kept, 1e-9)  # single precision may round up what is nearly everything
    return np.rint(kept * damped / rest)


def of_file(best: Numbers, breadth: Numbers) -> Numbers:
    """The score of a file by that of its best chunk and by how many others answer the question too (its `breadth`).

    The breadth of n chunks is the cube root of the sum of their (score / best) ** 3 / (1 + log2(n)): 1 for a file of
    one chunk, below for a long one that answers in one place, above for one that answers throughout.
    """
    return best * (2 + breadth) / 3
