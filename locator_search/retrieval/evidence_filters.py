"""Search filters applied to evidence itself, for providers whose store cannot. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.model import Evidence, SearchFilters
from locator_search.text.clauses import lies_within

_FIELDS = {
    "meeting": "meetings",
    "contribution_number": "contribution_numbers",
    "clause_number": "clauses",
    "document_id": "file_ids",
}
"""Fields of Evidence, and the field of SearchFilters that limits each."""


def accepts(filters: SearchFilters, evidence: Evidence) -> bool:
    """Whether evidence passes. A `period` looks at the modification time alone: evidence knows no period of its own,
    no last editor and no drive."""
    modified = evidence.modified_at
    return (
        (filters.modified_after is None or modified >= filters.modified_after)
        and (filters.modified_before is None or modified < filters.modified_before)
        and (filters.period is None or filters.period.start <= modified.date() < filters.period.end)
        and _is_among(evidence.mime_type, filters.mime_types)
        and _lies_in(evidence.folder_path, filters.folders)
        and _is_among(evidence.owner, filters.owners)
        and not (filters.editors or filters.drives)
        and set(filters.keywords) <= set(evidence.keywords)
        and _is_among(evidence.file_id, filters.file_ids)
        and _is_among(evidence.meeting, filters.meetings)
        and _is_among(evidence.contribution_number, filters.contribution_numbers)
        and (not filters.clauses or any(lies_within(evidence.clause_number, clause) for clause in filters.clauses))
        and (not filters.changed or bool(evidence.changes))
    )


def filters_as_mapping(filters: SearchFilters) -> dict[str, list[str]]:
    """The filters by meeting, contribution, clause and document, by the names of the fields of Evidence."""
    return {name: list(getattr(filters, field)) for name, field in _FIELDS.items() if getattr(filters, field)}


def _is_among(value: str | None, wanted: Sequence[str]) -> bool:
    return not wanted or value in wanted


def _lies_in(folder: str, wanted: Sequence[str]) -> bool:
    return not wanted or any(f"{folder}/".startswith(f"{above.rstrip('/')}/") for above in wanted)
