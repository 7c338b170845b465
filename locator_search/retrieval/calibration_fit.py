"""From measured cosines to the calibration of an index. Pure.

The anchors are quantiles of three kinds of measured cosines, each from questions made of the index's own texts:

    of a question and a chunk that has nothing to do with it     half of them    0.00
                                                                 19 in 20        0.20
    of a question and the file it was made from                  half of them    0.70
                                                                 3 in 4          0.82
                                                                 19 in 20        0.95

0.60 is where a search gives up. It lies two thirds of the way from what 19 in 20 questions without an answer stay below
to what half of those with one reach: both are steady from one sample to the next, and human questions on either side
are told apart best there (docs/decisions/0007). What lies between two anchors is on the line between them: 0.75 too.

Where what is wrong comes as near as half of what is right, no threshold means anything, and there is no calibration.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locator_search.core.errors import LocatorError
from locator_search.retrieval.calibration import Anchor, Calibration

GIVING_UP = 2 / 3
"""Where 0.60 lies between questions without and with an answer."""

SMALLEST_RISE = 0.002
"""Cosine between two anchors; those of a model may all lie between 0.77 and 0.91."""


class NotToldApart(LocatorError):  # noqa: N818 - named like the errors it belongs to
    """Wrong chunks come as near (`by_chance`, a cosine) as half of the right ones (`right`), or nearly."""

    def __init__(self, by_chance: float, right: float) -> None:
        super().__init__(
            f"Right answers are not told from wrong ones: half of them reach a cosine of {right:.3f} at most, and one "
            f"wrong one in twenty reaches {by_chance:.3f}."
        )
        self.by_chance = by_chance
        self.right = right


def fitted(unrelated: Sequence[float], unanswerable: Sequence[float], answerable: Sequence[float]) -> Calibration:
    """The calibration for measured cosines, at least one of each kind. Raises NotToldApart."""
    by_chance = max(_quantile(unanswerable, 0.95), _quantile(unrelated, 0.95))
    right = _quantile(answerable, 0.50)
    if (1 - GIVING_UP) * (right - by_chance) < SMALLEST_RISE:
        raise NotToldApart(by_chance, right)
    wanted = [
        (_quantile(unrelated, 0.50), 0.0),
        (_quantile(unrelated, 0.95), 0.20),
        (by_chance + GIVING_UP * (right - by_chance), 0.60),
        (right, 0.70),
        (_quantile(answerable, 0.75), 0.82),
        (_quantile(answerable, 0.95), 0.95),
        (1.0, 1.0),
    ]
    return Calibration(_rising(wanted))


def _quantile(cosines: Sequence[float], share: float) -> float:
    return float(np.quantile(cosines, share))


def _rising(wanted: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """Each anchor at least a little above the one before it."""
    anchors: list[Anchor] = []
    for raw, similarity in wanted:
        lowest = anchors[-1][0] + SMALLEST_RISE if anchors else raw
        anchors.append((round(max(raw, lowest), 4), similarity))
    return tuple(anchors)
