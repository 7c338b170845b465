"""Says which files are one document, when they are indexed. Pure.

Two files are the same document in one of three ways, and each needs its proof:

- **copy**: the same bytes or the same text, wherever they lie, whatever they are called and whatever their type;
- **version**: in the same place under the same title, with different version marks (v1 and v2, 案 and 最終版), and the
  longer text holds at least VERSION_OVERLAP of the shorter one;
- **near copy**: in the same place under the same title, told apart by a mark of a copy or by the file type, and at
  least NEAR_COPY of both texts is the same.

Everything else is another document, however alike the texts are: a monthly report of another month, the minutes of
another meeting, the same form filled in for another customer. What is one document with a third file is one document,
so a copy of v1 elsewhere belongs to v1 and v2; but no document has versions in two places, because a template lies in
the folders of two customers, beside what was made of it for each. Figures: docs/decisions/0050. How alike two texts are
is told by the counts of their terms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from locator_search.ports.versions import TermCounts
from locator_search.retrieval.version_names import NamedFile

VERSION_OVERLAP = 0.6
"""Documents grow from version to version, so what counts is how much of the shorter text the longer one holds."""

NEAR_COPY = 0.85
SAME_TEXT = 0.999
"""The likeness that two files of one name in one place need, where no mark tells them apart."""

NO_TERMS = TermCounts(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


class Likeness(NamedTuple):
    """Two measures of what texts have in common, by the counts of their terms, each in [0, 1].

    `overlap` is the share of the shorter text that the longer one holds (Szymkiewicz-Simpson), `resemblance` the share
    of both together that is in both (Jaccard, in its form for counts: Ruzicka). Texts without terms are not alike.
    """

    overlap: float
    resemblance: float


class ComparedTexts:
    """Texts by their names as one table of counts: a text is compared with all others about as fast as
    with one."""

    def __init__(self, texts: Mapping[str, TermCounts]) -> None:
        each = list(texts.values()) or [NO_TERMS]
        terms, column = np.unique(np.concatenate([text.terms for text in each]), return_inverse=True)
        row = np.repeat(np.arange(len(each)), [len(text.terms) for text in each])
        counts = np.concatenate([text.counts for text in each])
        cells = np.bincount(row * len(terms) + column, weights=counts, minlength=len(each) * len(terms))
        self._counts = cells.reshape(len(each), len(terms)).astype(np.int32)
        self._rows = {name: number for number, name in enumerate(texts)}
        self._lengths = self._counts.sum(axis=1)

    def likeness(self, one: str, others: Sequence[str]) -> list[Likeness]:
        """How alike one text is to each of the others."""
        row, rows = self._rows[one], [self._rows[other] for other in others]
        common = np.minimum(self._counts[rows], self._counts[row]).sum(axis=1)
        shorter = np.minimum(self._lengths[rows], self._lengths[row])
        together = self._lengths[rows] + self._lengths[row] - common
        shares = zip(common / np.maximum(shorter, 1), common / np.maximum(together, 1), strict=True)
        return [Likeness(float(overlap), float(resemblance)) for overlap, resemblance in shares]


@dataclass(frozen=True)
class NamedText:
    """A file by what tells its document: name, folder, and the key of its text."""

    file_id: str
    file_name: str
    folder_path: str
    text_key: str

    @cached_property
    def name(self) -> NamedFile:
        """Its name and folder taken apart."""
        return NamedFile.of(self.file_name, self.folder_path)

    @property
    def whereabouts(self) -> str:
        """The place and title that versions of one document share."""
        return self.name.whereabouts


class Settled(NamedTuple):
    """A file of which it is known what document it is."""

    file: NamedText
    document: str


def to_compare(files: Sequence[NamedText], kept: Sequence[Settled]) -> list[NamedText]:
    """The files whose terms decide, by whereabouts: those that may be versions of one another."""
    alike: dict[str, list[NamedText]] = defaultdict(list)
    for file in (*files, *(one.file for one in kept)):
        alike[file.whereabouts].append(file)
    new = {file.whereabouts for file in files}
    return [
        file
        for where, group in alike.items()
        if where in new and len({one.text_key for one in group}) > 1
        for file in group
    ]


class Documents:
    """Files put together to documents, one after the other.

    `kept` are files of the index with the text or the whereabouts of a new one; `branched` the whereabouts in which a
    document of the index has several texts.
    """

    def __init__(self, kept: Sequence[Settled], branched: Mapping[str, Collection[str]]) -> None:
        self.became: dict[str, str] = {}
        """The documents that turned out to be others."""
        self._kept = {one.document for one in kept}
        self._documents: dict[str, str] = {}
        self._branched = defaultdict(set, {document: set(places) for document, places in branched.items()})
        self._with_text: dict[str, str] = {}
        self._namesakes: dict[str, list[NamedText]] = defaultdict(list)
        for file, document in kept:
            self._enter(file, document)

    def of(self, file: NamedText) -> str:
        """The document of a file that was added."""
        return self.last(self._documents[file.file_id])

    def add(self, file: NamedText, texts: ComparedTexts) -> None:
        """A new file. `texts` are those of its namesakes, as far as there are several."""
        others = [one for one in self._namesakes[file.whereabouts] if one.text_key != file.text_key]
        twin = self._with_text.get(file.text_key)
        self._enter(file, f"{file.file_id} {file.text_key}")
        if others:
            alike = texts.likeness(file.file_id, [other.file_id for other in others])
            for other, each in zip(others, alike, strict=True):
                if _is_same(file, other, each):
                    self._join(self.of(file), self.of(other), {file.whereabouts})
        if twin:
            self._join(self.of(file), self.last(twin), set())

    def _enter(self, file: NamedText, document: str) -> None:
        self._documents[file.file_id] = document
        self._with_text.setdefault(file.text_key, document)
        self._namesakes[file.whereabouts].append(file)

    def _join(self, one: str, other: str, branching: set[str]) -> None:
        branched = self._branched[one] | self._branched[other] | branching
        if len(branched) > 1:
            return
        stays, goes = sorted((one, other), key=lambda document: (document not in self._kept, document))
        self._branched[stays] = branched
        if stays != goes:
            self.became[goes] = stays

    def last(self, document: str) -> str:
        """The document that this one turned out to be."""
        while document in self.became:
            document = self.became[document]
        return document


def settled(
    files: Sequence[NamedText],
    kept: Sequence[Settled],
    branched: Mapping[str, Collection[str]],
    terms: Mapping[str, TermCounts],
) -> tuple[list[str], dict[str, str]]:
    """The documents of new files, and what documents of the index became of others.

    `kept` and `branched` as in `Documents`; `terms` are those of the files that `to_compare` names.
    """
    documents = Documents(kept, branched)
    texts = ComparedTexts({one.file_id: terms.get(one.file_id, NO_TERMS) for one in to_compare(files, kept)})
    for file in files:
        documents.add(file, texts)
    old = {one.document for one in kept}
    became = {document: documents.last(document) for document in sorted(old & documents.became.keys())}
    return [documents.of(file) for file in files], became


def _is_same(one: NamedText, other: NamedText, alike: Likeness) -> bool:
    """Whether two files under one title in one place are one document."""
    this, that = one.name, other.name
    if this.dates != that.dates:
        # 提案書_2024-09 and 提案書_最終版: there the date is a version mark itself. Two dates are two documents.
        undated = that if this.dates else this
        return bool(not undated.dates and undated.marks) and alike.resemblance >= NEAR_COPY
    if this.version != that.version:
        return alike.overlap >= VERSION_OVERLAP
    told_apart = this.copies != that.copies or this.suffix != that.suffix
    return alike.resemblance >= (NEAR_COPY if told_apart else SAME_TEXT)
