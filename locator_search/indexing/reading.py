"""Text out of a content, once per content, type and parser version, however often it is met.

A reading is entered as begun when a worker holds the file, and struck out when anything comes of it. What is still
entered when the file is met again ended together with the whole process. That is suspicious, and no proof: somebody may
have killed the process. A suspected file is read when no other one is, behind a process of its own, so that a file that
takes its reader along leaves the crawl alive to say so, and a healthy one is simply read.
"""

from __future__ import annotations

import hashlib
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from locator_search.core.errors import ReadingInterrupted, ReadingStopped, StoreError
from locator_search.model import Extraction
from locator_search.ports import ExtractionMemo, TextExtractor


@dataclass(frozen=True, slots=True)
class Content:
    """A readable path, the SHA-256 of its bytes, and what tells a later change."""

    path: Path
    sha256: str
    stamp: tuple[int, int, int]

    @property
    def unchanged(self) -> bool:
        """Whether the path still holds the bytes that were hashed."""
        return _stamp(self.path) == self.stamp


def content_of(path: Path) -> Content:
    """Hash a file. Raises OSError."""
    stamp = _stamp(path)
    with path.open("rb") as stream:
        return Content(path, hashlib.file_digest(stream, "sha256").hexdigest(), stamp)


def copied_into(directory: Path, content: Content) -> Content:
    """The same for a private copy, for a file that is written to while we read it. Raises OSError."""
    copy = directory / f"copy{content.path.suffix}"
    shutil.copyfile(content.path, copy)
    return content_of(copy)


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


READINGS = 3
"""So often is a file read in a row whose reader is ended from outside each time."""
ENDINGS = 6
"""So often may everything end while a content is read before it is left alone for a day."""


class ContentChanged(Exception):  # noqa: N818 - a state of the file
    """The file was written to while its text was read, so text and hash do not belong together."""


class Suspected(Exception):  # noqa: N818 - a state of the file
    """Something ended while this content was read; it is to be read when nothing else is."""


class Quarantined(ReadingInterrupted):
    """The whole process ended so often while this content was read that it is left alone for a while."""


class Reader:
    """A `TextExtractor` with a memory. What a file is to blame for is remembered too, and not tried again."""

    def __init__(self, extractor: TextExtractor, memo: ExtractionMemo) -> None:
        self._extractor = extractor
        self._memo = memo

    @property
    def version(self) -> str:
        """Of the parsers."""
        return self._extractor.version

    def remembers(self, sha256: str, mime_type: str) -> bool:
        """Whether the text of a content is known, so that the content itself is not needed."""
        remembered, _ = self._memo.get(sha256, self._parsed_as(mime_type))
        return remembered is not None and remembered.readable

    def read(
        self, content: Content, mime_type: str, *, again: bool = False, alone: bool = True
    ) -> tuple[Extraction, bool]:
        """The extraction, and whether it was remembered.

        `again` tries a content once more that gave no text. Where others are read at the same time (`alone` off), a
        suspected one is refused.

        Raises ContentChanged, Suspected, and ReadingInterrupted for what is no fault of the file.
        """
        parsed_as = self._parsed_as(mime_type)
        remembered, endings = self._memo.get(content.sha256, parsed_as)
        if remembered is not None and (remembered.readable or not again):
            return remembered, True
        if endings and not alone:
            raise Suspected
        if endings >= ENDINGS:
            self._memo.given_up(content.sha256, parsed_as)  # whoever asks for it next has one more try
            raise Quarantined(f"killed: quarantined, because everything ended {endings} times while it was read")
        extraction = self._read(content, mime_type, guarded=endings > 0, alone=alone)
        self._memo.put(content.sha256, parsed_as, extraction)
        return extraction, False

    def _read(self, content: Content, mime_type: str, *, guarded: bool, alone: bool) -> Extraction:
        parsed_as = self._parsed_as(mime_type)
        for _ in range(READINGS):
            reading = _Reading(self._memo, content.sha256, parsed_as)
            try:
                extraction = self._extractor.extract(content.path, mime_type, begun=reading.begin, guarded=guarded)
            except ReadingStopped:
                reading.give_up()
                raise
            except ReadingInterrupted as error:
                if reading.begun and not alone:
                    raise Suspected from None  # it stays entered as begun, and is read alone next time
                reading.give_up()
                if not reading.begun:
                    raise
                guarded, last = True, error
                continue
            except BaseException:
                reading.give_up()
                raise
            if not content.unchanged:
                reading.give_up()
                raise ContentChanged
            return extraction
        raise ReadingInterrupted(f"killed: {last.message}") from None

    def _parsed_as(self, mime_type: str) -> str:
        # The same bytes are read differently under another type: `notes.bin` says nothing about `notes.txt`.
        return f"{self._extractor.version} {mime_type}"


class _Reading:
    """One reading in the memo, from the moment a worker holds the content."""

    def __init__(self, memo: ExtractionMemo, content_hash: str, parsed_as: str) -> None:
        self._memo = memo
        self._key = (content_hash, parsed_as)
        self.begun = False

    def begin(self) -> None:
        self._memo.begun(*self._key)
        self.begun = True

    def give_up(self) -> None:
        if self.begun:
            with suppress(StoreError):  # the file is then suspected without cause, and read with more care
                self._memo.given_up(*self._key)
