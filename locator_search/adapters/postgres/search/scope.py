"""The scope of a search: which files, and which of their chunks, may be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from locator_search.adapters.postgres.search.side_by_side import by_index
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean, clean_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import JsonValue, RetrievalQuery, SearchFilters
from locator_search.retrieval.metadata_filters import jsonpath_of
from locator_search.text.clauses import clause_above
from locator_search.text.dates.periods import FAR_LONGER, MUCH_LONGER
from locator_search.text.variants.spellings import spellings_to_keep

SQL = statements(__name__)

Place = tuple[str, int]
"""File id, ordinal of the chunk (-1 for the file's own vector)."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The ids of the files that pass, as PostgreSQL writes them, to go back as they came, and so those of the chunks
    where not all of them pass; how many files that are, of so many `files` in all. `passing` are the same ids, None
    where they are not listed one by one, and `first` a few of them. None of this where every file passes."""

    passing: Sequence[str] | None = None
    number: int = 0
    files: int = 0
    written_files: str | None = None
    written_chunks: str | None = None
    first: Sequence[str] = ()
    reader: Sequence[str] | None = None
    """In place of the ids, where nothing but these principals limits a search."""

    @property
    def limits(self) -> bool:
        """Whether anything does not pass."""
        return self.number < self.files or self.written_chunks is not None

    @property
    def share(self) -> float:
        """The part of all files that pass, about."""
        return 1.0 if self.written_files is None else min(1.0, self.number / max(1, self.files))

    @property
    def values(self) -> dict[str, object]:
        """For statements that look at this scope."""
        return {"passing": self.written_files, "passing_chunks": self.written_chunks, "reader": self.reader}


EVERYTHING = Scope()

READABLE = 40
"""Files of a reader in which terms are looked for first: of those that one chunk in ten holds, 98 in 100 are there."""


def scope_of(connection: Connection, query: RetrievalQuery, time_zone: str, reader: list[str] | None = None) -> Scope:
    """The files and chunks that pass the filters of a question, and that the `reader` may read. `time_zone` says when
    the days of a period begin."""
    filters, left_out = query.filters, _spelled_otherwise(connection, query) if query.matching.off else []
    for other in filters.but_not:
        among = replace(other, file_ids=other.file_ids or filters.file_ids)
        left_out = [*left_out, *(_scope(connection, values_of(among, time_zone)).passing or ())]
    if filters == SearchFilters() and not left_out and reader is None:
        return EVERYTHING
    more = {"left_out": left_out or None, "for_chunks": query.unit == "chunk", "reader": reader}
    return _scope(connection, values_of(filters, time_zone) | more)


def scope_with(connection: Connection, metadata: Mapping[str, JsonValue]) -> Scope:
    """The files whose metadata passes a filter (`retrieval.metadata_filters`)."""
    if not metadata:
        return EVERYTHING
    return _scope(connection, values_of(SearchFilters(), "UTC") | {"metadata": jsonpath_of(clean_json(metadata))})


def _scope(connection: Connection, values: Mapping[str, object]) -> Scope:
    # Not prepared: with its values known, the conditions that limit nothing leave the plan.
    [row] = connection.execute(SQL.passing, values, prepare=False, binary=True).fetchall()
    passing, files, written_files, written_chunks = row
    return Scope(passing, len(passing), files, written_files, written_chunks, passing[:READABLE])


def trimmed_to(connection: Connection, reader: list[str] | None) -> list[str] | None:
    """The reader that a search is trimmed to; None where nothing is. To list all files would say the same, and take
    longer."""
    if reader is None:
        return None
    [[is_whole]] = connection.execute(SQL.is_read_whole, {"reader": reader}, prepare=False).fetchall()
    return None if is_whole else reader


def readable_by(connection: Connection, reader: list[str]) -> Scope:
    """The scope of a reader that nothing else limits, which is to be one that `trimmed_to` names. Files that are not
    indexed are counted, too: to look for them takes longer than all the rest."""
    values = {"reader": reader, "most": READABLE}
    [row] = connection.execute(SQL.readable, values, prepare=False, binary=True).fetchall()
    return Scope(None, *row)


def limits_nothing(query: RetrievalQuery) -> bool:
    """Whether a question itself limits nothing, so that its scope is that of its reader."""
    return query.filters == SearchFilters() and not query.matching.off


def values_of(filters: SearchFilters, time_zone: str) -> dict[str, object]:
    """Filters as the values of statements; None limits nothing."""
    period = filters.period
    clauses = [clean(clause) for clause in filters.clauses]
    longer = FAR_LONGER if filters.period_by == "any" else MUCH_LONGER
    return {
        "modified_after": filters.modified_after,
        "modified_before": filters.modified_before,
        "period_start": period and period.start,
        "period_end": period and period.end,
        "longest_period": longer * (period.end - period.start).days if period else 0,
        "by_change": filters.period_by != "stated",
        "time_zone": time_zone,
        "mime_types": _cleaned(filters.mime_types),
        "folders": [clean(folder).rstrip("/") + "/" for folder in filters.folders] or None,
        "owners": _cleaned(filters.owners),
        "editors": _cleaned(filters.editors),
        "drives": _cleaned(filters.drives),
        "keywords": _cleaned(filters.keywords),
        "names": _cleaned(filters.names),
        "file_ids": _cleaned(filters.file_ids),
        "meetings": _cleaned(filters.meetings),
        "contribution_numbers": _cleaned(filters.contribution_numbers),
        "metadata": None,
        "left_out": None,
        "reader": None,
        "clauses": clauses or None,
        "clauses_above": [f"{clean(clause_above(clause))}." for clause in filters.clauses],
        "changed": filters.changed,
        "of_chunks": bool(clauses or filters.changed),
        "for_chunks": True,
    }


def _cleaned(texts: Sequence[str]) -> list[str] | None:
    return [clean(text) for text in texts] or None


def _spelled_otherwise(connection: Connection, query: RetrievalQuery) -> list[str]:
    """Files that hold a word of the question in another spelling only, where a folding rule is switched off. None while
    every rule is on, which costs nothing."""
    found: set[str] = set()
    for spelling in spellings_to_keep(clean(" ".join((query.query, *query.keywords))), query.matching.off):
        values = {
            "terms": list(spelling.terms),
            "in_any_form": spelling.in_any_form,
            "as_written": spelling.as_written,
        }
        with by_index(connection):
            found.update(row[0] for row in connection.execute(SQL.spelled_otherwise, values, prepare=False).fetchall())
    return sorted(found)


def key_of(place: Place) -> str:
    """The id of a chunk."""
    return f"{place[0]}#{place[1]}"


def place_of(chunk_id: str) -> Place:
    """The file and the ordinal of a chunk."""
    file_id, _, ordinal = chunk_id.rpartition("#")
    return file_id, int(ordinal)
