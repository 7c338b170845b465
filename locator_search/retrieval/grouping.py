"""Puts the files of one document together, so that each document takes one place among the results.

Which files are one document the index knows (`same_document.py`); here it is decided which of them is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from locator_search.model import Evidence, GroupKind, GroupMember
from locator_search.ports.versions import DocumentKeys, TermCounts, VersionReader
from locator_search.retrieval.same_document import NO_TERMS, ComparedTexts
from locator_search.retrieval.version_names import NamedFile, VersionName, version_name


@dataclass(frozen=True, slots=True)
class _File:
    evidence: Evidence
    text: str
    name: NamedFile

    @property
    def is_copy(self) -> bool:
        return bool(self.name.copies)


def folded(evidence: Sequence[Evidence], versions: VersionReader, question: str) -> tuple[Evidence, ...]:
    """The evidence with one place for each document, best first; the others are in its `group`. Raises StoreError."""
    keys = versions.keys([item.file_id for item in evidence])
    suspects = to_compare(evidence, keys)
    terms = versions.term_counts(suspects) if suspects else {}
    return grouped(evidence, keys, terms, question)


def to_compare(evidence: Sequence[Evidence], keys: Mapping[str, DocumentKeys]) -> list[str]:
    """The ids of the files whose terms say how much versions have in common."""
    texts: dict[str, set[str]] = defaultdict(set)
    for known in keys.values():
        texts[known.document].add(known.text)
    return [item.file_id for item in evidence if (own := keys.get(item.file_id)) and len(texts[own.document]) > 1]


def grouped(
    evidence: Sequence[Evidence],
    keys: Mapping[str, DocumentKeys],
    terms: Mapping[str, TermCounts],
    question: str = "",
) -> tuple[Evidence, ...]:
    """The evidence with versions and copies folded into the one that is shown, which takes the best place of them.

    `keys` are those of the files that are not documents of their own, `terms` those of the files that `to_compare`
    names. Shown is the version the question names, else the furthest one: final before numbered before draft before
    superseded, then the higher number, then the newer. Of the files with that text it is the original: not in a folder
    of superseded ones or of copies, not named a copy, then the oldest, then the more relevant one.
    """
    if not evidence:
        return ()
    wanted = version_name(question)
    documents: dict[str, list[_File]] = defaultdict(list)
    for item in evidence:
        own = keys.get(item.file_id, DocumentKeys(item.file_id, item.file_id))
        documents[own.document].append(_File(item, own.text, NamedFile.of(item.file_name, item.folder_path)))
    return tuple(_folded(files, terms, wanted) for files in documents.values())


def _folded(files: Sequence[_File], terms: Mapping[str, TermCounts], wanted: VersionName) -> Evidence:
    shown = _shown_of(files, wanted)
    copies = [file for file in files if file is not shown and file.text == shown.text]
    # The next original comes forward where the one shown is gone.
    others = [*sorted(copies, key=_originality, reverse=True), *(file for file in files if file.text != shown.text)]
    if not others:
        return shown.evidence
    texts = ComparedTexts({one.evidence.file_id: terms.get(one.evidence.file_id, NO_TERMS) for one in files})
    alike = texts.likeness(shown.evidence.file_id, [other.evidence.file_id for other in others])
    members = (
        GroupMember(other.evidence, _kind(shown, other), 1.0 if other.text == shown.text else each.overlap)
        for other, each in zip(others, alike, strict=True)
    )
    return replace(shown.evidence, group=tuple(members))


def left_of(shown: Evidence, checked: Mapping[str, Evidence]) -> tuple[Evidence, ...]:
    """The rest of a group when only the `checked` files may be shown: the next one comes forward for one that is gone.
    Nothing where all are."""
    left = [
        replace(member, evidence=checked[member.evidence.file_id])
        for member in (GroupMember(shown, "copy", 1.0), *shown.group)
        if member.evidence.file_id in checked
    ]
    return (replace(left[0].evidence, group=tuple(left[1:])),) if left else ()


def files_of(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Every file these results stand for: those shown, then those folded under them."""
    return (*evidence, *(member.evidence for item in evidence for member in item.group))


def tier_of(item: Evidence) -> int:
    """1 where the owner's dictionary puts a file of this document first, -1 where it puts all of them last, else 0."""
    return max(("placed_first" in one.explain) - ("placed_last" in one.explain) for one in files_of([item]))


def placed_for(item: Evidence) -> list[tuple[str, object]]:
    """How the owner's dictionary places a document, if it does: `placed_first` or `placed_last`, and the phrase."""
    way = {1: "placed_first", -1: "placed_last"}.get(tier_of(item), "")
    return [(way, one.explain[way]) for one in files_of([item]) if way in one.explain][:1]


def group_kind(members: Sequence[GroupMember]) -> GroupKind:
    """One word for a whole group: that of its members which differ most from the file shown."""
    kinds = {member.kind for member in members}
    return "version" if "version" in kinds else "near_copy" if "near_copy" in kinds else "copy"


def _kind(shown: _File, other: _File) -> GroupKind:
    if other.text == shown.text:
        return "copy"
    this, that = shown.name, other.name
    is_version = (this.version, this.dates) != (that.version, that.dates)
    return "version" if is_version or this.whereabouts != that.whereabouts else "near_copy"


def _shown_of(files: Sequence[_File], wanted: VersionName) -> _File:
    """The furthest text, and of the files that hold it the original; the more relevant where nothing else decides."""
    furthest = max(
        files,
        key=lambda one: (
            _named(one, wanted),
            one.name.stage,
            one.name.number,
            not one.is_copy,
            one.evidence.modified_at,
        ),
    )
    return max(
        (one for one in files if one.text == furthest.text),
        key=lambda one: (_named(one, wanted), *_originality(one)),
    )


def _originality(file: _File) -> tuple[int, bool, float]:
    """Of files with one text, the higher the less it is a copy: by folder and name, then by age."""
    return min(file.name.stage, 0), not file.is_copy, -file.evidence.modified_at.timestamp()


def _named(file: _File, wanted: VersionName) -> int:
    """How many version marks of the question the file bears."""
    name = file.name
    return sum(
        (
            bool(wanted.number) and name.number[: len(wanted.number)] == wanted.number,
            wanted.stage != 0 and name.stage == wanted.stage,
            bool(wanted.copies) and file.is_copy,
        )
    )
