"""What tells whether two files are versions or copies of one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class VersionReader(Protocol):
    """Reads what the index knows about the contents of files. Files that are not indexed are left out."""

    def content_hashes(self, file_ids: Sequence[str]) -> Mapping[str, str]:
        """The hash of the bytes each file was indexed from, by file id."""
        ...

    def term_counts(self, file_ids: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """The keyword terms of each file with their occurrences, by file id. Of a long file, those of its beginning."""
        ...
