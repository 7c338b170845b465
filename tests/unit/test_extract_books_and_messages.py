"""Outlook messages (.msg) and EPUB books, written by our own builders."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from locator_search.adapters.extractors.containers.compressed_rtf import unpacked
from tests.builders.files.containers import zip_file
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.word97 import compound_file

_PACKED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)
"""The example of MS-OXRTFCP 4.1."""


def wide(folder: str, number: int, text: str) -> dict[str, bytes]:
    return {f"{folder}__substg1.0_{number:04X}001F": text.encode("utf-16-le")}


def listed(folder: str, values: dict[int, int]) -> dict[str, bytes]:
    entries = b"".join(struct.pack("<IIQ", number << 16 | 0x40, 6, value) for number, value in values.items())
    return {f"{folder}__properties_version1.0": bytes(24 if folder else 32) + entries}


def ticks(moment: datetime) -> int:
    return int((moment - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000


def test_an_outlook_message_gives_headers_body_and_attachments_by_name_and_text(tmp_path: Path) -> None:
    attached, forwarded = "__attach_version1.0_#00000000/", "__attach_version1.0_#00000001/"
    inside = f"{forwarded}__substg1.0_3701000D/"
    path = compound_file(
        tmp_path / "mail.msg",
        {
            **listed("", {0x0039: ticks(datetime(2026, 9, 1, 3, 4, tzinfo=UTC))}),
            **wide("", 0x0037, "見積書の件"), **wide("", 0x0C1A, "髙橋"), **wide("", 0x5D01, "t@example.jp"),
            **wide("", 0x0E04, "sales"), **wide("", 0x1000, "お世話になっております。\r\n\r\n送ります。"),
            **listed(attached, {}), **wide(attached, 0x3707, "見積.txt"),
            f"{attached}__substg1.0_37010102": ("合計は百万円です。" * 200).encode(),
            **listed(forwarded, {}), **wide(forwarded, 0x3001, "前の便り"),
            **listed(inside, {}), **wide(inside, 0x0037, "前の便り"), **wide(inside, 0x1000, "先日の件です。"),
        },
    )  # fmt: skip
    result = extracted(path)
    assert (result.reason, result.document.mime_type) == ("", "application/vnd.ms-outlook")
    assert outline(result) == [
        ("heading1", "見積書の件"),
        ("paragraph", "From: 髙橋 <t@example.jp>\nTo: sales\nDate: 2026-09-01 03:04 UTC"),
        ("paragraph", "お世話になっております。"),
        ("paragraph", "送ります。"),
        ("heading2", "添付ファイル / Attachment: 前の便り"),
        ("heading1", "前の便り"),
        ("paragraph", "先日の件です。"),
        ("heading2", "添付ファイル / Attachment: 見積.txt"),
        ("paragraph", "合計は百万円です。" * 200),
    ]


def test_a_message_in_bytes_of_a_code_page_is_read_as_html_or_rich_text(tmp_path: Path) -> None:
    codes = listed("", {0x3FFD: 932})
    page = {"__substg1.0_10130102": "<p>HTML の本文</p>".encode()}
    path = compound_file(tmp_path / "a.msg", {**codes, "__substg1.0_0037001E": "件名".encode("cp932"), **page})
    assert outline(extracted(path)) == [("heading1", "件名"), ("paragraph", "HTML の本文")]
    path = compound_file(tmp_path / "b.msg", {**codes, "__substg1.0_10090102": _PACKED})
    assert outline(extracted(path)) == [("paragraph", "hello world")]


def test_packed_rich_text_is_unpacked_as_its_specification_says() -> None:
    assert unpacked(_PACKED) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_an_attachment_that_is_a_link_is_named(tmp_path: Path) -> None:
    linked = "__attach_version1.0_#00000000/"
    path = compound_file(
        tmp_path / "a.msg",
        {**listed("", {}), **wide("", 0x1000, "本文"), **listed(linked, {}), **wide(linked, 0x3707, "a.xlsx")},
    )
    result = extracted(path)
    assert (result.state, result.reason) == (
        "partial", "a.xlsx: This attachment is a link or an object, and was not read.",
    )  # fmt: skip


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_a_message_cut_off_is_no_crash(tmp_path: Path, share: float) -> None:
    path = compound_file(tmp_path / "a.msg", {**listed("", {}), **wide("", 0x0037, "件名"), **wide("", 0x1000, "本文")})
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    assert extracted(path).state in ("corrupt", "partial")


def book(path: Path, **more: str) -> Path:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body>%s</body></html>"
    return zip_file(
        path,
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": "<container><rootfile full-path='OPS/book.opf'/></container>",
            "OPS/book.opf": "<package xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata><dc:title>手引き</dc:title>"
            "<dc:creator>高橋</dc:creator></metadata><manifest>"
            "<item id='b' href='second%20page.xhtml' media-type='application/xhtml+xml'/>"
            "<item id='a' href='first.xhtml' media-type='application/xhtml+xml'/></manifest>"
            "<spine><itemref idref='a'/><itemref idref='b'/></spine></package>",
            "OPS/first.xhtml": page % "<h1>第一章</h1><p>はじめに。</p>",
            "OPS/second page.xhtml": page % "<p>おわりに。</p>",
            **more,
        },
    )


def test_the_pages_of_a_book_come_in_the_order_of_its_spine(tmp_path: Path) -> None:
    result = extracted(book(tmp_path / "a.epub"))
    assert (result.state, result.document.mime_type) == ("ok", "application/epub+zip")
    assert outline(result) == [
        ("heading1", "手引き"), ("paragraph", "高橋"), ("heading1", "第一章"), ("paragraph", "はじめに。"),
        ("paragraph", "おわりに。"),
    ]  # fmt: skip


def test_the_lettering_of_drawings_in_a_book_is_read(tmp_path: Path) -> None:
    drawn = "<svg xmlns='http://www.w3.org/2000/svg'><title>図</title><text>風<tspan>下に</tspan></text></svg>"
    pages = {
        "OPS/book.opf": "<package><item id='a' href='first.xhtml' media-type='application/xhtml+xml'/>"
        "<item id='b' href='b.svg' media-type='image/svg+xml'/><itemref idref='a'/><itemref idref='b'/></package>",
        "OPS/first.xhtml": f"<html><body><p>前</p>{drawn}<object data='x.bin'><p>代わりの文</p></object></body></html>",
        "OPS/b.svg": drawn.replace("風", "沖"),
    }
    result = extracted(book(tmp_path / "a.epub", **pages))
    assert (result.state, [text for _, text in outline(result)]) == ("ok", ["前", "風下に", "代わりの文", "沖下に"])


def test_a_message_that_names_utf16_for_bytes_is_no_garbage_and_has_its_hidden_recipients(tmp_path: Path) -> None:
    path = compound_file(tmp_path / "a.msg", {
        **listed("", {0x3FFD: 1200, 0x3FDE: 28591}),
        "__substg1.0_1000001E": "Réponse à vos attentes de messagerie".encode("cp1252"),
        **wide("", 0x0E02, "控えの人"),
    })  # fmt: skip
    text = extracted(path).document.text
    assert "Bcc: 控えの人" in text
    assert "Réponse" in text


def test_a_book_says_what_is_locked_and_what_is_missing(tmp_path: Path) -> None:
    cipher = "<encryption><CipherReference URI='OPS/%s'/></encryption>"
    locked = extracted(book(tmp_path / "a.epub", **{"META-INF/encryption.xml": cipher % "first.xhtml"}))
    assert locked.reason == "The pages of the EPUB book are encrypted."
    assert extracted(book(tmp_path / "b.epub", **{"META-INF/encryption.xml": cipher % "font.otf"})).state == "ok"
    short = book(tmp_path / "c.epub", **{"OPS/book.opf": "<package><item id='a' href='gone.xhtml' "
        "media-type='text/html'/><itemref idref='a'/></package>"})  # fmt: skip
    assert extracted(short).reason == "OPS/gone.xhtml: This page of the book could not be read."
    other = book(tmp_path / "d.epub", **{"OPS/book.opf": "<package>"
        "<item id='a' href='first.xhtml' media-type='text/html'/>"
        "<item id='b' href='b.bin' media-type='application/x-b'/><item id='c' href='c.png' media-type='image/png'/>"
        "<itemref idref='a'/><itemref idref='b'/><itemref idref='c'/></package>"})  # fmt: skip
    result = extracted(other)
    assert (result.state, result.reason) == (
        "partial",
        "OPS/b.bin: This page of the book is of a kind that is not read.",
    )
