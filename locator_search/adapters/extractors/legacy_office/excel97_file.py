"""Records of Excel 97-2003 workbooks (MS-XLS, "BIFF8") and what all sheets share: strings, formats, names."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from locator_search.adapters.extractors.office.excel_values import CellFormats, shows_dates
from locator_search.adapters.extractors.outcome import CannotExtract

BOF, EOF, CONTINUE, FILEPASS = 0x0809, 0x000A, 0x003C, 0x002F
_DATE1904, _BOUNDSHEET, _FORMAT, _XF, _SST = 0x0022, 0x0085, 0x041E, 0x00E0, 0x00FC
_BIFF8 = 0x0600
_WIDE, _PHONETIC, _RICH = 0x01, 0x04, 0x08
_WORKSHEET = 0
TOO_OLD = "The file is a workbook of Excel 95 or older, which is not supported."


class Record(NamedTuple):
    """One record. `pieces` are its data and those of the records that continue it, whose borders matter to strings."""

    kind: int
    pieces: list[bytes]

    @property
    def data(self) -> bytes:
        """The data of the record itself."""
        return self.pieces[0]


class Sheet(NamedTuple):
    """A sheet: its name, where its records begin, and whether it has cells (a chart has none)."""

    name: str
    offset: int
    has_cells: bool


class Workbook:
    """What the global records say. Raises CannotExtract, or struct.error and IndexError where they are damaged."""

    def __init__(self, stream: bytes) -> None:
        self.stream = stream
        self.sheets: list[Sheet] = []
        self.strings: list[str] = []
        patterns: dict[int, str] = {}
        numbers: list[int] = []
        counts_from_1904 = False
        for record in records(stream, 0):
            data = record.data
            if record.kind == BOF and struct.unpack_from("<H", data)[0] != _BIFF8:
                raise CannotExtract("unsupported", TOO_OLD)
            if record.kind == FILEPASS:
                raise CannotExtract("encrypted", "The Excel workbook is password-protected.")
            if record.kind == _DATE1904:
                counts_from_1904 = struct.unpack_from("<H", data)[0] == 1
            elif record.kind == _BOUNDSHEET:
                offset, kind, length = struct.unpack_from("<IxBB", data)
                self.sheets.append(Sheet(_characters(data, 8, length, data[7]), offset, kind == _WORKSHEET))
            elif record.kind == _FORMAT:
                patterns[struct.unpack_from("<H", data)[0]] = string(data, 2)
            elif record.kind == _XF:
                numbers.append(struct.unpack_from("<H", data, 2)[0])
            elif record.kind == _SST:
                self.strings = list(_shared_strings(record))
        dates = [shows_dates(number, patterns.get(number)) for number in numbers]
        self.formats = CellFormats(dates, counts_from_1904)


def records(stream: bytes, offset: int) -> Iterator[Record]:
    """The records of one substream, up to its end."""
    current: Record | None = None
    while offset + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, offset)
        data = stream[offset + 4 : offset + 4 + length]
        offset += 4 + length
        if kind == CONTINUE and current is not None:
            current.pieces.append(data)
            continue
        if current is not None:
            yield current
        current = Record(kind, [data])
        if kind == EOF:
            break
    if current is not None:
        yield current


def string(data: bytes, offset: int) -> str:
    """A string with its length before it, all of it in one record."""
    length, flags = struct.unpack_from("<HB", data, offset)
    return _characters(data, offset + 3, length, flags)


def long_string(record: Record) -> str:
    """A string that may go on in the records after its own."""
    reader = _Pieces(record.pieces)
    length, flags = struct.unpack("<HB", reader.take(3))
    return reader.characters(length, flags)


def _characters(data: bytes, offset: int, length: int, flags: int) -> str:
    if flags & _WIDE:
        return data[offset : offset + 2 * length].decode("utf-16-le", "replace")
    return data[offset : offset + length].decode("latin-1")


def _shared_strings(record: Record) -> Iterator[str]:
    """The table of strings. One that goes on in the next record says there anew how wide its characters are."""
    reader = _Pieces(record.pieces)
    (count,) = struct.unpack("<4xI", reader.take(8))
    for _ in range(count):
        if reader.at_end:
            return
        length, flags = struct.unpack("<HB", reader.take(3))
        runs = struct.unpack("<H", reader.take(2))[0] if flags & _RICH else 0
        phonetic = struct.unpack("<I", reader.take(4))[0] if flags & _PHONETIC else 0
        text = reader.characters(length, flags)
        reader.skip(4 * runs + phonetic)  # furigana are not part of the text
        yield text


class _Pieces:
    """Reads across the borders of continued records."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces
        self._number = 0
        self._offset = 0

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        self._move_on()
        return self._number >= len(self._pieces)

    def take(self, length: int) -> bytes:
        """So many bytes; fewer at the end."""
        taken = b""
        while len(taken) < length and not self.at_end:
            piece = self._pieces[self._number][self._offset : self._offset + length - len(taken)]
            self._offset += len(piece)
            taken += piece
        return taken

    def skip(self, length: int) -> None:
        """Pass over so many bytes."""
        while length > 0 and not self.at_end:
            step = min(length, len(self._pieces[self._number]) - self._offset)
            self._offset += step
            length -= step

    def characters(self, length: int, flags: int) -> str:
        """So many characters; a new piece begins with the width of those that follow."""
        found: list[str] = []
        while length > 0 and self._number < len(self._pieces):
            piece = self._pieces[self._number]
            if self._offset >= len(piece):
                self._number, self._offset = self._number + 1, 0
                if self._number < len(self._pieces) and self._pieces[self._number]:
                    flags, self._offset = self._pieces[self._number][0], 1
                continue
            width = 2 if flags & _WIDE else 1
            count = min(length, max((len(piece) - self._offset) // width, 1))
            found.append(_characters(piece, self._offset, count, flags))
            self._offset += width * count
            length -= count
        return "".join(found)

    def _move_on(self) -> None:
        while self._number < len(self._pieces) and self._offset >= len(self._pieces[self._number]):
            self._number, self._offset = self._number + 1, 0
