"""Files inside archives and messages: each read like any file, within what all of them together may take."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from locator_search.adapters.extractors.cleaning import clean, one_line
from locator_search.adapters.extractors.outcome import Ending, Notes
from locator_search.adapters.extractors.reading import read_content
from locator_search.model import Block

_LONGEST_NAME = 200


def shown_name(name: str) -> str:
    """A name from inside a file, fit for a heading and a sentence."""
    return one_line(clean(name))[:_LONGEST_NAME]


def allowed_members(count: int, notes: Notes, noun: str) -> int:
    """How many of `count` files may be read; the rest is noted."""
    allowed = min(count, notes.allowance.members)
    if allowed < count:
        notes.shortfalls.append(f"Only the first {allowed} of {count} {noun} were read.")
    notes.allowance.members -= allowed
    return allowed


def member_blocks(name: str, content: bytes, notes: Notes) -> Generator[Block, None, Ending]:
    """The blocks of one file, without page numbers: they would be taken for those of the container."""
    ending = Ending("empty", "", "")
    for item in read_content(content, name, within=notes):
        if isinstance(item, Ending):
            ending = item
        elif isinstance(item, Block):
            yield replace(item, page=None)
    return ending


def attachment_blocks(attachments: list[tuple[str, bytes]], notes: Notes) -> Generator[Block, None, None]:
    """Each attachment of a message: its name, then its text; what could not be read is noted."""
    for name, content in attachments[: allowed_members(len(attachments), notes, "attachments")]:
        yield Block("heading", f"添付ファイル / Attachment: {name}", level=2)
        ending = yield from member_blocks(name, content, notes)
        if ending.lacks_text:
            notes.shortfalls.append(f"{name}: {ending.reason}")
