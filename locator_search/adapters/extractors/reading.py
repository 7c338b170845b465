"""Reads one file in this process: finds the format, runs its module, and decides how it ended."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import cast

from locator_search.adapters.extractors.cleaning import clean
from locator_search.adapters.extractors.formats import BINARY, EML, FORMATS, MSG, ZIP, unsupported_reason
from locator_search.adapters.extractors.limits import MAX_ARCHIVE_DEPTH, MAX_CHARACTERS, MAX_FILE_BYTES, MIB
from locator_search.adapters.extractors.outcome import CannotExtract, Ending, Notes
from locator_search.adapters.extractors.pictures import once_a_page
from locator_search.adapters.extractors.sniffing import detect
from locator_search.model import Block, ExtractionState

Reader = Callable[[bytes, Notes], Iterator[Block]]
_CONTAINERS = frozenset({EML, MSG, ZIP})


def read_file(path: Path, mime_type: str | None = None) -> Iterator[str | Block | Ending]:
    """One file from disk, as `read_content` gives it."""
    if path.stat().st_size > MAX_FILE_BYTES:
        yield Ending("too-large", f"The file is larger than {MAX_FILE_BYTES // MIB} MB.", mime_type or BINARY)
        return
    yield from read_content(path.read_bytes(), path.name, mime_type)


def read_content(
    data: bytes, name: str, mime_type: str | None = None, *, within: Notes | None = None
) -> Iterator[str | Block | Ending]:
    """The MIME type once it is known, blocks in reading order, then one Ending. Never raises, whatever the data.

    `within` are the notes on the container that holds the file: what may be unpacked is counted over all of them.
    A failure after the first block makes the result `partial`: what was read stays.
    """
    notes = Notes() if within is None else Notes(depth=within.depth + 1, allowance=within.allowance)
    found = BINARY
    has_text = False
    failure: CannotExtract | None = None
    try:
        found = detect(data, name, mime_type)
        yield found
        blocks = once_a_page(_reader(found, notes.depth)(data, notes))
        for block in _within_characters(_with_attached(blocks, notes)):
            has_text = has_text or bool(block.text)
            yield block
    except CannotExtract as error:
        failure = error
    except MemoryError:
        failure = CannotExtract("too-large", "Reading the file needs more memory than is allowed.")
    except RecursionError:
        failure = CannotExtract("corrupt", "The content of the file is nested too deeply.")
    except Exception:  # hostile and damaged files raise anything out of any library
        as_what = "" if found == BINARY else f": it could not be read as {FORMATS[found].name}"
        failure = CannotExtract("corrupt", f"The file is damaged{as_what}.")
    yield _ending(found, notes, failure, has_text)


def _reader(mime_type: str, depth: int) -> Reader:
    if depth >= MAX_ARCHIVE_DEPTH and mime_type in _CONTAINERS:
        raise CannotExtract("too-large", f"Archives and messages are opened {MAX_ARCHIVE_DEPTH} deep, and no deeper.")
    module = FORMATS[mime_type].module
    if module is None:
        raise CannotExtract("unsupported", unsupported_reason(mime_type))
    return cast("Reader", import_module(f"{__package__}.{module}").read)


def _with_attached(blocks: Iterator[Block], notes: Notes) -> Iterator[Block]:
    """The blocks of a file, then each file within it: its name, then its text; what could not be read is noted."""
    failure: CannotExtract | None = None
    try:
        yield from blocks
    except CannotExtract as error:
        failure = error
    if notes.attached and notes.depth >= MAX_ARCHIVE_DEPTH:
        notes.shortfalls.append(f"Files within files are opened {MAX_ARCHIVE_DEPTH} deep, and no deeper.")
        notes.attached.clear()
    for name, content, has_picture in notes.attached[: notes.allowed_members(len(notes.attached), "attachments")]:
        if name:
            yield Block("heading", f"添付ファイル / Attachment: {name}", level=2)
        ending = yield from member_blocks(name, content, notes)
        if ending.lacks_text and not (has_picture and ending.state in ("unsupported", "empty")):
            notes.shortfalls.append(f"{name or 'An object in the file'}: {ending.reason}")
    if failure is not None:
        raise failure


def member_blocks(name: str, content: bytes, notes: Notes) -> Generator[Block, None, Ending]:
    """The blocks of a file within a file, without page numbers: they would be taken for those of the one around it."""
    ending = Ending("empty", "", "")
    for item in read_content(content, name, within=notes):
        if isinstance(item, Ending):
            ending = item
        elif isinstance(item, Block):
            yield replace(item, page=None)
    return ending


def _within_characters(blocks: Iterator[Block]) -> Iterator[Block]:
    left = MAX_CHARACTERS
    for block in blocks:
        text = clean(block.text)
        if text.strip() or block.changes:
            yield replace(block, text=text[:left])
        left -= len(text) + sum(len(change.text) for change in block.changes if change.kind == "delete")
        if left <= 0:
            raise CannotExtract("too-large", f"Only the first {MAX_CHARACTERS:,} characters were read.")


def _ending(mime_type: str, notes: Notes, failure: CannotExtract | None, has_text: bool) -> Ending:
    missing = notes.shortfalls + ([failure.message] if failure else [])
    reason = " ".join(notes.suspicions + missing)
    if has_text:
        state: ExtractionState = "partial" if missing else "suspicious" if notes.suspicions else "ok"
        return Ending(state, reason, mime_type, notes.page_count)
    if failure is not None:
        return Ending(failure.state, failure.message, mime_type, notes.page_count)
    if notes.suspicions:
        return Ending("suspicious", reason, mime_type, notes.page_count)
    return Ending("empty", reason or notes.when_empty, mime_type, notes.page_count)
