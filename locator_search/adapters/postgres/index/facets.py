"""How documents spread over folders, parts of names, months, types, keywords, people and drives, with exact counts.

A count is what the search finds with that value as its filter, in documents: one with copies in two folders counts in
both. A file counts in the months it states, or else in that of its last change; one that states a year counts in none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import Facet, FacetName, FacetValue
from locator_search.retrieval.splitting import MOST_CHOICES, expected_questions
from locator_search.text.dates.periods import MUCH_LONGER
from locator_search.text.terms import analyse

SQL = statements(__name__)

MOST_VALUES = 50
"""The most frequent values of a facet that are returned; the counts of these are exact."""

BOILERPLATE = 0.2
"""The share of all chunks that hold a keyword from which it is no topic of some files."""

SMALL_INDEX = 200
"""Chunks. In fewer of them every topic is in much of the index."""

FACET_NAMES: tuple[FacetName, ...] = ("folder", "name", "period", "type", "keyword", "owner", "editor", "drive")

Counted = Sequence[tuple[str, int]]


def facets_of(
    connection: Connection,
    file_ids: list[str] | None,
    documents: list[str] | None,
    time_zone: str,
    reader: list[str] | None = None,
) -> tuple[Facet, ...]:
    """The facets of some files, of each with its document, or of all that the `reader` may read; one that nobody has a
    value for is left out."""
    numbers = {document: number for number, document in enumerate(documents or ())}
    values = {
        "file_ids": file_ids,
        "documents": [numbers[document] for document in documents or ()],
        "reader": reader,
        "facet_time_zone": time_zone,
        "much_longer": MUCH_LONGER,
        "most_values": MOST_VALUES,
    }
    row: tuple[dict[str, Counted | None]] = connection.execute(SQL.counts, values, prepare=False).fetchone() or ({},)
    (counts,) = row
    found = {name: list(counts.get(name) or ()) for name in FACET_NAMES}
    found["folder"] = by_best_level(found["folder"])
    found["keyword"] = _without_boilerplate(connection, found["keyword"])
    return tuple(
        Facet(name, tuple(FacetValue(value, label_of(name, value), count) for value, count in values[:MOST_VALUES]))
        for name, values in found.items()
        if values
    )


def by_best_level(folders: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Of documents counted in every folder above them, those of the level that parts them best, the upper one of two
    that do so equally; largest first.

    Documents that lie above that level have no folder of their own to be narrowed to, and are not counted.
    """
    by_level: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for path, count in sorted(folders, key=lambda item: (-item[1], item[0])):
        by_level[path.count("/")].append((path, count))
    levels = [by_level[level] for level in sorted(by_level)]
    hit_count = sum(count for _, count in levels[0]) if levels else 0
    parting = [counted for counted in levels if len(counted) > 1] or levels[-1:]
    return min(
        parting,
        key=lambda counted: round(expected_questions([n for _, n in counted[:MOST_CHOICES]], hit_count), 1),
        default=[],
    )


def _without_boilerplate(connection: Connection, keywords: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Without the keywords whose every word is in much of the whole index: they stand on every form."""
    terms = {keyword: analyse(keyword).terms for keyword, _ in keywords}
    asked = {"terms": [term for own in terms.values() for term in own]}
    rows = connection.execute(SQL.spread, asked, prepare=False).fetchall()
    spread = {term: held / chunks for term, held, chunks in rows}
    small = any(chunks < SMALL_INDEX for _, _, chunks in rows)
    return [
        (keyword, count)
        for keyword, count in keywords
        if small or min((spread.get(term, 0.0) for term in terms[keyword]), default=0.0) <= BOILERPLATE
    ]


def label_of(name: FacetName, value: str) -> str:
    """The label that a person reads: of a folder its own name, every other value as it is."""
    return value.rpartition("/")[2] if name == "folder" else value
