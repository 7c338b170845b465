"""What a file is, and what is refused before anything is read."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from locator_search.adapters.extractors import formats
from locator_search.adapters.extractors.outcome import Allowance
from locator_search.adapters.extractors.sniffing import detect
from tests.builders.files.containers import content_types, zip_file
from tests.builders.files.extracted import extracted
from tests.builders.files.office import workbook
from tests.builders.files.word import MAIN_TYPE, paragraph, word
from tests.builders.files.word97 import compound_file


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"{\\rtf1 hello}", formats.RTF),
        (b"\x1f\x8b\x08\x00", "application/gzip"),
        (bytes(range(256)) * 20, formats.BINARY),
        (b"BMW and MZ are car words", formats.PLAIN_TEXT),
        (b"junk first\n%PDF-1.4\n", formats.PDF),
        (b"\xef\xbb\xbf \n<HTML lang=ja>", formats.HTML),
    ],
)
def test_the_first_bytes_decide_whatever_the_name_says(tmp_path: Path, content: bytes, mime_type: str) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(content)
    assert detect(path.read_bytes(), path.name, formats.DOCX) == mime_type


def test_the_main_content_type_tells_office_files_apart(tmp_path: Path) -> None:
    assert detect(workbook(tmp_path / "book.docx", {"表": [[1]]}).read_bytes()) == formats.XLSX
    assert detect(word(tmp_path / "word.xlsx", paragraph("本文")).read_bytes()) == formats.DOCX


@pytest.mark.parametrize(
    ("stream", "mime_type"),
    [("WordDocument", formats.DOC), ("Workbook", formats.XLS), ("PowerPoint Document", formats.PPT)],
)
def test_the_streams_of_an_ole_container_tell_old_office_files_apart(
    tmp_path: Path, stream: str, mime_type: str
) -> None:
    assert detect(compound_file(tmp_path / "a.docx", {stream: b""}).read_bytes()) == mime_type


@pytest.mark.parametrize("mime_type", [name for name, format_ in formats.FORMATS.items() if format_.module is None])
def test_an_unsupported_format_is_named_in_one_sentence(mime_type: str) -> None:
    reason = formats.unsupported_reason(mime_type)
    assert reason.startswith(("The file is a", "The file is binary data"))
    assert reason.endswith(".")


def test_an_encrypted_office_file_says_so(tmp_path: Path) -> None:
    result = extracted(compound_file(tmp_path / "secret.xlsx", {"EncryptedPackage": b"", "EncryptionInfo": b""}))
    assert (result.state, result.reason) == ("encrypted", "The Office document is password-protected.")


def test_a_damaged_container_says_so(tmp_path: Path) -> None:
    whole = word(tmp_path / "whole.docx", paragraph("本文")).read_bytes()
    cut = tmp_path / "cut.docx"
    cut.write_bytes(whole[: len(whole) // 2])
    result = extracted(cut)
    assert (result.state, result.reason) == ("corrupt", "The file is a damaged ZIP container.")


def test_a_word_document_without_its_main_part_says_so(tmp_path: Path) -> None:
    path = zip_file(tmp_path / "a.docx", {"[Content_Types].xml": content_types("word/document.xml", MAIN_TYPE)})
    result = extracted(path)
    assert (result.state, result.reason) == ("corrupt", "The Word document has no main part.")


def test_too_much_of_anything_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = word(tmp_path / "bomb.docx", paragraph("0" * 3_000_000))
    monkeypatch.setattr("locator_search.adapters.extractors.limited_zip.MAX_PART_BYTES", 2 * 1024 * 1024)
    assert extracted(bomb).state == "too-large"
    monkeypatch.undo()
    limited = partial(Allowance, bytes=1024 * 1024)
    monkeypatch.setattr("locator_search.adapters.extractors.limited_zip.Allowance", limited)
    assert extracted(bomb).state == "too-large"
    monkeypatch.undo()
    monkeypatch.setattr("locator_search.adapters.extractors.limited_zip.MAX_ARCHIVE_ENTRIES", 3)
    assert extracted(bomb).state == "too-large"
    monkeypatch.undo()
    monkeypatch.setattr("locator_search.adapters.extractors.reading.MAX_FILE_BYTES", 100)
    assert extracted(bomb).state == "too-large"
