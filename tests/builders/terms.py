"""Terms of texts as an index numbers them."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

import numpy as np

from locator_search.ports.versions import TermCounts


def numbered(counts: Mapping[str, int]) -> TermCounts:
    """Counts by the words themselves, each word with a number of its own."""
    return TermCounts(
        np.array([crc32(term.encode()) for term in counts], dtype=np.int64),
        np.array(list(counts.values()), dtype=np.int64),
    )
