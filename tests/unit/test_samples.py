"""The sample folder: what ``samples/`` promises to hold, and that our own code reproduces it."""

import io
import unicodedata
import zipfile
from collections import Counter
from datetime import datetime
from pathlib import Path, PurePosixPath

import pypdf
import pytest
from openpyxl import load_workbook
from PIL import Image

from tests.builders.sample_company import folder as sample_folder
from tests.builders.sample_company.markup import Bullet, Heading, PageBreak, Paragraph, Table, parse
from tests.builders.sample_company.questions import QUESTIONS, UNANSWERED_QUESTIONS, VAGUE_QUESTIONS, Kind
from tests.builders.sample_company.texts.people import APPRAISAL_PASSWORD

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def committed() -> dict[str, bytes]:
    return {file.relative_to(SAMPLES).as_posix(): file.read_bytes() for file in SAMPLES.rglob("*") if file.is_file()}


def _named(files: dict[str, bytes], part: str) -> bytes:
    [content] = [content for path, content in files.items() if part in path]
    return content


def test_our_code_reproduces_the_committed_folder_byte_for_byte(
    committed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # as build machines set it
    sizes = sample_folder.write_folder(tmp_path)
    assert sorted(sizes) == sorted(committed)
    assert [path for path in sizes if (tmp_path / path).read_bytes() != committed[path]] == []


def test_the_folder_is_small_and_its_documents_are_many(committed: dict[str, bytes]) -> None:
    assert len(committed) >= 60
    assert sum(map(len, committed.values())) < 3_000_000


def test_every_format_is_there_more_than_once(committed: dict[str, bytes]) -> None:
    counts = Counter(PurePosixPath(path).suffix for path in committed)
    assert counts.pop(".png") == 1
    assert set(counts) == {".md", ".txt", ".csv", ".docx", ".pdf", ".xlsx", ".pptx", ".html"}
    assert min(counts.values()) >= 2


def test_one_csv_is_only_readable_as_cp932(committed: dict[str, bytes]) -> None:
    content = _named(committed, "来場者名簿.csv")
    assert {"①", "㈱", "髙"} <= set(content.decode("cp932"))
    for encoding in ("utf-8", "shift_jis", "euc_jp"):
        with pytest.raises(UnicodeDecodeError):
            content.decode(encoding)


def test_one_word_document_has_tracked_changes(committed: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(_named(committed, "ECN-2026-014"))) as archive:
        body = archive.read("word/document.xml").decode()
    assert "<w:ins " in body
    assert '<w:delText xml:space="preserve">±50 m/s²</w:delText>' in body


def test_office_packages_are_stored_with_a_fixed_date(committed: dict[str, bytes]) -> None:
    members = [
        member
        for path, content in committed.items()
        if path.endswith((".docx", ".xlsx", ".pptx")) and path != sample_folder.TRUNCATED
        for member in zipfile.ZipFile(io.BytesIO(content)).infolist()
    ]
    assert {member.compress_type for member in members} == {zipfile.ZIP_STORED}
    assert {member.date_time for member in members} == {(1980, 1, 1, 0, 0, 0)}


def test_workbooks_have_several_sheets_and_real_dates(committed: dict[str, bytes]) -> None:
    books = [load_workbook(io.BytesIO(content)) for path, content in committed.items() if path.endswith(".xlsx")]
    assert all(len(book.sheetnames) >= 2 for book in books)
    assert any(
        isinstance(value, datetime)
        for book in books
        for row in book.worksheets[0].iter_rows(values_only=True)
        for value in row
    )


def test_a_japanese_pdf_has_a_text_layer(committed: dict[str, bytes]) -> None:
    reader = pypdf.PdfReader(io.BytesIO(_named(committed, "売上報告 2026年10月.pdf")))
    assert "10月の売上高は507,000千円" in reader.pages[0].extract_text()


def test_the_manual_has_several_pages(committed: dict[str, bytes]) -> None:
    assert len(pypdf.PdfReader(io.BytesIO(_named(committed, "HP-350_取扱説明書.pdf"))).pages) == 3


def test_the_appraisals_open_with_their_password_only(committed: dict[str, bytes]) -> None:
    reader = pypdf.PdfReader(io.BytesIO(_named(committed, "人事評価結果")))
    assert reader.is_encrypted
    assert not reader.decrypt("")
    assert reader.decrypt(APPRAISAL_PASSWORD)
    assert "賞与への反映" in reader.pages[0].extract_text()


def test_the_scan_is_a_picture_without_text(committed: dict[str, bytes]) -> None:
    [page] = pypdf.PdfReader(io.BytesIO(committed[sample_folder.SCAN])).pages
    assert page.extract_text() == ""
    assert len(page.images) == 1


def test_the_png_opens_as_a_picture(committed: dict[str, bytes]) -> None:
    with Image.open(io.BytesIO(committed[sample_folder.PICTURE])) as image:
        image.load()
        assert image.size == (480, 240)


def test_the_wreckage_is_there(committed: dict[str, bytes]) -> None:
    assert committed[sample_folder.EMPTY] == b""
    truncated = committed[sample_folder.TRUNCATED]
    assert truncated.startswith(b"PK")
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(truncated))


def test_copies_are_exact_and_versions_differ(committed: dict[str, bytes]) -> None:
    for copy, original in sample_folder.COPIES.items():
        assert committed[copy] == committed[original]
    for first in (path for path in committed if "_v1." in path):
        assert committed[first] != committed[first.replace("_v1.", "_v2.")]
    assert sum("_v1." in path for path in committed) == 2


def test_troublesome_names_are_there(committed: dict[str, bytes]) -> None:
    names = [PurePosixPath(path).name for path in committed]
    assert 220 <= max(len(name.encode()) for name in names) <= 255
    assert any(name != unicodedata.normalize("NFC", name) for name in names)
    for mark in ("【", "[draft]", "🎉", "\u3000"):
        assert any(mark in name for name in names), mark


def test_series_are_long_enough_to_need_a_narrowing_question(committed: dict[str, bytes]) -> None:
    for question in VAGUE_QUESTIONS:
        assert sum(path.startswith(f"{question.folder}/") for path in committed) >= 10, question.text


def test_every_question_names_files_of_the_folder(committed: dict[str, bytes]) -> None:
    assert [question.text for question in QUESTIONS if not question.paths or set(question.paths) - set(committed)] == []


def test_a_question_whose_file_has_a_copy_accepts_both() -> None:
    for copy, original in sample_folder.COPIES.items():
        assert all((copy in question.paths) == (original in question.paths) for question in QUESTIONS)


def test_there_are_enough_questions_of_every_kind() -> None:
    counts = Counter(question.kind for question in QUESTIONS)
    assert set(counts) == set(Kind)
    assert counts[Kind.ENGLISH] == 5
    assert counts.total() >= 45
    assert len(UNANSWERED_QUESTIONS) == 8


def test_one_line_of_markup_is_one_block() -> None:
    assert parse("# 題\n\n本文\n- 項目\n| 名 | 値 |\n| a | 1 |\n---\n## 節") == [
        Heading(1, "題"),
        Paragraph("本文"),
        Bullet("項目"),
        Table((("名", "値"), ("a", "1"))),
        PageBreak(),
        Heading(2, "節"),
    ]
