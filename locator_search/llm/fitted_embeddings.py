"""The embeddings of one model, brought into the width of the index. What cannot be right is refused as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from locator_search.core.errors import BadModelOutput
from locator_search.ports import EmbeddingWidths

if TYPE_CHECKING:
    from locator_search.model import Vector

DIMENSIONS = 1536
"""The width of the index. Shorter embeddings are filled up with zeros, which changes no cosine."""

ASKED_FOR_ANOTHER = "Check OPENAI_BASE_URL and OPENAI_EMBEDDING_MODEL: another model seems to answer."
CHANGED = (
    "Check OPENAI_BASE_URL. If another model answers under this name for good, run"
    " `document-locator db reindex --force` and crawl again."
)
CHOOSE_ANOTHER = "Choose another model in OPENAI_EMBEDDING_MODEL."


class FittedEmbeddings:
    """Checks what a model answered. `asked` is the length it was asked for; without it, its first answer decides, for
    this process and every other one."""

    def __init__(self, model_name: str, widths: EmbeddingWidths, asked: int | None = None) -> None:
        self._model = model_name
        self._widths = widths
        self._asked = asked
        self._known: int | None = None

    def rows(self, vectors: Sequence[Vector], texts: int) -> Vector:
        """float32 (texts, 1536) of unit length. Raises BadModelOutput; then none of these embeddings may be used."""
        if len(vectors) != texts:
            raise BadModelOutput(f"{self._model} returned {len(vectors)} embeddings for {texts} texts.")
        if not vectors:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        width = self._common_width(vectors)
        matrix = np.asarray(vectors, dtype=np.float64)
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise BadModelOutput(
                f"{self._model} returned an embedding without a direction (zero, infinite or not a number).",
                CHOOSE_ANOTHER,
            )
        self._check_width(width)
        return np.pad((matrix / lengths).astype(np.float32), ((0, 0), (0, DIMENSIONS - width)))

    def _common_width(self, vectors: Sequence[Vector]) -> int:
        widths = {vector.shape for vector in vectors}
        if len(widths) != 1 or len(vectors[0].shape) != 1:
            lengths = ", ".join(sorted("x".join(map(str, width)) for width in widths))
            raise BadModelOutput(
                f"{self._model} returned embeddings of several lengths at once: {lengths}.", ASKED_FOR_ANOTHER
            )
        return int(vectors[0].size)

    def _check_width(self, width: int) -> None:
        if not 0 < width <= DIMENSIONS:
            raise BadModelOutput(
                f"{self._model} returned embeddings of {width} numbers; the index takes up to {DIMENSIONS} dimensions.",
                CHOOSE_ANOTHER,
            )
        if self._asked is not None and width != self._asked:
            raise BadModelOutput(
                f"{self._model} was asked for embeddings of {self._asked} numbers and returned {width}.",
                ASKED_FOR_ANOTHER,
            )
        if self._known != width:
            self._known = self._widths.learn_width(self._model, width)
        if self._known != width:
            raise BadModelOutput(
                f"Embeddings of {self._model} have {self._known} numbers, and {width} came back.", CHANGED
            )
