"""Changed clauses: by the tracked changes of evidence, and between two revisions. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from locator_search.contributions.analysis.edits import edits_between, edits_of
from locator_search.model import Evidence
from locator_search.ports.contributions.analyses import ChangedClause
from locator_search.text.cutting import sentences

Numbered = tuple[int, Evidence]
"""Evidence with its place in the analysis."""
_DIGITS = re.compile(r"\d+")


def tracked_changes(evidence: Sequence[Numbered]) -> tuple[ChangedClause, ...]:
    """The tracked insertions and deletions by contribution and clause, in the order of the clauses."""
    found: defaultdict[tuple[str, str], list[Numbered]] = defaultdict(list)
    for number, item in evidence:
        if item.changes:
            found[(item.contribution_number or "", item.clause_number or "")].append((number, item))
    return tuple(_tracked(found[key]) for key in sorted(found, key=lambda key: (key[0], clause_order(key[1]))))


def _tracked(pieces: Sequence[Numbered]) -> ChangedClause:
    ordered = in_reading_order(pieces)
    first = ordered[0][1]
    return ChangedClause(
        contribution_number=first.contribution_number or "",
        clause_number=first.clause_number,
        page_number=first.page_number,
        edits=tuple(dict.fromkeys(edit for _, item in ordered for edit in edits_of(item))),
        evidence=tuple(number for number, _ in ordered),
    )


def clauses_of(evidence: Sequence[Numbered]) -> Mapping[str, list[Numbered]]:
    """Evidence by clause, "" for what belongs to none; each in reading order."""
    found: defaultdict[str, list[Numbered]] = defaultdict(list)
    for number, item in evidence:
        found[item.clause_number or ""].append((number, item))
    return {clause: in_reading_order(pieces) for clause, pieces in found.items()}


def compared(older: Sequence[Numbered], newer: Sequence[Numbered]) -> tuple[ChangedClause, ...]:
    """The clauses that read otherwise in the newer revision, with the sentences it adds and drops."""
    before, after = clauses_of(older), clauses_of(newer)
    changed = (_between(before.get(clause, []), after.get(clause, [])) for clause in _all_clauses(before, after))
    return tuple(clause for clause in changed if clause.edits)


def _all_clauses(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return sorted({*before, *after}, key=clause_order)


def _between(before: Sequence[Numbered], after: Sequence[Numbered]) -> ChangedClause:
    shown = (after or before)[0][1]
    return ChangedClause(
        contribution_number=shown.contribution_number or "",
        clause_number=shown.clause_number,
        page_number=shown.page_number,
        edits=tuple(edits_between(_sentences_of(before), _sentences_of(after))),
        evidence=tuple(number for number, _ in (*before, *after)),
    )


def _sentences_of(pieces: Sequence[Numbered]) -> list[str]:
    """Each sentence once: strategies may repeat some at the beginning of a chunk."""
    return list(dict.fromkeys(" ".join(line.split()) for _, item in pieces for line in sentences(item.text)))


def in_reading_order(pieces: Sequence[Numbered]) -> list[Numbered]:
    """The pieces by page, then by the number at the end of their chunk ids."""
    return sorted(pieces, key=lambda piece: (piece[1].page_number or 0, _ordinal(piece[1].chunk_id or ""), piece[0]))


def _ordinal(chunk_id: str) -> int:
    tail = chunk_id.rpartition("#")[2]
    return int(tail) if tail.isdecimal() else 0


def clause_order(clause: str) -> list[tuple[int, int, str]]:
    """5.2 before 5.10, and both before A.1."""
    parts = re.split(r"[.\s]", clause)
    return [(0, int(match.group()), part) if (match := _DIGITS.match(part)) else (1, 0, part) for part in parts]
