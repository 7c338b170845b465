"""Remembers extracted texts, so that no content is read twice."""

from __future__ import annotations

from typing import Protocol

from locator_search.model import Extraction


class ExtractionMemo(Protocol):
    """Remembers what was read out of a content, by (content hash, parser version)."""

    def get(self, content_hash: str, parser_version: str) -> tuple[Extraction | None, int]:
        """The remembered extraction, or None; and the number of readings of this content that began and never ended,
        because the whole process ended."""
        ...

    def put(self, content_hash: str, parser_version: str, extraction: Extraction) -> None:
        """Remember one extraction, good or bad; nothing is unfinished any more."""
        ...

    def begun(self, content_hash: str, parser_version: str) -> None:
        """A worker holds the content: one more reading that is not finished. Committed before the file is opened."""
        ...

    def given_up(self, content_hash: str, parser_version: str) -> None:
        """A reading that began has no result, and whoever asked for it lives: it is not held against the content."""
        ...
