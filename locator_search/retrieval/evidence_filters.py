"""Search filters applied to evidence itself, for providers whose store cannot. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from locator_search.core.errors import ConfigurationError
from locator_search.model import Evidence, SearchFilters
from locator_search.text.clauses import lies_within

SIMPLE_FILTERS = {
    "meeting": "meetings",
    "contribution_number": "contribution_numbers",
    "clause_number": "clauses",
    "clause": "clauses",
    "document_id": "file_ids",
}
"""Filters by the name of the field of Evidence they look at, and the field of SearchFilters that says the same."""


def accepts(filters: SearchFilters, evidence: Evidence) -> bool:
    """Whether evidence passes. A `period` looks at the modification time alone: evidence knows no period of its own."""
    modified = evidence.modified_at
    return (
        (filters.modified_after is None or modified >= filters.modified_after)
        and (filters.modified_before is None or modified < filters.modified_before)
        and (filters.period is None or filters.period.start <= modified.date() < filters.period.end)
        and _is_among(evidence.mime_type, filters.mime_types)
        and _lies_in(evidence.folder_path, filters.folders)
        and _is_among(evidence.owner, filters.owners)
        and set(filters.keywords) <= set(evidence.keywords)
        and _is_among(evidence.file_id, filters.file_ids)
        and _is_among(evidence.meeting, filters.meetings)
        and _is_among(evidence.contribution_number, filters.contribution_numbers)
        and (not filters.clauses or any(lies_within(evidence.clause_number, clause) for clause in filters.clauses))
        and (not filters.changed or bool(evidence.changes))
    )


def filters_from_mapping(written: Mapping[str, object] | None) -> SearchFilters:
    """Filters written as `{"meeting": "SA1#111"}`; a list holds alternatives, None means no limit.

    Raises ConfigurationError for a name that is no filter.
    """
    values: dict[str, tuple[str, ...]] = {}
    for name, value in (written or {}).items():
        if name not in SIMPLE_FILTERS:
            raise ConfigurationError(
                f"There is no filter called {name!r}.", hint=f"Filters are: {', '.join(sorted(SIMPLE_FILTERS))}."
            )
        if value is not None:
            several = value if isinstance(value, list | tuple | set | frozenset) else [value]
            values[SIMPLE_FILTERS[name]] = tuple(str(one) for one in several)
    return SearchFilters(**values)  # type: ignore[arg-type]  # every name is a field of texts


def filters_as_mapping(filters: SearchFilters) -> dict[str, list[str]]:
    """The filters by meeting, contribution, clause and document as `filters_from_mapping` reads them."""
    names = {field: name for name, field in SIMPLE_FILTERS.items() if name != "clause"}
    return {name: list(getattr(filters, field)) for field, name in names.items() if getattr(filters, field)}


def _is_among(value: str | None, wanted: Sequence[str]) -> bool:
    return not wanted or value in wanted


def _lies_in(folder: str, wanted: Sequence[str]) -> bool:
    return not wanted or any(f"{folder}/".startswith(f"{above.rstrip('/')}/") for above in wanted)
