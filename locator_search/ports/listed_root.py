"""The listing of one source root."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.model import SourceRoot


@dataclass(frozen=True, slots=True)
class ListedRoot:
    """How the listing of one root went: the files it showed and the folders it could not look into.

    A root that could not be listed itself has a `problem`, in a sentence.
    """

    root: SourceRoot
    files: int = 0
    unlisted: tuple[str, ...] = ()
    problem: str = ""
