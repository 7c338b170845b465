"""ZIP archives."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.builders.files.containers import zip_file
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.pdfs import pdf
from tests.builders.files.word import paragraph, word


def test_the_files_inside_are_read_one_after_another(tmp_path: Path) -> None:
    inner = zip_file(tmp_path / "inner.zip", {"deep.txt": "too deep"}).read_bytes()
    path = zip_file(
        tmp_path / "資料.zip",
        {
            "資料/概要.docx": word(tmp_path / "a.docx", paragraph("概要です", "1")).read_bytes(),
            "資料/手引き.txt": "手引きの本文です".encode("cp932"),
            "__MACOSX/資料/._手引き.txt": "junk",
            "~$概要.docx": "junk",
            "photo.png": b"\x89PNG\r\n\x1a\n",
            "inner.zip": inner,
        },
    )
    result = extracted(path)
    assert outline(result) == [
        ("heading1", "資料/概要.docx"),
        ("heading1", "概要です"),
        ("heading1", "資料/手引き.txt"),
        ("paragraph", "手引きの本文です"),
    ]
    assert (result.state, result.document.mime_type) == ("ok", "application/zip")


def test_a_name_of_a_japanese_windows_is_read(tmp_path: Path) -> None:
    path = zip_file(tmp_path / "a.zip", {"placeholder-name": "本文がここにあります"})
    name = "見積.txt".encode("cp932").ljust(16, b"_")
    path.write_bytes(path.read_bytes().replace(b"placeholder-name", name))
    assert outline(extracted(path))[0] == ("heading1", "見積.txt________")


def test_a_file_inside_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    locked = pdf(tmp_path / "x.pdf", [["秘密"]], password="open sesame").read_bytes()
    result = extracted(zip_file(tmp_path / "a.zip", {"locked.pdf": locked, "memo.txt": "読める"}))
    assert (result.state, result.reason) == ("partial", "locked.pdf: The PDF is password-protected.")


def test_an_encrypted_archive_says_so(tmp_path: Path) -> None:
    path = zip_file(tmp_path / "a.zip", {"memo.txt": "secret"})
    with zipfile.ZipFile(path) as archive:
        start = archive.start_dir
    content = bytearray(path.read_bytes())
    content[start + 8] |= 1  # the flag in the central directory
    content[6] |= 1  # and in the entry itself
    path.write_bytes(content)
    result = extracted(path)
    assert (result.state, result.reason) == ("encrypted", "memo.txt: The container is password-protected.")


def test_files_beyond_the_limit_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locator_search.adapters.extractors.containers.archive.MAX_ARCHIVE_MEMBERS", 2)
    result = extracted(zip_file(tmp_path / "a.zip", {f"{number}.txt": "本文" for number in range(3)}))
    assert (result.state, result.reason) == ("partial", "Only the first 2 of 3 files were read.")


def test_an_archive_without_text_says_so(tmp_path: Path) -> None:
    result = extracted(zip_file(tmp_path / "a.zip", {"photo.png": b"\x89PNG\r\n\x1a\n"}))
    assert (result.state, result.reason) == ("empty", "The archive holds no file with text.")
