"""ZIP archives."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.builders.files.containers import zip_file
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.pdfs import pdf
from tests.builders.files.word import paragraph, word


def test_the_files_inside_are_read_one_after_another(tmp_path: Path) -> None:
    inner = zip_file(tmp_path / "inner.zip", {"deep.txt": "deep inside"}).read_bytes()
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
        ("heading1", "inner.zip"),
        ("heading1", "deep.txt"),
        ("paragraph", "deep inside"),
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


def test_files_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    result = extracted(zip_file(tmp_path / "a.zip", {f"{number}.txt": "本文" for number in range(202)}))
    assert (result.state, result.reason) == ("partial", "Only the first 200 of 202 files were read.")
    inner = (tmp_path / "a.zip").read_bytes()
    result = extracted(zip_file(tmp_path / "b.zip", {"a.txt": "本文", "inner.zip": inner}))
    assert (result.state, result.reason) == ("partial", "inner.zip: Only the first 198 of 202 files were read.")


def test_archives_are_opened_to_a_depth_and_what_stays_closed_is_named(tmp_path: Path) -> None:
    content: str | bytes = "本文"
    for depth, name in enumerate(("memo.txt", "fourth.zip", "third.zip", "second.zip")):
        content = zip_file(tmp_path / f"{depth}.zip", {name: content, f"beside{depth}.txt": "隣"}).read_bytes()
    result = extracted(tmp_path / "3.zip")
    assert "本文" not in result.document.text
    assert result.document.text.count("隣") == 3
    assert (result.state, result.reason) == (
        "partial",
        "second.zip: third.zip: fourth.zip: Archives and messages are opened 3 deep, and no deeper.",
    )


def test_a_file_that_unpacks_to_far_more_than_it_takes_is_left_out(tmp_path: Path) -> None:
    result = extracted(zip_file(tmp_path / "a.zip", {"bomb.txt": bytes(12_000_000), "memo.txt": "読める"}))
    assert (result.state, result.reason) == ("partial", "bomb.txt: A part unpacks to over 500 times its size.")


def test_names_inside_are_one_line_and_what_is_of_an_unsupported_format_is_named(tmp_path: Path) -> None:
    result = extracted(zip_file(tmp_path / "a.zip", {"../a\nb.7z": b"7z\xbc\xaf\x27\x1c....", "memo.txt": "読める"}))
    assert (result.state, result.reason) == (
        "partial", "../a b.7z: The file is a 7-Zip archive, which is not supported.",
    )  # fmt: skip


def test_an_archive_without_text_says_so(tmp_path: Path) -> None:
    result = extracted(zip_file(tmp_path / "a.zip", {"photo.png": b"\x89PNG\r\n\x1a\n"}))
    assert (result.state, result.reason) == ("empty", "The archive holds no file with text.")
