"""Files that lie within Office files: read like any file, within one allowance, and named where they stay closed."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from locator_search.adapters.extractors.legacy_office import ole_object
from tests.builders.files.containers import OFFICE, zip_file
from tests.builders.files.excel97 import workbook97
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.office import drawing, workbook
from tests.builders.files.pdfs import pdf
from tests.builders.files.powerpoint97 import Slide, presentation97
from tests.builders.files.word import paragraph, word
from tests.builders.files.word97 import compound_file, doc, holding_objects, streams_of


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


def test_documents_that_lie_piecemeal_in_an_old_document_are_read(tmp_path: Path) -> None:
    report = streams_of(doc(tmp_path / "report.doc", "中の報告\r").read_bytes())
    book = workbook97(tmp_path / "b.xls", {"予算": [["広告費", 120]]}).read_bytes()
    show = presentation97(tmp_path / "s.ppt", [Slide("組織図", "営業部")]).read_bytes()
    path = holding_objects(tmp_path / "a.doc", {"_1": report, "_2": streams_of(book), "_3": streams_of(show)})
    result = extracted(path)
    assert (result.state, result.reason) == ("ok", "")
    assert outline(result)[0] == ("paragraph", "本文")
    assert sorted(outline(result)[1:]) == [
        ("heading1", "予算"), ("heading1", "組織図"), ("paragraph", "中の報告"), ("paragraph", "営業部"),
        ("table", "広告費\t120"),
    ]  # fmt: skip


def test_objects_of_objects_are_opened_three_deep_and_that_is_said(tmp_path: Path) -> None:
    inside: dict[str, bytes] = {}
    for depth in range(5, 0, -1):
        streams = streams_of(doc(tmp_path / f"{depth}.doc", f"{depth}段目\r").read_bytes())
        inside = streams | {f"ObjectPool/_1/{name}": content for name, content in inside.items()}
    result = extracted(compound_file(tmp_path / "a.doc", inside))
    assert [text for _, text in outline(result)] == ["1段目", "2段目", "3段目", "4段目"]
    assert (result.state, result.reason) == (
        "partial",
        "An object in the file: An object in the file: An object in the file: "
        "Files within files are opened 3 deep, and no deeper.",
    )


def test_an_old_document_gives_the_files_it_can_and_names_what_is_damaged(tmp_path: Path) -> None:
    book = workbook(tmp_path / "b.xlsx", {"表": [["額" * 50, number] for number in range(300)]}).read_bytes()
    path = holding_objects(tmp_path / "a.doc", {"_1": {"Package": book}, "_2": {"Workbook": b"x"}})
    result = extracted(path)
    assert "額額" in result.document.text
    assert (result.state, result.reason) == (
        "partial",
        "An object in the file: The file is damaged: it could not be read as an Excel 97-2003 workbook (.xls).",
    )


def test_objects_beyond_the_allowance_of_a_file_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ole_object, "MAX_PART_BYTES", 6_000)
    report = streams_of(doc(tmp_path / "report.doc", "中の報告\r").read_bytes())
    result = extracted(holding_objects(tmp_path / "a.doc", {"_1": report}))
    assert outline(result) == [("paragraph", "本文")]
    assert (result.state, result.reason) == ("partial", "Documents embedded in the file were not read: 1.")


def test_a_pdf_in_an_old_document_is_read_and_the_contents_of_other_programs_are_not(tmp_path: Path) -> None:
    printed = pdf(tmp_path / "p.pdf", [["印刷された文"]]).read_bytes()
    path = holding_objects(tmp_path / "a.doc", {"_1": {"CONTENTS": printed}, "_2": {"CONTENTS": b"a form" * 99}})
    result = extracted(path)
    assert (result.state, result.reason) == ("ok", "")
    assert "印刷された文" in result.document.text
    assert "a form" not in result.document.text


@pytest.mark.parametrize("version", [b"\1\1\0\x0a", b"\0\3\0\x0a"])
def test_an_equation_is_the_picture_of_it(tmp_path: Path, version: bytes) -> None:
    equation = b"\x24\0\0\0\2\0" + version + b"\1\x12\x83F\2\x86=" + bytes(30)
    result = extracted(holding_objects(tmp_path / "a.doc", {"_1": {"\x01Ole10Native": equation}}))
    assert (result.state, result.reason) == ("ok", "")


def test_a_damaged_object_costs_no_text_of_the_document_around_it(tmp_path: Path) -> None:
    streams = streams_of(doc(tmp_path / "plain.doc", "本文\r").read_bytes())
    broken = packed("a.txt", b"x").replace(struct.pack("<I", 9), struct.pack("<I", 0x28000000))
    path = compound_file(tmp_path / "a.doc", {**streams, "ObjectPool/_1/\x01Ole10Native": broken})
    result = extracted(path)
    assert (result.state, result.reason) == ("partial", "An object in the file is damaged and was not read.")
    assert outline(result) == [("paragraph", "本文")]
