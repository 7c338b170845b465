"""How files spread over folders, months, types, keywords and owners, with exact counts.

A count is what the search finds with that value as its filter: a file whose name speaks of a year counts in each of
its months, and in the month of its last change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from locator_search.adapters.postgres.server.database import Connection
from locator_search.model import Facet, FacetName, FacetValue

MOST_VALUES = 50
"""The most frequent values of a facet that are returned; the counts of these are exact."""

LONGEST_PERIOD_YEARS = 5
"""A file name that speaks of more years is counted in the months of the first ones."""

# Without the vectors: the rows are kept while they are counted five ways.
FACET_COUNTS = """
WITH faceted AS MATERIALIZED (
    SELECT file_id, folder_path, drive_modified_at, document_period, mime_type, keywords, owner
    FROM drive_file_index WHERE %(file_ids)s::text[] IS NULL OR file_id = ANY(%(file_ids)s)
)
SELECT jsonb_build_object(
    'folder', (SELECT jsonb_agg(jsonb_build_array(value, n)) FROM (
        SELECT folder_path AS value, count(*) AS n FROM faceted WHERE folder_path <> '' GROUP BY 1) folders),
    'period', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value DESC) FROM (
        SELECT to_char(month, 'YYYY-MM') AS value, count(*) AS n FROM faceted CROSS JOIN LATERAL (
            SELECT date_trunc('month', drive_modified_at AT TIME ZONE %(facet_time_zone)s::text) AS month
            UNION
            SELECT generate_series(
                date_trunc('month', lower(document_period)::timestamp),
                LEAST(upper(document_period)::timestamp - interval '1 day',
                      lower(document_period)::timestamp + make_interval(years => %(longest_period)s)),
                '1 month')
        ) AS months GROUP BY 1) periods),
    'type', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT mime_type AS value, count(*) AS n FROM faceted GROUP BY 1) types),
    'keyword', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT value, count(DISTINCT file_id) AS n FROM faceted, unnest(keywords) AS value GROUP BY 1
        ORDER BY 2 DESC, 1 LIMIT %(most_values)s) keywords),
    'owner', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT owner AS value, count(*) AS n FROM faceted WHERE owner IS NOT NULL GROUP BY 1) owners)
)
"""
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
    row: tuple[dict[str, Counted | None]] = connection.execute(FACET_COUNTS, values, prepare=False).fetchone() or ({},)
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
    """What a person reads: of a folder its own name, everything else as it is."""
    return value.rpartition("/")[2] if name == "folder" else value


def _shared_levels(paths: Sequence[tuple[str, ...]]) -> int:
    shared = 0
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared += 1
    return shared
