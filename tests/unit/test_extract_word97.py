"""Word 97-2003 documents."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.builders.files.extracted import extracted, outline
from tests.builders.files.word97 import compound_file, doc

IN_TABLE = struct.pack("<HB", 0x2416, 1)
ROW_END = struct.pack("<HBHB", 0x2416, 1, 0x2417, 1)
LEVEL_THREE = struct.pack("<HB", 0x2640, 2)


def test_headings_are_known_by_style_and_outline_level(tmp_path: Path) -> None:
    path = doc(
        tmp_path / "a.doc", "大見出し\r本文です\r小見出し\r表 1：説明\r", styles=[1, 0, 30], modifiers={2: LEVEL_THREE}
    )
    result = extracted(path)
    assert outline(result) == [
        ("heading1", "大見出し"),
        ("paragraph", "本文です"),
        ("heading3", "小見出し"),
        ("caption", "表 1：説明"),
    ]
    assert (result.state, result.document.mime_type) == ("ok", "application/msword")


def test_deleted_text_is_left_out_and_its_paragraph_end_too(tmp_path: Path) -> None:
    path = doc(tmp_path / "a.doc", "残る消える\r続き\r", deleted=(2, 6))
    assert extracted(path).document.text == "残る続き"


def test_the_cells_of_a_table_row_are_parted_by_tabs(tmp_path: Path) -> None:
    cells = dict.fromkeys(range(4), IN_TABLE)
    path = doc(tmp_path / "a.doc", "左\r下\x07右\x07\x07後\r", modifiers={**cells, 3: ROW_END})
    assert outline(extracted(path)) == [("table", "左 下\t右"), ("paragraph", "後")]


def test_fields_show_their_result(tmp_path: Path) -> None:
    text = '前\x13 HYPERLINK "\x13 PAGE \x147\x15" \x14見える\x15後\x13 TC x \x15。\r'
    assert extracted(doc(tmp_path / "a.doc", text)).document.text == "前見える後。"


def test_pieces_of_one_byte_characters_are_read(tmp_path: Path) -> None:
    assert (
        extracted(doc(tmp_path / "a.doc", "caf\u00e9 \u2013 S\x1eGW\r", one_byte=True)).document.text == "café – S-GW"
    )


def test_footnotes_follow_the_body(tmp_path: Path) -> None:
    path = doc(tmp_path / "a.doc", "本文\x02𠮷野\r", footnotes="\x02 脚注\r")
    assert outline(extracted(path)) == [("paragraph", "本文𠮷野"), ("note", "脚注")]


@pytest.mark.parametrize(
    ("options", "state", "reason"),
    [
        ({"flags": 0x0300}, "encrypted", "The Word document is password-protected."),
        ({"version": 0x0065}, "unsupported", "The file is a document of Word 95 or older, which is not supported."),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, options: dict[str, int], state: str, reason: str) -> None:
    result = extracted(doc(tmp_path / "a.doc", "本文\r", **options))  # type: ignore[arg-type]
    assert (result.state, result.reason) == (state, reason)


def test_a_damaged_document_is_corrupt_whatever_is_wrong(tmp_path: Path) -> None:
    whole = doc(tmp_path / "whole.doc", "本文\r" * 30).read_bytes()
    cut = tmp_path / "cut.doc"
    for size in (20, 80, 600, 1024, 1600, 3000):
        cut.write_bytes(whole[:size])
        result = extracted(cut)
        assert result.state in ("corrupt", "empty", "partial", "unsupported")
        assert result.reason
    directory, first_of_text = 1, 2
    for sector in (directory, first_of_text):
        looping = bytearray(whole)
        struct.pack_into("<I", looping, 512 + 4 * sector, sector)  # it follows itself
        cut.write_bytes(looping)
        assert extracted(cut).state == "corrupt"


def test_a_container_of_another_program_is_unsupported(tmp_path: Path) -> None:
    result = extracted(compound_file(tmp_path / "a.doc", {"Contents": b"x"}))
    assert (result.state, result.document.mime_type) == ("unsupported", "application/x-ole-storage")
