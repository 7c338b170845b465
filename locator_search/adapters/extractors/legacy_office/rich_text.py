"""Rich Text (.rtf), read without any office program: groups, control words, and bytes in the code page of a font."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from locator_search.adapters.extractors.cleaning import clean, one_line, table_blocks
from locator_search.adapters.extractors.office.word_styles import is_caption
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.adapters.extractors.pictures import alternative_text, picture_blocks
from locator_search.model import Block

_TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.DOTALL
)
_SKIPPED = frozenset({
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "objdata", "themedata", "colorschememapping",
    "datastore", "listtable", "xmlnstbl", "listoverridetable", "revtbl", "rsidtbl", "generator", "fldinst",
    "nonshppict", "latentstyles", "filetbl", "bkmkstart", "bkmkend", "datafield", "wgrffmtfilter", "mmathPr",
    "pgptbl", "atnid", "atnauthor", "atrfstart", "atrfend", "sp", "shprslt",
})  # fmt: skip
_ASIDE = frozenset(
    ["footnote", "annotation", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"]
)  # fmt: skip
_PROPERTY, _DESCRIPTION = frozenset({"sn", "sv"}), "wzDescription"
_NUMBERS = frozenset({"listtext", "pntext"})
_SHOWN_THOUGH_STARRED = frozenset({"shpinst", "shptxt", "shppict", "annotation", "pntext"})
_SYMBOLS = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "~": " ", "_": "-",
}  # fmt: skip
_CHARSETS = {
    128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_DEEPEST = 2_000
_HEADING_STYLE = re.compile(rb"\\s(\d{1,4})\b[^{}]*?(?:heading |\x8c\xa9\x8fo\x82\xb5 ?)([1-9])\s*;", re.IGNORECASE)


@dataclass(slots=True)
class _Group:
    """The state inside braces. `aside` is set inside notes, headers and the like, `number` inside the number of
    a list, which Word writes out with its own formatting, `property` inside the name or value of one of a shape."""

    codec: str
    skipped: bool = False
    aside: bool = False
    number: bool = False
    property: str = ""
    deleted: bool = False
    fallback: int = 1


@dataclass(slots=True)
class _Paragraph:
    text: list[str] = field(default_factory=list)
    level: int = 0
    in_table: bool = False


def read(data: bytes, _notes: Notes) -> Iterator[Block]:
    """Paragraphs, headings and tables in order, with the numbers Word wrote out, then notes, headers and footers."""
    reader = _Reader(data)
    yield from reader.body()
    yield from reader.aside


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        page = re.search(rb"\\ansicpg(\d{1,5})", data[:2000])
        self._codec = _known(f"cp{page[1].decode()}") if page else "cp1252"
        self._fonts = _font_codecs(data)
        font = re.search(rb"\\deff(\d{1,5})", data[:2000])
        self._codec = self._fonts.get(int(font[1]), self._codec) if font else self._codec
        self._heading_levels = {int(style): int(level) for style, level in _HEADING_STYLE.findall(data)}
        self.aside: list[Block] = []
        self._groups = [_Group(self._codec)]
        self._bytes = bytearray()
        self._to_skip = 0
        self._paragraph = _Paragraph()
        self._aside_text: list[str] = []
        self._property_name: list[str] = []
        self._description: list[str] = []
        self._pictures: list[str] = []
        self._rows: list[list[str]] = []
        self._cells: list[str] = []

    def body(self) -> Iterator[Block]:
        """The blocks of the body; `aside` is complete when they end."""
        position, starred, opened = 0, False, False
        while token := _TOKEN.match(self._data, position):
            position = token.end()
            word, number, code, symbol, brace, text = token.groups()
            if brace:
                self._brace(brace)
                starred, opened = False, brace == b"{"
                continue
            if symbol == b"*":
                starred = opened  # elsewhere than at the beginning of a group, as OpenOffice writes it, it says nothing
                continue
            if word:
                name, value = word.decode("ascii"), int(number) if number else None
                if opened or starred:
                    self._destination(name, starred)
                if name == "bin":
                    position += max(value or 0, 0)
                else:
                    yield from self._word(name, value)
            elif code:
                self._byte(bytes([int(code, 16)]))
            elif symbol:
                self._flush()
                self._add(_SYMBOLS.get(symbol.decode("latin-1"), symbol.decode("latin-1") if symbol in b"\\{}" else ""))
            elif text:
                self._byte(text)
            starred = opened = False
        self._end_open_row()
        yield from self._end_paragraph()
        yield from self._end_table()
        yield from picture_blocks(self._pictures)

    def _brace(self, brace: bytes) -> None:
        self._flush()
        if brace == b"{":
            if len(self._groups) > _DEEPEST:
                raise CannotExtract("corrupt", "The content of the file is nested too deeply.")
            self._groups.append(replace(self._groups[-1]))
        elif len(self._groups) > 1:
            closed = self._groups.pop()
            if closed.property and not self._groups[-1].property:
                self._end_property(closed)
            if closed.aside and not self._groups[-1].aside:
                self._end_aside()

    def _destination(self, name: str, starred: bool) -> None:
        group = self._groups[-1]
        if name in _PROPERTY:
            group.property = name
            if name == "sn":
                self._property_name, self._description = [], []
        elif name in _ASIDE:
            group.aside = True
        elif name in _NUMBERS:
            group.number = True
        elif name in _SKIPPED or (starred and name not in _SHOWN_THOUGH_STARRED):
            group.skipped = True

    def _word(self, name: str, value: int | None) -> Iterator[Block]:
        group = self._groups[-1]
        self._flush()
        if name == "u" and value is not None:
            self._add(chr(value % 0x10000))
            self._to_skip = group.fallback
        elif name == "uc":
            group.fallback = min(max(value or 0, 0), 10)
        elif name == "f" and value is not None:
            group.codec = self._fonts.get(value, self._codec)
        elif name == "deleted":
            group.deleted = value != 0
        elif name == "plain":
            group.deleted, group.codec = False, self._codec
        elif name in _SYMBOLS:
            self._add(_SYMBOLS[name])
        elif group.skipped or group.number:
            return
        elif group.aside:
            if name == "par":
                self._aside_text.append("\n")
        else:
            yield from self._structure(name, value)

    def _structure(self, name: str, value: int | None) -> Iterator[Block]:
        paragraph = self._paragraph
        if name in ("par", "page", "sect"):
            yield from self._end_paragraph()
        elif name == "pard":
            paragraph.level, paragraph.in_table = 0, False
        elif name == "s" and value in self._heading_levels:
            paragraph.level = self._heading_levels[value]
        elif name == "outlinelevel" and value is not None:
            paragraph.level = value + 1 if 0 <= value < 9 else 0
        elif name == "intbl":
            paragraph.in_table = True
        elif name in ("cell", "nestcell"):
            self._cells.append(one_line(self._taken()))
        elif name in ("row", "nestrow"):
            self._rows.append(self._cells)
            self._cells = []

    def _end_paragraph(self) -> Iterator[Block]:
        self._flush()
        if self._paragraph.in_table:
            self._paragraph.text.append(" ")
            return
        text, level = self._taken(), self._paragraph.level
        yield from self._end_table()
        if text:
            kind = "heading" if level else "caption" if is_caption(text) else "paragraph"
            yield Block(kind, one_line(text) if level else text, level)  # type: ignore[arg-type]
        yield from picture_blocks(self._pictures)
        self._pictures = []

    def _end_table(self) -> Iterator[Block]:
        rows, self._rows = self._rows, []
        yield from table_blocks(rows)

    def _end_open_row(self) -> None:
        """Keep the cells of a row that the file ends in."""
        self._flush()
        if self._cells or self._paragraph.in_table:
            self._rows.append([*self._cells, one_line(self._taken())])

    def _end_property(self, closed: _Group) -> None:
        """Keep the description of a picture or shape, behind the paragraph it stands in."""
        text = "" if closed.property == "sn" or closed.deleted else alternative_text(_whole("".join(self._description)))
        if text and closed.aside:
            self.aside.append(Block("note", text))
        elif text:
            self._pictures.append(text)

    def _end_aside(self) -> None:
        text = _whole("".join(self._aside_text))
        self._aside_text = []
        if text and all(block.text != text for block in self.aside):
            self.aside.append(Block("note", text))

    def _taken(self) -> str:
        text = _whole("".join(self._paragraph.text))
        self._paragraph.text = []
        return text

    def _byte(self, content: bytes) -> None:
        skipped = min(self._to_skip, len(content))
        self._to_skip -= skipped
        self._bytes += content[skipped:]

    def _flush(self) -> None:
        if self._bytes:
            self._add(self._bytes.decode(self._groups[-1].codec, "replace"))
            self._bytes.clear()

    def _add(self, text: str) -> None:
        group = self._groups[-1]
        if group.property == "sn":
            self._property_name.append(text)
        elif group.property and self._property_name == [_DESCRIPTION]:  # the values of others can be whole pictures
            self._description.append(text)
        if group.skipped or group.deleted:
            return
        (self._aside_text if group.aside else self._paragraph.text).append(text)


def _font_codecs(data: bytes) -> dict[int, str]:
    start = data.find(b"\\fonttbl")
    table = data[start : start + 200_000] if start >= 0 else b""
    found = re.findall(rb"\\f(\d{1,5})(?=[\\ ])[^{}]*?\\fcharset(\d{1,3})", table)
    return {int(font): _CHARSETS[int(charset)] for font, charset in found if int(charset) in _CHARSETS}


def _known(codec: str) -> str:
    try:
        b"".decode(codec)
    except LookupError:
        return "cp1252"
    return codec


def _whole(text: str) -> str:
    """Surrogates joined to characters, without what no store takes."""
    return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")).strip()
