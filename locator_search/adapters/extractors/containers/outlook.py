"""Outlook messages (.msg): who wrote what to whom, the body, and the files that came with it (MS-OXMSG)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from olefile import OleFileIO

from locator_search.adapters.extractors.cleaning import clean, one_line, shown_name
from locator_search.adapters.extractors.containers.compressed_rtf import unpacked
from locator_search.adapters.extractors.legacy_office import rich_text
from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from locator_search.adapters.extractors.limits import MAX_ARCHIVE_DEPTH
from locator_search.adapters.extractors.outcome import Attached, CannotExtract, Notes
from locator_search.adapters.extractors.text_formats import html_page, plain_text
from locator_search.adapters.extractors.text_formats.encodings import decode
from locator_search.model import Block

_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP, _TO, _CC, _BCC = 0x0C1A, 0x0C1F, 0x5D01, 0x0E04, 0x0E03, 0x0E02
_SENT, _RECEIVED = 0x0039, 0x0E06
_CODE_PAGES = (0x3FFD, 0x3FDE)
_CONTENT, _LONG_NAME, _NAME, _SHOWN_NAME = 0x3701, 0x3707, 0x3704, 0x3001
_UNICODE, _BYTES_TEXT, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"
_ISO_8859 = range(28591, 28606)  # as Windows numbers ISO-8859-1 to -15
_NO_CODE_PAGE = frozenset({0, 1200, 1201})  # UTF-16, which Outlook Express names though these texts are in bytes
_FIXED_HEADER, _FIXED_HEADER_INSIDE = 32, 24
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Subject as heading, the other headers, the body (plain where there is a choice), then each attachment by its
    name and with its text."""
    notes.when_empty = "The message holds no text."
    container = open_container(data)
    yield from _message(container, "", notes, 0)
    if container.parsing_issues:
        raise CannotExtract("corrupt", "The file of the message is damaged, and parts of it are missing.")


def _message(container: OleFileIO, folder: str, notes: Notes, depth: int) -> Iterator[Block]:
    message = _Item(container, folder)
    if subject := one_line(message.text(_SUBJECT)):
        yield Block("heading", subject, level=1)
    if headers := "\n".join(message.headers()):
        yield Block("paragraph", headers)
    yield from message.body(notes)
    for name in message.attachments():
        attached = _Item(container, f"{folder}{name}/")
        title = next(filter(None, map(attached.text, (_LONG_NAME, _NAME, _SHOWN_NAME))), "attachment")
        inside = f"{attached.folder}__substg1.0_{_CONTENT:04X}{_STORAGE}"
        content = attached.stream(_CONTENT, _BINARY)
        if content is not None:
            notes.attached.append(Attached(shown_name(title), content))
        elif not container.exists(f"{inside}/__properties_version1.0"):
            notes.shortfalls.append(f"{shown_name(title)}: This attachment is a link or an object, and was not read.")
        elif notes.depth + depth + 1 >= MAX_ARCHIVE_DEPTH:
            notes.shortfalls.append(
                f"{shown_name(title)}: Messages are opened {MAX_ARCHIVE_DEPTH} deep, and no deeper."
            )
        else:
            yield Block("heading", f"添付ファイル / Attachment: {shown_name(title)}", level=2)
            yield from _message(container, f"{inside}/", notes, depth + 1)


class _Item:
    """The properties of a message or an attachment, which are streams and entries of one list."""

    def __init__(self, container: OleFileIO, folder: str) -> None:
        self.folder = folder
        self._container = container
        listed = f"{folder}__properties_version1.0"
        fixed = read_stream(container, listed) if container.exists(listed) else b""
        start = _FIXED_HEADER_INSIDE if folder else _FIXED_HEADER
        whole = len(fixed) - (len(fixed) - start) % 16
        self._fixed = {tag >> 16: value for tag, _, value in struct.iter_unpack("<IIQ", fixed[start:whole])}

    def stream(self, number: int, kind: str) -> bytes | None:
        """The content of a property that has a stream of its own."""
        name = f"{self.folder}__substg1.0_{number:04X}{kind}"
        return read_stream(self._container, name) if self._container.exists(name) else None

    def text(self, number: int) -> str:
        """A property of text, "" where there is none."""
        wide = self.stream(number, _UNICODE)
        if wide is not None:
            return clean(wide.decode("utf-16-le", "replace")).strip()
        narrow = self.stream(number, _BYTES_TEXT) or b""
        named = (self._fixed.get(number, 0) & 0xFFFFFFFF for number in _CODE_PAGES)
        page = next((page for page in named if page not in _NO_CODE_PAGE), 0)
        try:
            return clean(narrow.decode(_codec(page))).strip()
        except (LookupError, UnicodeDecodeError):
            return clean(decode(narrow).text).strip()

    def headers(self) -> Iterator[str]:
        """Sender, recipients and time, one line each."""
        address = self.text(_SENDER_SMTP) or self.text(_SENDER_ADDRESS)
        sender = self.text(_SENDER)
        written = f"{sender} <{address}>" if "@" in address and address != sender else sender
        others = ((name, self.text(number)) for name, number in (("To", _TO), ("Cc", _CC), ("Bcc", _BCC)))
        for name, value in (("From", written), *others):
            if value:
                yield f"{name}: {one_line(value)}"
        ticks = self._fixed.get(_SENT) or self._fixed.get(_RECEIVED) or 0
        try:
            sent = _EPOCH + timedelta(microseconds=ticks // 10)
        except OverflowError:
            return
        if ticks:
            yield f"Date: {sent:%Y-%m-%d %H:%M} UTC"

    def body(self, notes: Notes) -> Iterator[Block]:
        """The body in the first of its forms that there is: plain, HTML, Rich Text."""
        plain = self.text(_BODY)
        page, packed = self.stream(_HTML, _BINARY) or b"", self.stream(_RTF, _BINARY)
        if plain:
            yield from plain_text.read(plain.encode(), notes)
        elif page or (page := self.text(_HTML).encode()):
            yield from html_page.read(page, notes)
        elif packed is not None:
            yield from rich_text.read(unpacked(packed), notes)

    def attachments(self) -> list[str]:
        """The names of the storages of attachments, in order."""
        prefix = [step for step in self.folder.split("/") if step]
        entries = self._container.listdir(streams=False, storages=True)
        return sorted(
            path[-1] for path in entries
            if path[:-1] == prefix and path[-1].lower().startswith("__attach_version1.0_")
        )  # fmt: skip


def _codec(page: int) -> str:
    return f"iso8859-{page - _ISO_8859.start + 1}" if page in _ISO_8859 else f"cp{page}"
