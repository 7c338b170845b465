"""E-mail messages (.eml): who wrote what to whom, the body, and the files that came with it."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message

from locator_search.adapters.extractors.cleaning import clean, one_line, shown_name
from locator_search.adapters.extractors.outcome import Attached, Notes
from locator_search.adapters.extractors.text_formats import html_page, plain_text
from locator_search.model import Block

_SHOWN = ("From", "To", "Cc", "Date")
_DEEPEST = 20


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Subject as heading, the other headers, the body (plain where there is a choice), then each attachment by its
    name and with its text."""
    notes.when_empty = "The message holds no text."
    return _message(message_from_bytes(data), notes, 0)


def _message(message: Message, notes: Notes, depth: int) -> Iterator[Block]:
    if subject := _header(message, "Subject"):
        yield Block("heading", subject, level=1)
    lines = [f"{name}: {value}" for name in _SHOWN if (value := _header(message, name))]
    if lines:
        yield Block("paragraph", "\n".join(lines))
    yield from _part(message, notes, depth)


def _part(part: Message, notes: Notes, depth: int) -> Iterator[Block]:
    kind = part.get_content_type()
    inside = part.get_payload()
    if depth > _DEEPEST:
        notes.shortfalls.append("The message is nested too deeply to be read whole.")
    elif isinstance(inside, list):
        parts = [each for each in inside if isinstance(each, Message)]
        if kind == "message/rfc822":
            for each in parts:
                yield from _message(each, notes, depth + 1)
            return
        for each in [_best(parts)] if kind == "multipart/alternative" and parts else parts:
            yield from _part(each, notes, depth + 1)
    else:
        content = _content(part)
        name = _file_name(part)
        if name or not kind.startswith("text/"):
            notes.attached.append(Attached(name or kind, content))
        elif kind == "text/html":
            yield from html_page.read(content, Notes())
        else:
            yield from plain_text.read(_as_declared(content, part), notes)


def _best(alternatives: list[Message]) -> Message:
    """The plain text of what says the same in several forms, if there is any, else the richest form."""
    plain = (each for each in alternatives if each.get_content_type() == "text/plain" and _content(each).strip())
    return next(plain, alternatives[-1])


def _content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _as_declared(content: bytes, part: Message) -> bytes:
    """The text in UTF-8 where its declared encoding fits; else as it came, to be looked at like any text."""
    declared = str(part.get_content_charset() or "ascii").lower()
    if declared.startswith(("iso-2022-jp", "shift_jis", "us-ascii", "ascii")):
        return content  # what they stand for is often a little more than they say
    try:
        return content.decode(declared).encode("utf-8", "replace")
    except (LookupError, UnicodeDecodeError):
        return content


def _header(message: Message, name: str) -> str:
    raw = message.get(name)
    if raw is None:
        return ""
    try:
        return one_line(clean(str(make_header(decode_header(raw)))))
    except Exception:  # damaged encoded words raise anything
        return one_line(clean(str(raw)))


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
        return shown_name(str(make_header(decode_header(name))))
    except Exception:  # damaged encoded words raise anything
        return "attachment"
