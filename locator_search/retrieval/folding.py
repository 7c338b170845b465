"""Folds versions and copies among what was found: reads of the index what `grouping` decides by."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.model import Evidence
from locator_search.ports import VersionReader
from locator_search.retrieval.grouping import grouped, to_compare


def folded(evidence: Sequence[Evidence], versions: VersionReader, question: str) -> tuple[Evidence, ...]:
    """The evidence with one place for each document, best first; the others are in its `group`. Raises StoreError."""
    hashes = versions.content_hashes([item.file_id for item in evidence])
    suspects = to_compare(evidence, hashes)
    terms = versions.term_counts(suspects) if suspects else {}
    return grouped(evidence, hashes, terms, question)
