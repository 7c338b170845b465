"""Word 97-2003 documents (.doc), read without any office program."""

from __future__ import annotations

import re
from collections.abc import Iterator

from locator_search.adapters.extractors.cleaning import clean, one_line, table_blocks
from locator_search.adapters.extractors.legacy_office.ole_object import attach_objects
from locator_search.adapters.extractors.legacy_office.word97_file import NOTHING, Paragraph, Word97File
from locator_search.adapters.extractors.office.word_styles import is_caption
from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.pictures import picture_blocks
from locator_search.model import Block

_PARAGRAPH_END = re.compile("[\r\x07\x0c]")
_CELL_END = "\x07"
# A field is BEGIN instruction SEPARATOR result END; only the result is text. Innermost first.
_FIELD_CODE = re.compile("\x13[^\x13\x14\x15]*(?:\x14([^\x13\x14\x15]*))?\x15")
_CHARACTERS = str.maketrans({"\x1e": "-", "\x1f": "", "\x0e": "\n", NOTHING: ""})
_BODY_TEXT = 9


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Body, then notes, comments, headers, text boxes and pictures. The format keeps no page numbers."""
    file = Word97File(data)
    stories = file.stories
    yield from _body(file, 0, stories.body)
    start = stories.body
    for name, length in zip(stories._fields[1:], stories[1:], strict=True):
        if name != "macros":
            kind = "paragraph" if name == "boxes" else "note"
            for text in _PARAGRAPH_END.split(_without_field_codes(file.text[start : start + length])):
                if _readable(text):
                    yield Block("note" if kind == "note" else "paragraph", _readable(text))
        start += length
    yield from picture_blocks(file.picture_texts())
    attach_objects(file.container, notes)


def _body(file: Word97File, start: int, end: int) -> Iterator[Block]:
    rows: list[list[str]] = []
    cells: list[str] = []
    cell: list[str] = []
    text = _without_field_codes(file.text[start:end])
    for paragraph, properties in _paragraphs(file, text):
        ends_cell = paragraph.endswith(_CELL_END)
        content = _readable(paragraph[:-1])
        if properties.row_end:
            rows.append(cells)
            cells = []
        elif properties.in_table or ends_cell:
            cell.append(content)
            if ends_cell:
                cells.append(" ".join(cell))
                cell = []
        else:
            yield from table_blocks(rows)
            rows = []
            if content:
                yield _block(content, properties)
    yield from table_blocks([*rows, [*cells, *cell]])


def _paragraphs(file: Word97File, text: str) -> Iterator[tuple[str, Paragraph]]:
    """Each paragraph with its end mark and its properties."""
    start = 0
    for mark in _PARAGRAPH_END.finditer(text):
        yield text[start : mark.end()], file.paragraph(mark.start())
        start = mark.end()
    if start < len(text):
        yield text[start:] + "\r", file.paragraph(len(text) - 1)


def _block(text: str, properties: Paragraph) -> Block:
    level = properties.style if 1 <= properties.style <= 9 else 0
    if properties.outline is not None:
        level = properties.outline + 1 if properties.outline < _BODY_TEXT else 0
    if level:
        return Block("heading", one_line(text), level)
    return Block("caption" if is_caption(text) else "paragraph", text)


def _without_field_codes(text: str) -> str:
    """`text` with the codes of fields blanked out, every character in its place."""
    while (shorter := _FIELD_CODE.sub(_only_result, text)) != text:
        text = shorter
    return text


def _only_result(field: re.Match[str]) -> str:
    result = field[1] or ""
    return NOTHING * (len(field[0]) - len(result) - 1) + result + NOTHING


def _readable(text: str) -> str:
    """Text for people: without placeholders of pictures and marks, surrogates joined to characters."""
    plain = text.translate(_CHARACTERS)
    return clean(plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")).strip()
