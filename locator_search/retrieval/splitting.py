"""How well a question with choices parts many hits. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_CHOICES = 6
FEW = 10
"""Hits that are shown without another question."""


def expected_questions(counts: Sequence[int], hit_count: int) -> float:
    """Questions that are still to be asked after this one, for somebody who looks for one of the hits, each as likely
    as the other: of those that a choice leaves, and of the rest that no choice holds."""
    parts = [*counts, max(0, hit_count - sum(counts))]
    return sum(count * _questions(count) for count in parts) / max(1, sum(parts))


def _questions(hits: int) -> float:
    """Each question leaves about one part in MOST_CHOICES."""
    return 0.0 if hits <= FEW else 1 + math.log(hits / FEW, MOST_CHOICES)
