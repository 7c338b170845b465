"""Text out of a content, once per content, type and parser version, however often it is met."""

from __future__ import annotations

from locator_search.indexing.content import Content
from locator_search.model import Document, Extraction
from locator_search.ports import ExtractionMemo, TextExtractor

CRASHES_ALLOWED = 2
"""So often may everything die over one content before it is quarantined."""


class ContentChanged(Exception):  # noqa: N818 - a state of the file
    """The file was written to while its text was read, so text and hash do not belong together."""


class Reader:
    """A `TextExtractor` with a memory. Bad results are remembered too: a poison file is tried once."""

    def __init__(self, extractor: TextExtractor, memo: ExtractionMemo) -> None:
        self._extractor = extractor
        self._memo = memo

    @property
    def version(self) -> str:
        """Of the parsers."""
        return self._extractor.version

    def remembers(self, sha256: str, mime_type: str) -> bool:
        """Whether the text of a content is known, so that the content itself is not needed."""
        remembered = self._memo.get(sha256, self._parsed_as(mime_type))
        return remembered is not None and remembered.readable

    def read(self, content: Content, mime_type: str, *, again: bool = False) -> tuple[Extraction, bool]:
        """The extraction, and whether it was remembered. `again` tries a content once more that gave no text.

        Raises ContentChanged.
        """
        parsed_as = self._parsed_as(mime_type)
        remembered = self._memo.get(content.sha256, parsed_as)
        if remembered is not None and (remembered.readable or not again):
            return remembered, True
        attempts = self._memo.attempts(content.sha256, parsed_as)
        if attempts > CRASHES_ALLOWED and remembered is None and not again:
            extraction = _quarantined(attempts - 1, mime_type)
        else:
            extraction = self._extractor.extract(content.path, mime_type)
            if not content.unchanged:
                raise ContentChanged
        self._memo.put(content.sha256, parsed_as, extraction)
        return extraction, False

    def _parsed_as(self, mime_type: str) -> str:
        # The same bytes are read differently under another type: `notes.bin` says nothing about `notes.txt`.
        return f"{self._extractor.version} {mime_type}"


def _quarantined(crashes: int, mime_type: str) -> Extraction:
    reason = f"quarantined: reading it ended the whole worker {crashes} times; run it again by hand to retry"
    return Extraction("killed", Document((), mime_type), reason)
