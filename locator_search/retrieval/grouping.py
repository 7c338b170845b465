"""Puts versions and copies of one document together, so that each document takes one place among the results. Pure.

Two files are the same document in one of three ways, and each needs its proof:

- **copy**: the same bytes, wherever they lie and whatever they are called;
- **version**: in the same place under the same title, with different version marks (v1 and v2, 案 and 最終版), and the
  longer text holds at least VERSION_OVERLAP of the shorter one;
- **near copy**: in the same place under the same title, told apart by a mark of a copy or by the file type, and at
  least NEAR_COPY of both texts is the same.

Everything else is another document, however alike the texts are: a monthly report of another month, the minutes of
another meeting, the same form filled in for another customer. Figures: docs/decisions/0050.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from locator_search.model import Evidence, GroupKind, GroupMember
from locator_search.ports.versions import TermCounts
from locator_search.retrieval.likeness import NO_TERMS, ComparedTexts, Likeness
from locator_search.retrieval.version_names import (
    VersionName,
    place,
    stage_of_folders,
    version_name,
    without_dates,
    without_suffix,
)

VERSION_OVERLAP = 0.6
"""Documents grow from version to version, so what counts is how much of the shorter text the longer one holds."""

NEAR_COPY = 0.85
SAME_TEXT = 0.999
"""The likeness that two files of one name in one place need to count as copies, where no mark tells them apart."""


class Relation(NamedTuple):
    """In which way two files are the same document. `overlap` is the share of the shorter text in the longer one."""

    kind: GroupKind
    overlap: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    """`whereabouts` is what two versions of one document share: place and title."""

    evidence: Evidence
    content_hash: str
    name: VersionName
    suffix: str
    stage: int
    whereabouts: tuple[object, ...]
    dates: tuple[str, ...] = ()


def to_compare(evidence: Sequence[Evidence], content_hashes: Mapping[str, str]) -> list[str]:
    """The ids of the files whose terms decide: those that may be another version of one of the others."""
    alike: dict[tuple[object, ...], list[_Candidate]] = defaultdict(list)
    for candidate in _candidates(evidence, content_hashes):
        alike[candidate.whereabouts].append(candidate)
    return [
        candidate.evidence.file_id
        for group in alike.values()
        if len({candidate.content_hash for candidate in group}) > 1
        for candidate in group
    ]


def grouped(
    evidence: Sequence[Evidence],
    content_hashes: Mapping[str, str],
    terms: Mapping[str, TermCounts],
    question: str = "",
) -> tuple[Evidence, ...]:
    """The evidence with versions and copies folded into the one that is shown, which takes the best place of them.

    `terms` are those of the files that `to_compare` names. Every folded file is the same document as the one shown, by
    a proof of its own; no chain of likenesses. Shown is the version the question names, else the furthest one: final
    before numbered before draft before superseded, then the higher number, then the newer. Of several files with that
    text it is the original before its copies, then the more relevant one.
    """
    wanted = version_name(question)
    if not evidence:
        return ()
    texts = ComparedTexts({item.file_id: terms.get(item.file_id, NO_TERMS) for item in evidence})
    waiting = _candidates(evidence, content_hashes)
    shown: list[Evidence] = []
    while waiting:
        best = waiting[0]
        alike = _related(best, waiting, texts)
        leader = _shown_of([best, *(other for other, _ in alike)], wanted)
        if leader is not best:
            alike = _related(leader, [best, *(other for other, _ in alike)], texts)
        members = {other.evidence.file_id: GroupMember(other.evidence, *relation) for other, relation in alike}
        waiting = [one for one in waiting if one is not leader and one.evidence.file_id not in members]
        shown.append(replace(leader.evidence, group=tuple(members.values())) if members else leader.evidence)
    return tuple(shown)


def left_of(shown: Evidence, checked: Mapping[str, Evidence]) -> tuple[Evidence, ...]:
    """The rest of a group when only the `checked` files may be shown; without the file that proved it, each stands for
    itself."""
    members = tuple(
        replace(member, evidence=checked[member.evidence.file_id])
        for member in shown.group
        if member.evidence.file_id in checked
    )
    if shown.file_id in checked:
        return (replace(checked[shown.file_id], group=members),)
    return tuple(member.evidence for member in members)


def files_of(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Every file these results stand for: those shown, then those folded under them."""
    return (*evidence, *(member.evidence for item in evidence for member in item.group))


def group_kind(members: Sequence[GroupMember]) -> GroupKind:
    """One word for a whole group: that of its members which differ most from the file shown."""
    kinds = {member.kind for member in members}
    return "version" if "version" in kinds else "near_copy" if "near_copy" in kinds else "copy"


def _candidates(evidence: Sequence[Evidence], content_hashes: Mapping[str, str]) -> list[_Candidate]:
    every = [_candidate(item, content_hashes.get(item.file_id, item.file_id)) for item in evidence]
    # Dates are slow to read and tell something only beside a version mark.
    with_marks = {candidate.whereabouts[0] for candidate in every if candidate.name.marks}
    return [_dated(candidate) if candidate.whereabouts[0] in with_marks else candidate for candidate in every]


def _candidate(evidence: Evidence, content_hash: str) -> _Candidate:
    stem, suffix = without_suffix(evidence.file_name)
    name = version_name(stem)
    stage = name.stage or stage_of_folders(evidence.folder_path)
    return _Candidate(evidence, content_hash, name, suffix, stage, (place(evidence.folder_path), name.title))


def _dated(candidate: _Candidate) -> _Candidate:
    title, dates = without_dates(candidate.name.title)
    return replace(candidate, whereabouts=(candidate.whereabouts[0], title), dates=dates)


def _related(one: _Candidate, others: Sequence[_Candidate], texts: ComparedTexts) -> list[tuple[_Candidate, Relation]]:
    """Those of the others that are the same document, in their order."""
    copies = {id(other) for other in others if other.content_hash == one.content_hash}
    namesakes = [other for other in others if other.whereabouts == one.whereabouts and id(other) not in copies]
    compared = texts.likeness(one.evidence.file_id, [other.evidence.file_id for other in namesakes])
    found = dict.fromkeys(copies, Relation("copy", 1.0))
    for other, alike in zip(namesakes, compared, strict=True):
        if kind := _kind(one, other, alike):
            found[id(other)] = Relation(kind, alike.overlap)
    return [(other, found[id(other)]) for other in others if other is not one and id(other) in found]


def _kind(one: _Candidate, other: _Candidate, alike: Likeness) -> GroupKind | None:
    """The relation of two files under one title in one place."""
    if one.dates != other.dates:
        # 提案書_2024-09 and 提案書_最終版: there the date is a version mark itself. Two dates are two documents.
        undated = other if one.dates else one
        stamped = not undated.dates and undated.name.marks
        return "version" if stamped and alike.resemblance >= NEAR_COPY else None
    if one.name.marks != other.name.marks or one.stage != other.stage:
        return "version" if alike.overlap >= VERSION_OVERLAP else None
    told_apart = one.name.copies != other.name.copies or one.suffix != other.suffix
    return "near_copy" if alike.resemblance >= (NEAR_COPY if told_apart else SAME_TEXT) else None


def _shown_of(alike: Sequence[_Candidate], wanted: VersionName) -> _Candidate:
    """The furthest text, and of the files that hold it the original; the more relevant where nothing else decides."""
    furthest = max(
        alike,
        key=lambda one: (_named(one, wanted), one.stage, one.name.number, one.evidence.modified_at),
    )
    same_text = [one for one in alike if one.content_hash == furthest.content_hash]
    return max(same_text, key=lambda one: (_named(one, wanted), one.stage, not one.name.copies))


def _named(candidate: _Candidate, wanted: VersionName) -> int:
    """How many version marks of the question the candidate bears."""
    name = candidate.name
    return sum(
        (
            bool(wanted.number) and name.number[: len(wanted.number)] == wanted.number,
            wanted.stage != 0 and candidate.stage == wanted.stage,
            bool(wanted.copies) and bool(name.copies),
        )
    )
