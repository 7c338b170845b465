"""Vectors without a model: the keyword terms of a text, hashed. It knows words, not meanings, and says so by its name.

Each term weighs (1 + growth * ln frequency) times the weight of its class, and goes to four signed places (feature
hashing; four places make collisions small and even, measured best among one to eight). A Japanese word or pair that
returns says less than a Latin one that does. The vectors depend on the text alone: not on the index, the process or the
machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import lru_cache
from hashlib import blake2b
from math import log
from typing import Literal

import numpy as np
import regex
from numpy.typing import NDArray

from locator_search.core.computing import COMPUTING
from locator_search.model import Terms
from locator_search.retrieval.binary_codes import DIMENSIONS, rotate
from locator_search.text.stopwords import ENGLISH_STOP_WORDS, GRAMMATICAL_WORDS
from locator_search.text.terms import PAIR, RUN, STEM, analyse, bare, is_meaning

Wide = NDArray[np.float64]

_PLACES = 4
_BATCH = 256
_HIRAGANA_ONLY = regex.compile(r"[\p{Hiragana}ー]+")
_EMPTY_WEIGHT = 0.1
_PAIR_WEIGHT = 0.7
_LATIN_WEIGHT = 1.5
_GROWTH, _LATIN_GROWTH = 0.5, 1.0
"""The share of the logarithm of its frequency that is added to the weight of a term."""
_NOTHING = "nothing"
"""The term of a text that has none: a zero vector has no cosine."""


class OfflineEmbedder:
    """An `Embedder` that needs no key, no network and no weights. Questions and documents are treated alike."""

    model_name = "offline-hashed-ngrams-2"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> NDArray[np.float32]:
        """float32 of shape (len(texts), 1536), rows of length 1."""
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            with COMPUTING if purpose == "document" else nullcontext():
                batch = [analyse(text) for text in texts[start : start + _BATCH]]
                vectors[start : start + len(batch)] = rotate(_unit(_hashed(batch)))
        return vectors


def _hashed(batch: Sequence[Terms]) -> Wide:
    digests: list[bytes] = []
    weights: list[float] = []
    rows: list[int] = []
    for row, terms in enumerate(batch):
        for term, frequency in _words(terms) or [(_NOTHING, 1)]:
            digest, class_weight, growth = _hash(term)
            digests.append(digest)
            weights.append((1 + growth * log(frequency)) * class_weight)
            rows.append(row)
    numbers = np.frombuffer(b"".join(digests), dtype="<u4").reshape(-1, _PLACES)
    places = (numbers >> 1) % DIMENSIONS + np.asarray(rows)[:, None] * DIMENSIONS
    signed = np.where(numbers & 1, 1.0, -1.0) * np.asarray(weights)[:, None]
    size = len(batch) * DIMENSIONS
    sums = np.bincount(places.ravel(), signed.ravel(), size).astype(np.float64)
    return sums.reshape(len(batch), DIMENSIONS)


def _words(terms: Terms) -> list[tuple[str, int]]:
    """The words as written, without their meanings: a year is not the topic of a text."""
    return [pair for pair in zip(terms.terms, terms.frequencies, strict=True) if not is_meaning(pair[0])]


@lru_cache(maxsize=65_536)
def _hash(term: str) -> tuple[bytes, float, float]:
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4 * _PLACES).digest()
    return digest, _class_weight(term), _LATIN_GROWTH if term.startswith((STEM, RUN)) else _GROWTH


def _class_weight(term: str) -> float:
    word = bare(term)
    is_stop_word = term.startswith(RUN) and word in ENGLISH_STOP_WORDS
    if is_stop_word or word in GRAMMATICAL_WORDS or _HIRAGANA_ONLY.fullmatch(word):
        return _EMPTY_WEIGHT
    if term.startswith((STEM, RUN)) and not word.isdigit():
        return _LATIN_WEIGHT
    return _PAIR_WEIGHT if term.startswith(PAIR) else 1.0


def _unit(vectors: Wide) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
