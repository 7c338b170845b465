"""Looks again where the source does not confirm what was found, as if there were no such files: so that neither a count
nor a sentence hints at what somebody may not read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeVar

from locator_search.model import Evidence, SearchFilters
from locator_search.retrieval.grouping import files_of

Found = TypeVar("Found")

MOST_LOOKS = 3
"""Of a source that does not answer, nothing is confirmed however often it is asked."""


def confirmed(
    filters: SearchFilters, look: Callable[[SearchFilters], Found], left_out: Callable[[Found], Collection[str]]
) -> Found:
    """Look under these filters again, without the files that were `left_out` of the looks before, until none is left
    out; the last look where every one had to leave out some."""
    found = look(filters)
    closed: tuple[str, ...] = ()
    for _ in range(MOST_LOOKS - 1):
        more = left_out(found)
        if not more:
            break
        closed = (*closed, *sorted(more))
        found = look(replace(filters, but_not=(*filters.but_not, SearchFilters(file_ids=closed))))
    return found


def missing_of(found: Sequence[Evidence], shown: Sequence[Evidence]) -> set[str]:
    """The ids of the files that were found and are not shown."""
    return {item.file_id for item in files_of(found)} - {item.file_id for item in files_of(shown)}
