"""HTML: what a browser would show as text, with headings and tables."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from lxml import etree
from lxml import html as lxml_html

from locator_search.adapters.extractors.cleaning import clean, one_line, table_blocks
from locator_search.adapters.extractors.office.ooxml import Element
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.adapters.extractors.pictures import alternative_text, picture_blocks
from locator_search.adapters.extractors.text_formats.encodings import decode
from locator_search.model import Block

_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_SPACES = re.compile(r"\s+")  # a line break in HTML source is a space
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_HIDDEN = frozenset({"script", "style", "noscript", "template", "head", "iframe"})
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|rb|ruby|s|samp|small|"
    "span|strike|strong|sub|sup|time|tt|u|var|wbr"
)
_FURIGANA = frozenset({"rt", "rp", "rtc"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_JAPANESE_NAMES = {"shift_jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "windows-31j": "cp932"}


def read(data: bytes, _notes: Notes) -> Iterator[Block]:
    """Title, headings, paragraphs and tables in document order."""
    text = _XML_DECLARATION.sub("", clean(_decoded(data)))
    if not text.strip():
        return
    parser = lxml_html.HTMLParser(no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = lxml_html.document_fromstring(text, parser=parser)
    except etree.ParserError:  # nothing but comments
        return
    title = one_line(root.findtext(".//head/title") or "")
    if title:
        yield Block("paragraph", title)
    body = root.find("body")
    page = _Page()
    yield from page.blocks(body if body is not None else root)
    yield from page.flush()
    if len(parser.error_log.filter_from_fatals()):
        raise CannotExtract("corrupt", "The page is nested too deeply to be read whole.")


def _decoded(data: bytes) -> str:
    declared = _DECLARED.search(data[:4096])
    if declared is not None and not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = declared[1].decode("ascii").lower()
        try:
            return data.decode(_JAPANESE_NAMES.get(name, name))
        except (LookupError, UnicodeDecodeError):
            pass  # what a page declares is often not what it is
    return decode(data).text


class _Page:
    """Collects inline text until a block element ends it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def flush(self) -> Iterator[Block]:
        """The text collected so far as a paragraph."""
        lines = [one_line(line) for line in "".join(self._pieces).split("\n")]
        self._pieces.clear()
        text = "\n".join(line for line in lines if line)
        if text:
            yield Block("paragraph", text)

    def blocks(self, element: Element) -> Iterator[Block]:
        """Blocks of what an element contains; trailing inline text stays collected."""
        self._add(element.text)
        for node in element:
            tag = node.tag if isinstance(node.tag, str) else ""
            if tag == "br":
                self._pieces.append("\n")
            elif tag in _HEADINGS:
                yield from self.flush()
                text = one_line(_all_text(node))
                if text:
                    yield Block("heading", text, level=_HEADINGS[tag])
                yield from picture_blocks(_described(node))
            elif tag == "table":
                yield from self.flush()
                yield from self._table(node)
            elif tag == "img":
                yield from self.flush()
                yield from picture_blocks([_own_text(node)])
            elif tag == "svg":
                yield from self.flush()
                yield from (Block("paragraph", text) for text in _drawn_texts(node))
            elif _INLINE.fullmatch(tag):
                yield from self.blocks(node)
            elif tag and tag not in _HIDDEN and tag not in _FURIGANA:
                yield from self.flush()
                yield from self.blocks(node)
                yield from self.flush()
            self._add(node.tail)

    def _add(self, text: str | None) -> None:
        if text:
            self._pieces.append(_SPACES.sub(" ", text))

    def _table(self, table: Element) -> Iterator[Block]:
        rows = [row for row in table.iter("tr") if next(row.iterancestors("table"), None) is table]
        cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
        if all(len(row) <= 1 for row in cells):  # laid out with a table
            for row in cells:
                for cell in row:
                    yield from self.blocks(cell)
                    yield from self.flush()
            return
        caption = table.find("caption")
        if caption is not None and _all_text(caption).strip():
            yield Block("caption", one_line(_all_text(caption)))
        yield from table_blocks([_all_text(cell) for cell in row] for row in cells)
        yield from picture_blocks(_described(table))


def _own_text(image: Element) -> str:
    """The text that an image says of itself."""
    return alternative_text(image.get("title"), image.get("alt"))


def _described(element: Element) -> Iterator[str]:
    """The texts of the images below an element, without those that a browser hides."""
    for node in element:
        tag = node.tag if isinstance(node.tag, str) else ""
        if tag == "img":
            yield _own_text(node)
        elif tag and tag not in _HIDDEN:
            yield from _described(node)


def _drawn_texts(drawing: Element) -> Iterator[str]:
    """The lettering of a drawing in SVG, without its description."""
    texts = (one_line("".join(map(str, text.itertext()))) for text in drawing.iter("text"))
    return filter(None, texts)


def _all_text(element: Element) -> str:
    """The text below an element, without what a browser hides."""
    pieces = [element.text or ""]
    for node in element:
        tag = node.tag if isinstance(node.tag, str) else ""
        if tag == "svg":
            pieces += [" ", " ".join(_drawn_texts(node)), " "]
        elif tag and tag not in _HIDDEN and tag not in _FURIGANA:
            separator = "" if _INLINE.fullmatch(tag) else " "
            pieces += [separator, _all_text(node), separator]
        pieces.append(node.tail or "")
    return "".join(pieces)
