"""The subjects of an analysis: contributions as people name them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from locator_search.contributions.numbers import contribution_number
from locator_search.model import Evidence, SearchFilters


@dataclass(frozen=True, slots=True)
class Subject:
    """One contribution, or one document of it. `label` is its number, as it is shown and told to the model."""

    contribution_id: str
    label: str
    filters: SearchFilters

    def within(self, *, clause: str | None = None, changed: bool = False) -> SearchFilters:
        """The filters of this subject, narrowed to a clause or to what was changed."""
        return replace(self.filters, clauses=(clause,) if clause else (), changed=changed)

    def holds(self, evidence: Evidence) -> bool:
        """Whether evidence is of this subject."""
        filters = self.filters
        return (
            (not filters.file_ids or evidence.document_id in filters.file_ids)
            and (not filters.meetings or evidence.meeting in filters.meetings)
            and (not filters.contribution_numbers or evidence.contribution_number in filters.contribution_numbers)
        )


def subject_of(contribution_id: str) -> Subject:
    """The subject a person names: `S1-254001`, `SA1#111/S1-254001` (of one meeting), or a document id, which goes on
    after that. A number is put into the spelling contributions are kept under."""
    named = contribution_id.strip()
    meeting, _, rest = named.partition("/")
    number, _, source_file = rest.partition("/")
    if source_file:
        return Subject(named, number, SearchFilters(file_ids=(named,)))
    label = _spelled(number or meeting)
    filters = SearchFilters(contribution_numbers=(label,), meetings=(meeting,) if number else ())
    return Subject(named, label, filters)


def _spelled(number: str) -> str:
    found = contribution_number(number)
    return str(found) if found is not None and len(str(found)) == len(number) else number
