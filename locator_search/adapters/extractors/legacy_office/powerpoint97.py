"""PowerPoint 97-2003 presentations (.ppt), read without any office program: slides in the order of the show.

A presentation is a stream of nested records (MS-PPT 2.3). Editing appends: the newest copy of every object is the one
that the directories of persistent objects point to. Text of placeholders is kept in one list for all slides, text of
other shapes in the drawing of the slide.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from locator_search.adapters.extractors.cleaning import clean, one_line
from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from locator_search.adapters.extractors.legacy_office.drawn_shapes import PROPERTIES, described
from locator_search.adapters.extractors.limits import MAX_PAGES, MAX_PART_BYTES
from locator_search.adapters.extractors.outcome import Allowance, Attached, CannotExtract, Notes
from locator_search.adapters.extractors.pictures import picture_blocks
from locator_search.model import Block

_STREAMS = ("PP97_DUALSTORAGE/PowerPoint Document", "PowerPoint Document")
"""Where the presentation stands. A file for PowerPoint 95 as well keeps that of 97 in a storage beside the old one."""
_DOCUMENT, _SLIDE_LIST, _SLIDE_PLACE = 0x03E8, 0x0FF0, 0x03F3
_TEXT_KIND, _TEXT_UTF16, _TEXT_BYTES, _TEXT_OF_LIST = 0x0F9F, 0x0FA0, 0x0FA8, 0x0F9E
_USER_EDIT, _DIRECTORY, _ENCRYPTED = 0x0FF5, 0x1772, 0x2F14
_TITLES = frozenset({0, 6})
_SLIDES, _NOTES = 0, 2
_PICTURE = -1
_COMMENT, _STRING, _TAG_DATA, _OBJECT = 0x2EE0, 0x0FBA, 0x138B, 0x1011
_COMMENT_TEXT, _PACKED = 1, 1
_CONTAINER = 0xF
_DEEPEST = 32
_MOST_EDITS = 10_000
_UNUSED_PLACEHOLDER = "*"


class _Record(NamedTuple):
    kind: int
    instance: int
    is_container: bool
    start: int
    end: int


class _Text(NamedTuple):
    """A run of paragraphs; `kind` 0 and 6 are titles, _COMMENT is the text of one, _PICTURE what a picture says."""

    kind: int
    text: str


class _Slide(NamedTuple):
    persist_id: int
    slide_id: int
    texts: list[_Text]


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Blocks with the slide's number as page: title as heading, texts, comments, then the speaker's notes."""
    container = open_container(data)
    show = _Show(read_stream(container, next(filter(container.exists, _STREAMS))))
    slides = show.slides(_SLIDES)[:MAX_PAGES]
    notes.page_count = len(slides)
    speaker = {show.slide_of_notes(each): each for each in show.slides(_NOTES)}
    for number, slide in enumerate(slides, start=1):
        for text in show.texts(slide):
            if text.kind in _TITLES:
                yield Block("heading", one_line(text.text), 1, number)
            elif text.kind == _COMMENT:
                yield Block("note", text.text, page=number)
            elif text.kind == _PICTURE:
                yield from picture_blocks([text.text], number)
            else:
                yield from (Block("paragraph", line, page=number) for line in text.text.split("\n") if line.strip())
        if said := speaker.get(slide.slide_id):
            yield from (Block("note", text.text, page=number) for text in show.texts(said))
    for content in show.objects(notes.allowance):
        if content is None:
            notes.shortfalls.append("An object in the presentation is damaged and was not read.")
        else:
            notes.attached.append(Attached("", content, has_picture=True))


class _Show:
    """One stream with its directory. Damage raises anything; every number of the file is checked or sliced."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._document_id = 1
        self._places = self._directory()
        documents = (record for record in self._records(0, len(stream)) if record.kind == _DOCUMENT)
        newest = self._at(self._places[self._document_id]) if self._document_id in self._places else None
        document = newest or next(documents, None)
        if document is None:
            raise CannotExtract("corrupt", "The presentation has no document record.")
        self._document = document

    def slides(self, kind: int) -> list[_Slide]:
        """The slides or the pages of notes, in order, with the texts of their placeholders."""
        found: list[_Slide] = []
        for listed in self._records(self._document.start, self._document.end):
            if listed.kind != _SLIDE_LIST or listed.instance != kind:
                continue
            for record in self._records(listed.start, listed.end):
                if record.kind == _SLIDE_PLACE:
                    persist_id, slide_id = struct.unpack_from("<I8xI", self._stream, record.start)
                    found.append(_Slide(persist_id, slide_id, []))
                elif found:
                    self._take_text(record, found[-1].texts)
        return found

    def texts(self, slide: _Slide) -> Iterator[_Text]:
        """The texts of a slide as they lie on it; without its drawing, those of the list."""
        record = self._at(self._places[slide.persist_id]) if slide.persist_id in self._places else None
        found: list[_Text] = []
        if record is not None:
            self._gather(record, slide.texts, found, 0)
        besides = [text for text in found if text.kind in (_COMMENT, _PICTURE)]
        for text in [*([text for text in found if text not in besides] or slide.texts), *besides]:
            if text.text.strip() and text.text.strip() != _UNUSED_PLACEHOLDER:
                yield text

    def objects(self, allowance: Allowance) -> Iterator[bytes | None]:
        """The objects of other programs, charts among them; None for one that is damaged."""
        for place in sorted(set(self._places.values())):
            record = self._at(place)
            if record is not None and record.kind == _OBJECT:
                content = self._stream[record.start : record.end]
                try:
                    whole = _unpacked(content[4:], allowance.bytes) if record.instance == _PACKED else content
                except zlib.error:
                    yield None
                    continue
                allowance.bytes -= len(whole)
                yield whole

    def slide_of_notes(self, page: _Slide) -> int:
        """The id of the slide that a page of notes belongs to (NotesAtom); -1 when it does not say."""
        record = self._at(self._places.get(page.persist_id, len(self._stream)))
        inside = next(self._records(record.start, record.end), None) if record is not None else None
        return int(struct.unpack_from("<I", self._stream, inside.start)[0]) if inside is not None else -1

    def _gather(self, container: _Record, listed: list[_Text], found: list[_Text], depth: int) -> None:
        for record in self._records(container.start, container.end):
            if record.kind == _TEXT_OF_LIST:
                index = struct.unpack_from("<I", self._stream, record.start)[0]
                found += listed[index : index + 1]
            elif record.kind == _COMMENT:
                strings = (each for each in self._records(record.start, record.end) if each.kind == _STRING)
                text = next((each for each in strings if each.instance == _COMMENT_TEXT), record)
                found.append(_Text(_COMMENT, clean(self._stream[text.start : text.end].decode("utf-16-le", "replace"))))
            elif record.kind in PROPERTIES:
                texts = described(self._stream[record.start : record.end], record.instance)
                found += [_Text(_PICTURE, text) for text in texts]
            elif (record.is_container or record.kind == _TAG_DATA) and depth < _DEEPEST:
                self._gather(record, listed, found, depth + 1)
            else:
                self._take_text(record, found)

    def _take_text(self, record: _Record, texts: list[_Text]) -> None:
        content = self._stream[record.start : record.end]
        if record.kind == _TEXT_KIND:
            texts.append(_Text(int.from_bytes(content[:4], "little"), ""))
        elif record.kind in (_TEXT_UTF16, _TEXT_BYTES):
            text = content.decode("utf-16-le" if record.kind == _TEXT_UTF16 else "latin-1", "replace")
            kind = texts.pop().kind if texts and not texts[-1].text else 4
            texts.append(_Text(kind, clean(text.replace("\v", "\n"))))

    def _directory(self) -> dict[int, int]:
        """Where the newest copy of every object lies, by its id; the chain of edits is followed back from the last."""
        edits = [record for record in self._records(0, len(self._stream)) if record.kind == _USER_EDIT]
        if any(record.kind == _ENCRYPTED for record in self._records(0, len(self._stream))):
            raise CannotExtract("encrypted", "The presentation is password-protected.")
        places: dict[int, int] = {}
        for edit in edits[-_MOST_EDITS:]:
            directory, self._document_id = struct.unpack_from("<II", self._stream, edit.start + 12)
            record = self._at(directory)
            if record is not None and record.kind == _DIRECTORY:
                places |= self._entries(record)
        return places

    def _entries(self, record: _Record) -> dict[int, int]:
        numbers = struct.unpack_from(f"<{(record.end - record.start) // 4}I", self._stream, record.start)
        entries: dict[int, int] = {}
        index = 0
        while index < len(numbers):
            first, count = numbers[index] & 0xFFFFF, numbers[index] >> 20
            entries |= {first + step: place for step, place in enumerate(numbers[index + 1 : index + 1 + count])}
            index += 1 + count
        return entries

    def _at(self, place: int) -> _Record | None:
        return next(self._records(place, len(self._stream)), None)

    def _records(self, start: int, end: int) -> Iterator[_Record]:
        while start + 8 <= end:
            head, kind, length = struct.unpack_from("<HHI", self._stream, start)
            start += 8
            yield _Record(kind, head >> 4, head & 0xF == _CONTAINER, start, min(start + length, end))
            start += length


def _unpacked(content: bytes, most: int) -> bytes:
    unpacking = zlib.decompressobj()
    unpacked = unpacking.decompress(content, max(min(MAX_PART_BYTES, most), 1))
    return unpacked if unpacking.eof else b""
