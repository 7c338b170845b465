"""Claims over passages that are known to be true or false, from two generators that share nothing."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.model import Evidence


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with its quotes, one for each of its passages; `kind` names the way it is true or false."""

    kind: str
    claim: str
    quotes: tuple[str, ...]
    passages: tuple[Evidence, ...]
