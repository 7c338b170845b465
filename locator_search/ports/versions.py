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


class VersionReader(Protocol):
    """Reads what the index knows about the contents of files. Files that are not indexed are left out."""

    def content_hashes(self, file_ids: Sequence[str]) -> Mapping[str, str]:
        """The hash of the bytes each file was indexed from, by file id."""
        ...

    def term_counts(self, file_ids: Sequence[str]) -> Mapping[str, TermCounts]:
        """The keyword terms of each file with their occurrences, by file id. Of a long file, those of its beginning."""
        ...
