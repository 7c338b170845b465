"""Files that lie within Office files: read like any file, within one allowance, and named where they stay closed."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from tests.builders.files.containers import OFFICE, zip_file
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.office import drawing, workbook
from tests.builders.files.word import paragraph, word
from tests.builders.files.word97 import compound_file, doc


def holding(path: Path, kind: str, name: str, content: bytes) -> Path:
    """A Word document with a part of this kind of relationship."""
    with zipfile.ZipFile(word(path, paragraph("本文"))) as whole:
        entries = {part: whole.read(part) for part in whole.namelist()}
    rels = "word/_rels/document.xml.rels"
    relation = f'<Relationship Id="e1" Type="{OFFICE}/{kind}" Target="{name}"/></Relationships>'
    entries[rels] = entries[rels].replace(b"</Relationships>", relation.encode())
    return zip_file(path, {**entries, f"word/{name}": content})


def packed(name: str, content: bytes) -> bytes:
    """A file as Windows packs it into an object."""
    copy = b"C:\\tmp\\x\0"
    head = struct.pack("<H", 2) + name.encode("cp932") + b"\0C:\\x\0" + struct.pack("<HHI", 0, 3, len(copy)) + copy
    body = head + struct.pack("<I", len(content)) + content
    return struct.pack("<I", len(body)) + body


def test_a_workbook_in_a_document_is_read_by_its_name(tmp_path: Path) -> None:
    book = workbook(tmp_path / "b.xlsx", {"表": [["額", 5]]}).read_bytes()
    assert outline(extracted(holding(tmp_path / "a.docx", "package", "表.xlsx", book))) == [
        ("paragraph", "本文"), ("heading2", "添付ファイル / Attachment: 表.xlsx"),
        ("heading1", "表"), ("table", "額\t5"),
    ]  # fmt: skip


def test_a_figure_in_a_document_is_the_text_of_its_shapes_and_one_without_text_is_no_loss(tmp_path: Path) -> None:
    figure = drawing(
        tmp_path / "f.vsdx", ["<PageContents><Shape><Text>1. 登録</Text></Shape></PageContents>"]
    ).read_bytes()
    assert outline(extracted(holding(tmp_path / "a.docx", "package", "f.vsdx", figure))) == [
        ("paragraph", "本文"), ("heading2", "添付ファイル / Attachment: f.vsdx"), ("paragraph", "1. 登録"),
    ]  # fmt: skip
    arrow = drawing(tmp_path / "e.vsdx", ["<PageContents><Shape/></PageContents>"]).read_bytes()
    assert extracted(holding(tmp_path / "b.docx", "package", "e.vsdx", arrow)).state == "ok"


def test_a_page_that_a_document_takes_in_is_part_of_its_text(tmp_path: Path) -> None:
    result = extracted(holding(tmp_path / "a.docx", "aFChunk", "page.html", "<html><p>取り込んだ文</p>".encode()))
    assert outline(result) == [("paragraph", "本文"), ("paragraph", "取り込んだ文")]


def test_a_file_packed_into_an_object_is_read(tmp_path: Path) -> None:
    text = "梱包された文\n" * 300
    inside = compound_file(tmp_path / "o.bin", {"\x01Ole10Native": packed("メモ.txt", text.encode())}).read_bytes()
    result = extracted(holding(tmp_path / "a.docx", "oleObject", "o.bin", inside))
    assert result.state == "ok"
    assert ("heading2", "添付ファイル / Attachment: メモ.txt") in outline(result)
    assert "梱包された文" in result.document.text


def test_an_object_of_an_unknown_program_is_the_picture_of_it_and_a_damaged_workbook_is_a_loss(tmp_path: Path) -> None:
    old = compound_file(tmp_path / "o.bin", {"VisioDocument": b"x"}).read_bytes()
    assert extracted(holding(tmp_path / "a.docx", "oleObject", "o.bin", old)).reason == ""
    result = extracted(holding(tmp_path / "b.docx", "package", "b.xlsx", b"PK\x03\x04damaged"))
    assert (result.state, result.reason) == ("partial", "b.xlsx: The file is a damaged ZIP container.")


def test_documents_within_documents_are_opened_three_deep_and_that_is_said(tmp_path: Path) -> None:
    inside = word(tmp_path / "5.docx", paragraph("奥")).read_bytes()
    for depth in range(4, -1, -1):
        inside = holding(tmp_path / f"{depth}.docx", "package", f"in{depth}.docx", inside).read_bytes()
    result = extracted(tmp_path / "0.docx")
    assert result.document.text.count("本文") == 4
    assert result.state == "partial"
    assert result.reason.endswith("Files within files are opened 3 deep, and no deeper.")


def test_an_old_document_gives_the_files_it_can_and_counts_the_others(tmp_path: Path) -> None:
    with_objects = doc(tmp_path / "plain.doc", "本文\r").read_bytes()
    book = workbook(tmp_path / "b.xlsx", {"表": [["額" * 50, number] for number in range(300)]}).read_bytes()
    path = compound_file(tmp_path / "a.doc", {
        **streams_of(with_objects), "ObjectPool/_1/Package": book, "ObjectPool/_2/Workbook": b"x",
    })  # fmt: skip
    result = extracted(path)
    assert "額額" in result.document.text
    assert (result.state, result.reason) == ("partial", "Documents embedded in the file were not read: 1.")


def test_a_damaged_object_costs_no_text_of_the_document_around_it(tmp_path: Path) -> None:
    streams = streams_of(doc(tmp_path / "plain.doc", "本文\r").read_bytes())
    broken = packed("a.txt", b"x").replace(struct.pack("<I", 9), struct.pack("<I", 0x28000000))
    path = compound_file(tmp_path / "a.doc", {**streams, "ObjectPool/_1/\x01Ole10Native": broken})
    result = extracted(path)
    assert (result.state, result.reason) == ("partial", "An object in the file is damaged and was not read.")
    assert outline(result) == [("paragraph", "本文")]


def streams_of(data: bytes) -> dict[str, bytes]:
    container = open_container(data)
    return {"/".join(path): read_stream(container, "/".join(path)) for path in container.listdir()}
