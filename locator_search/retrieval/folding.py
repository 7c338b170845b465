"""Asks the index which of the found files are one document, and puts those together."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.model import Evidence
from locator_search.ports import VersionReader
from locator_search.retrieval.grouping import grouped, to_compare


def folded(evidence: Sequence[Evidence], versions: VersionReader, question: str) -> tuple[Evidence, ...]:
    """The evidence with one place for each document, best first; the others are in its `group`. Raises StoreError."""
    keys = versions.keys([item.file_id for item in evidence])
    suspects = to_compare(evidence, keys)
    terms = versions.term_counts(suspects) if suspects else {}
    return grouped(evidence, keys, terms, question)
