"""How files spread over folders, months, types, keywords and owners, with exact counts.

A count is what the search finds with that value as its filter: a file whose name speaks of a year counts in each of
its months, and in the month of its last change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import Facet, FacetName, FacetValue

SQL = statements(__name__)

MOST_VALUES = 50
"""The most frequent values of a facet that are returned; the counts of these are exact."""

LONGEST_PERIOD_YEARS = 5
"""A file name that speaks of more years is counted in the months of the first ones."""

FACET_NAMES: tuple[FacetName, ...] = ("folder", "period", "type", "keyword", "owner")

Counted = Sequence[tuple[str, int]]


def facets_of(connection: Connection, file_ids: list[str] | None, time_zone: str) -> tuple[Facet, ...]:
    """The facets of some files, or of all; one that nobody has a value for is left out."""
    values = {
        "file_ids": file_ids,
        "facet_time_zone": time_zone,
        "longest_period": LONGEST_PERIOD_YEARS,
        "most_values": MOST_VALUES,
    }
    row: tuple[dict[str, Counted | None]] = connection.execute(SQL.counts, values, prepare=False).fetchone() or ({},)
    (counts,) = row
    found = {name: list(counts.get(name) or ()) for name in FACET_NAMES}
    found["folder"] = by_branching_folder(found["folder"])
    return tuple(
        Facet(name, tuple(FacetValue(value, label_of(name, value), count) for value, count in values[:MOST_VALUES]))
        for name, values in found.items()
        if values
    )


def by_branching_folder(folders: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Files counted by the first folder level that parts them, largest first.

    Files that lie above that level have no folder of their own to be narrowed to, and are not counted.
    """
    paths = [(tuple(path.split("/")), count) for path, count in folders]
    shared = _shared_levels([path for path, _ in paths])
    counts: Counter[str] = Counter()
    for path, count in paths:
        if len(path) > shared:
            counts["/".join(path[: shared + 1])] += count
    if not counts:
        counts.update({"/".join(path): count for path, count in paths})
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def label_of(name: FacetName, value: str) -> str:
    """The label that a person reads: of a folder its own name, every other value as it is."""
    return value.rpartition("/")[2] if name == "folder" else value


def _shared_levels(paths: Sequence[tuple[str, ...]]) -> int:
    shared = 0
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared += 1
    return shared
