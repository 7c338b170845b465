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
    """The ids of the files that pass, of so many `files` in all; None where every file does. They are kept as
    PostgreSQL writes them, too, to go back as they came, and so are the ids of chunks where not all of them pass."""

    passing: Sequence[str] | None = None
    files: int = 0
    written_files: str | None = None
    written_chunks: str | None = None

    @property
    def limits(self) -> bool:
        """Whether anything does not pass."""
        return self.passing is not None and (len(self.passing) < self.files or self.written_chunks is not None)

    @property
    def values(self) -> dict[str, object]:
        """For statements that look at this scope."""
        return {"passing": self.written_files, "passing_chunks": self.written_chunks}


EVERYTHING = Scope()


def scope_of(connection: Connection, query: RetrievalQuery, time_zone: str, reader: list[str] | None = None) -> Scope:
    """The files and chunks that pass the filters of a question, and that the `reader` may read. `time_zone` says when
    the days of a period begin."""
    if reader is not None and _is_read_whole(connection, reader):
        reader = None
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
    return Scope(*connection.execute(SQL.passing, values, prepare=False, binary=True).fetchall()[0])


def _is_read_whole(connection: Connection, reader: list[str]) -> bool:
    """Whether nothing is trimmed for this reader; to list all files would say the same, and take longer."""
    [[is_whole]] = connection.execute(SQL.is_read_whole, {"reader": reader}, prepare=False).fetchall()
    return bool(is_whole)


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
