"""Messages, books, archives and Rich Text with text in every corner: what `readings.py` reads beside Office files."""

from __future__ import annotations

import struct
import zipfile
from io import BytesIO
from pathlib import Path

from benchmarks.samples import Samples, Texts
from tests.builders.files.containers import zip_file
from tests.builders.files.word97 import compound_file, doc

_PAGE = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body>{}</body></html>"
_ATTACHED = "__attach_version1.0_#00000000/"


def _book(path: Path, said: Texts) -> None:
    """Pages in folders, a table of contents within the order of reading, a page outside it."""
    pages = {
        "nav.xhtml": f"<nav><ol><li><a href='a/one.xhtml'>{said()}</a></li></ol></nav>",
        "a/one.xhtml": f"<h1>{said()}</h1><p>{said()}<ruby>東<rt>とう</rt></ruby></p><aside><p>{said()}</p></aside>",
        "b/c/two.xhtml": f"<table><tr><td>{said()}</td><td>{said()}</td></tr></table><ul><li>{said()}</li></ul>",
    }
    listed = "".join(
        f"<item id='i{number}' href='{name}' media-type='application/xhtml+xml'/>" for number, name in enumerate(pages)
    )
    spine = "".join(f"<itemref idref='i{number}'/>" for number in range(len(pages)))
    package = (
        "<package xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata>"
        f"<dc:title>{said()}</dc:title></metadata><manifest>{listed}</manifest><spine>{spine}</spine></package>"
    )
    zip_file(path, {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": "<container><rootfile full-path='OPS/book.opf'/></container>",
        "OPS/book.opf": package, **{f"OPS/{name}": _PAGE.format(page) for name, page in pages.items()},
    })  # fmt: skip


def _message(path: Path, said: Texts, body: dict[str, bytes], code_page: int) -> None:
    codes = bytes(32) + struct.pack("<IIQ", 0x3FFD << 16 | 3, 6, code_page)
    name, text = said(), said()
    compound_file(path, {
        "__properties_version1.0": codes, "__substg1.0_0037001E": said().encode("cp932"), **body,
        f"{_ATTACHED}__properties_version1.0": bytes(24),
        f"{_ATTACHED}__substg1.0_3707001F": f"{name}.txt".encode("utf-16-le"),
        f"{_ATTACHED}__substg1.0_37010102": (f"{text}\n" * 100).encode(),
    })  # fmt: skip


def _plain_message(path: Path, said: Texts) -> None:
    _message(path, said, {"__substg1.0_1000001E": f"{said()}\r\n{said()}".encode("cp932")}, 932)


def _html_message(path: Path, said: Texts) -> None:
    page = f"<html><head><meta charset=iso-2022-jp></head><body><p>{said()}</p></body></html>"
    _message(path, said, {"__substg1.0_10130102": page.encode("iso-2022-jp")}, 50220)


def _rtf_message(path: Path, said: Texts) -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg932\fromhtml1 \deff0{\fonttbl{\f0\fcharset128 MS Gothic;}}{\*\htmltag64 <p>}"
        + _escaped(said()) + rb"\par{\*\htmltag72 </p>}" + _escaped(said()) + rb"\par}"
    )  # fmt: skip
    packed = struct.pack("<IIII", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf
    _message(path, said, {"__substg1.0_10090102": packed}, 932)


def _escaped(text: str) -> bytes:
    return "".join(c if c.isascii() else "".join(f"\\'{byte:02x}" for byte in c.encode("cp932")) for c in text).encode()


def _archives(path: Path, said: Texts) -> None:
    """ZIP in ZIP in ZIP, a book and a message among them."""
    content, name = f"{said()}\n".encode(), "a.txt"
    for depth in range(2):
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, content)
            archive.writestr(f"beside-{depth}.md", said())
        content, name = packed.getvalue(), "in.zip"
    _book(path.with_suffix(".epub"), said)
    zip_file(path, {"in.zip": content, "book.epub": path.with_suffix(".epub").read_bytes()})
    path.with_suffix(".epub").unlink()


def _openoffice_rtf(path: Path, said: Texts) -> None:
    """As OpenOffice 3 writes it: a style in the middle of a link, a font for every script, notes."""
    characters = rb"\rtlch\af7\ltrch\dbch\af6\langfe1041\hich\f1\loch\f1\fs24 "
    path.write_bytes(
        rb"{\rtf1\ansi\deff1\adeflang1025{\fonttbl{\f1\froman\fcharset128 MS Mincho;}{\f6\fcharset0 Arial;}}"
        rb"{\stylesheet{\s1\snext1{\*\hyphen2}Normal;}{\*\cs13\ul\sbasedon9 Internet link;}}"
        rb"{\info{\comment StarWriter}}{\*\pgdsctbl{\pgdsc0\pgdscnxt0 Standard;}}"
        rb"\pard\plain \ltrpar\s1{\*\hyphen2}{" + characters + _escaped(said())
        + rb"}{\field{\*\fldinst HYPERLINK a }{\fldrslt \*\cs13\ul\rtlch\ltrch\loch " + _escaped(said())
        + rb"}}{\super{\*\updnprop5801}\chftn{\*\footnote\chftn\pard\plain " + characters + _escaped(said())
        + rb"}}\par {\shp{\*\shpinst\shpleft0{\sp{\sn a}{\sv 1}}{\shptxt\pard " + _escaped(said()) + rb"\par}}}"
        + rb"\pard\plain\revised\revdttm-2074015744 " + _escaped(said())
        + rb"\par{\header\pard\plain\f1 " + _escaped(said()) + rb"\par}}"
    )  # fmt: skip


def _word_97(path: Path, said: Texts) -> None:
    doc(path, f"{said()}\r{said()}\r", footnotes=f"{said()}\r")


OTHER_SAMPLES: Samples = {
    ("epub", "nested folders, contents"): _book,
    ("msg", "plain, CP932"): _plain_message,
    ("msg", "HTML, ISO-2022-JP"): _html_message,
    ("msg", "Rich Text, CP932"): _rtf_message,
    ("zip", "archives in archives"): _archives,
    ("rtf", "as OpenOffice writes"): _openoffice_rtf,
    ("doc", "by hand"): _word_97,
}
