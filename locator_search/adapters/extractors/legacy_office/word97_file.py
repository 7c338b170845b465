"""The binary format of Word 97-2003 (MS-DOC), as far as text needs it: pieces, deleted runs, paragraph properties.

Text is kept in pieces anywhere in the `WordDocument` stream. A character position (CP) counts characters of the whole
document, a file position (FC) counts bytes of the stream. Section numbers are those of MS-DOC.
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from locator_search.adapters.extractors.legacy_office.drawn_shapes import shape_texts
from locator_search.adapters.extractors.outcome import CannotExtract

_WORD_97 = 0x00C1
_FIELD_CLX, _FIELD_CHARACTER_RUNS, _FIELD_PARAGRAPHS, _FIELD_DRAWINGS = (
    33,
    12,
    13,
    50,
)  # indexes into FibRgFcLcb97 (2.5.6)
_FIRST_FIELD = 0x9A
_FIRST_LENGTH = 0x4C
_PAGE = 512
_DELETED = 0x0800  # sprmCFRMarkDel; Word writes 0x81 as its operand
_PICTURE = 0x6A03  # sprmCPicLocation
_NAME_BEFORE = 0x66  # the kind of picture that begins with its name
_OUTLINE_LEVEL = 0x2640  # sprmPOutLvl
_ROW_END = 0x2417  # sprmPFTtp
_IN_TABLE = 0x2416  # sprmPFInTable
_LONG_TABLE_SPRM = 0xD608
_OPERAND_BYTES = (1, 1, 2, 4, 2, 2, 0, 3)  # by the upper three bits of a sprm; 6 is variable
NOTHING = "\0"
"""Stands for a deleted character, so that positions stay what they are."""


class Paragraph(NamedTuple):
    """Properties of a paragraph: its style (1 to 9 are headings), outline level (9: body) and place in a table."""

    style: int = 0
    outline: int | None = None
    in_table: bool = False
    row_end: bool = False


class Stories(NamedTuple):
    """Lengths in characters of the parts of a document, in the order of their text (2.5.5)."""

    body: int
    footnotes: int
    headers: int
    macros: int
    comments: int
    endnotes: int
    boxes: int
    header_boxes: int


class _Piece(NamedTuple):
    start: int
    end: int
    position: int
    width: int


class _Run(NamedTuple):
    """File positions of characters with the same properties; `picture` is its place in the stream `Data`."""

    start: int
    end: int
    is_deleted: bool
    picture: int | None


class Word97File:
    """Text and paragraph properties of one document. Raises CannotExtract, or anything when it is damaged."""

    def __init__(self, data: bytes) -> None:
        container = self.container = open_container(data)
        self._main = read_stream(container, "WordDocument")
        version, flags = struct.unpack_from("<2xH6xH", self._main)
        if version < _WORD_97:
            raise CannotExtract("unsupported", "The file is a document of Word 95 or older, which is not supported.")
        if flags & 0x0100:
            raise CannotExtract("encrypted", "The Word document is password-protected.")
        self._table = read_stream(container, "1Table" if flags & 0x0200 else "0Table")
        self.stories = Stories(*struct.unpack_from("<8I", self._main, _FIRST_LENGTH))
        self._pieces = list(self._read_pieces())
        self._paragraph_starts, self._paragraphs = self._read_paragraphs()
        runs = list(self._character_runs())
        deleted = [(run.start, run.end) for run in runs if run.is_deleted]
        self._pictures = sorted({run.picture for run in runs if run.picture is not None and not run.is_deleted})
        self.text = "".join(self._piece_text(piece, deleted) for piece in self._pieces)

    def paragraph(self, character: int) -> Paragraph:
        """The properties of the paragraph that ends with this character."""
        piece = next((piece for piece in self._pieces if piece.start <= character < piece.end), None)
        if piece is None:
            return Paragraph()
        position = piece.position + (character - piece.start) * piece.width
        index = bisect_right(self._paragraph_starts, position) - 1
        return self._paragraphs[index] if index >= 0 else Paragraph()

    def picture_texts(self) -> Iterator[str]:
        """The texts of pictures and shapes about themselves: of those in the text (2.9.192), then of those beside it
        (2.9.171)."""
        data = read_stream(self.container, "Data") if self._pictures and self.container.exists("Data") else b""
        end = 0
        for place in self._pictures:
            if end <= place <= len(data) - 8:
                length, head, kind = struct.unpack_from("<IHH", data, place)
                start, end = place + head, min(place + max(length, 8), len(data))
                start += 1 + data[start] if kind == _NAME_BEFORE and start < end else 0
                yield from shape_texts(data, start, end)
        drawings, place = self._field(_FIELD_DRAWINGS), 0
        while place + 8 <= len(drawings):
            end = place + 8 + struct.unpack_from("<4xI", drawings, place)[0]
            yield from shape_texts(drawings, place, min(end, len(drawings)))
            place = end + 1  # a byte before each but the first

    def _field(self, index: int) -> bytes:
        offset, length = struct.unpack_from("<II", self._main, _FIRST_FIELD + 8 * index)
        return self._table[offset : offset + length]

    def _read_pieces(self) -> Iterator[_Piece]:
        """The piece table (2.8.35, 2.9.38): property modifiers first, then positions and descriptors."""
        clx = self._field(_FIELD_CLX)
        offset = 0
        while clx[offset] == 1:
            offset += 3 + struct.unpack_from("<H", clx, offset + 1)[0]
        size = struct.unpack_from("<I", clx, offset + 1)[0]
        count = (size - 4) // 12
        starts = struct.unpack_from(f"<{count + 1}I", clx, offset + 5)
        for index in range(count):
            raw = struct.unpack_from("<2xI", clx, offset + 5 + 4 * (count + 1) + 8 * index)[0]
            position, width = ((raw & 0x3FFFFFFF) // 2, 1) if raw & 0x40000000 else (raw & 0x3FFFFFFF, 2)
            yield _Piece(starts[index], starts[index + 1], position, width)

    def _piece_text(self, piece: _Piece, deleted: list[tuple[int, int]]) -> str:
        end = piece.position + (piece.end - piece.start) * piece.width
        raw = self._main[piece.position : end]
        if piece.width == 1:
            characters = list(raw.decode("cp1252", "replace"))
        else:
            units = array("H", raw[: len(raw) // 2 * 2])
            if sys.byteorder == "big":
                units.byteswap()
            characters = [chr(unit) for unit in units]
        characters += [NOTHING] * (piece.end - piece.start - len(characters))
        for start, stop in deleted:
            first = max(start - piece.position, 0) // piece.width
            last = min(stop, end) - piece.position
            for index in range(first, last // piece.width):
                characters[index] = NOTHING
        return "".join(characters)

    def _formatted_pages(self, index: int) -> Iterator[bytes]:
        """The pages of 512 bytes that hold character or paragraph properties (2.8.5, 2.8.6)."""
        table = self._field(index)
        count = (len(table) - 4) // 8
        for number in struct.unpack_from(f"<{count}I", table, 4 * (count + 1)) if count > 0 else ():
            offset = (number & 0x3FFFFF) * _PAGE
            page = self._main[offset : offset + _PAGE]
            if len(page) == _PAGE:
                yield page

    def _character_runs(self) -> Iterator[_Run]:
        """Runs of characters: what tracked changes have deleted, and where pictures lie (2.9.33)."""
        for page in self._formatted_pages(_FIELD_CHARACTER_RUNS):
            count = page[-1]
            limits = struct.unpack_from(f"<{count + 1}I", page)
            for index in range(count):
                offset = 2 * page[4 * (count + 1) + index]
                modifiers = page[offset + 1 : offset + 1 + page[offset]] if offset else b""
                values = dict(_sprms(modifiers))
                deleted, picture = values.get(_DELETED, b"")[:1], values.get(_PICTURE, b"")
                place = int.from_bytes(picture, "little") if len(picture) == 4 else None
                yield _Run(limits[index], limits[index + 1], bool(deleted and deleted[0] & 1), place)

    def _read_paragraphs(self) -> tuple[list[int], list[Paragraph]]:
        """Paragraph properties with the file positions where they begin (2.9.174)."""
        found: list[tuple[int, Paragraph]] = []
        for page in self._formatted_pages(_FIELD_PARAGRAPHS):
            count = page[-1]
            limits = struct.unpack_from(f"<{count + 1}I", page)
            for index in range(count):
                offset = 2 * page[4 * (count + 1) + 13 * index]
                found.append((limits[index], _paragraph(page, offset) if offset else Paragraph()))
        found.sort(key=lambda item: item[0])
        return [start for start, _ in found], [paragraph for _, paragraph in found]


def _paragraph(page: bytes, offset: int) -> Paragraph:
    length = 2 * page[offset] - 1
    offset += 1
    if length < 0:
        length = 2 * page[offset]
        offset += 1
    style = struct.unpack_from("<H", page, offset)[0]
    values = {sprm: operand[0] for sprm, operand in _sprms(page[offset + 2 : offset + length]) if operand}
    return Paragraph(style, values.get(_OUTLINE_LEVEL), bool(values.get(_IN_TABLE)), bool(values.get(_ROW_END)))


def _sprms(modifiers: bytes) -> Iterator[tuple[int, bytes]]:
    """Property modifiers with their operands (2.6.1)."""
    offset = 0
    while offset + 2 < len(modifiers):
        sprm = struct.unpack_from("<H", modifiers, offset)[0]
        offset += 2
        size = _OPERAND_BYTES[sprm >> 13]
        if sprm == _LONG_TABLE_SPRM:
            size = struct.unpack_from("<H", modifiers.ljust(offset + 2, b"\0"), offset)[0] + 1
        elif size == 0:
            size = modifiers[offset] + 1
        yield sprm, modifiers[offset : offset + size]
        offset += size
