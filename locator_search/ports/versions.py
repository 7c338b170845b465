"""Facts that tell whether two files are versions or copies of one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt


class TermCounts(NamedTuple):
    """How often a text holds each of its terms. The number of a term is the store's matter, and the same in all texts;
    one that stands here several times adds up."""

    terms: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


class DocumentKeys(NamedTuple):
    """The identity of a file: the key of its text, equal for equal texts, and that of its document, equal for the
    copies and versions of one document."""

    text: str
    document: str


class VersionReader(Protocol):
    """Reads what the index knows about the contents of files."""

    def keys(self, file_ids: Sequence[str]) -> Mapping[str, DocumentKeys]:
        """The text and the document of each file, by file id; without those that are documents of their own."""
        ...

    def term_counts(self, file_ids: Sequence[str]) -> Mapping[str, TermCounts]:
        """The keyword terms of each file with their occurrences, by file id. Of a long file, those of its beginning."""
        ...
