"""Who ranks posts once more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Says how well each text answers a question. Scores of different rerankers cannot be compared."""

    name: str

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One value in [0, 1] per text, in their order. Raises LocatorError."""
        ...
