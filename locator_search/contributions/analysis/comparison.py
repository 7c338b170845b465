"""Several contributions beside each other, clause by clause: what each changes, claims and says there. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.analysis.revisions import clause_order
from locator_search.contributions.analysis.subjects import Subject, subject_of
from locator_search.ports.contributions.analyses import Analysis
from locator_search.ports.sheets import SheetTable

LONGEST_SAID = 300
"""Characters of a passage that is neither changed nor claimed anything of."""


def comparison_table(analysis: Analysis, say: Sentences) -> SheetTable | None:
    """A row for each clause found, a column for each contribution; None where nothing is compared.

    A cell has the changes and the supported claims with the numbers of their evidence, else the beginning of the
    passage; it is empty where nothing was found.
    """
    if analysis.kind != "comparison":
        return None
    subjects = [subject_of(one) for one in analysis.contribution_ids]
    clauses = sorted({one.clause_number for one in analysis.evidence if one.clause_number}, key=clause_order)
    return SheetTable(
        columns=(say.clause_column, *analysis.contribution_ids),
        rows=tuple((clause, *(_cell(analysis, subject, clause, say) for subject in subjects)) for clause in clauses),
    )


def _cell(analysis: Analysis, subject: Subject, clause: str, say: Sentences) -> str:
    places = [
        number for number, item in enumerate(analysis.evidence) if item.clause_number == clause and subject.holds(item)
    ]
    told = [*_changes(analysis, places, say), *_claims(analysis, subject, places)]
    if not told and places:
        told = [f"{' '.join(analysis.evidence[places[0]].text.split())[:LONGEST_SAID]} [{places[0] + 1}]"]
    return "\n".join(told)


def _changes(analysis: Analysis, places: Sequence[int], say: Sentences) -> Iterator[str]:
    for change in analysis.changes:
        cited = [place for place in change.evidence if place in places]
        for edit in change.edits if cited else ():
            before, after = (say.before, say.after) if edit.before and edit.after else (say.deleted, say.inserted)
            words = [f"{before}{edit.before}"] * bool(edit.before) + [f"{after}{edit.after}"] * bool(edit.after)
            yield "\n".join(words) + f" {_numbers(cited)}"


def _claims(analysis: Analysis, subject: Subject, places: Sequence[int]) -> Iterator[str]:
    for claim in analysis.claims:
        cited = list(dict.fromkeys(one.evidence for one in claim.citations if one.evidence in places))
        if cited and claim.supported and claim.aspect != "changes":
            yield f"{claim.text.removeprefix(f'{subject.label}: ')} {_numbers(cited)}"  # the column names it


def _numbers(places: Sequence[int]) -> str:
    return "".join(f"[{place + 1}]" for place in places)
