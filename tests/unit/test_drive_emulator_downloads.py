"""Contents and exports of the emulated Drive, as the real client sees them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from typing import Any

import pytest
from docx import Document
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseDownload
from openpyxl import load_workbook
from pptx import Presentation

from locator_search.dev.drive_emulator import DriveEmulator
from tests.fakes.google_client import connect, reason_of

OFFICE = "application/vnd.openxmlformats-officedocument."
DOCX = OFFICE + "wordprocessingml.document"
XLSX = OFFICE + "spreadsheetml.sheet"
PPTX = OFFICE + "presentationml.presentation"
EVERYTHING = bytes(range(256)) * 40


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    with DriveEmulator() as emulator:
        yield emulator


def refusal(request: Any) -> tuple[int, str]:
    with pytest.raises(HttpError) as caught:
        request.execute()
    return caught.value.status_code, reason_of(caught.value)


def in_chunks(request: Any, size: int) -> tuple[bytes, int]:
    written = io.BytesIO()
    download = MediaIoBaseDownload(written, request, chunksize=size)
    chunks, done = 0, False
    while not done:
        _, done = download.next_chunk()
        chunks += 1
    return written.getvalue(), chunks


def test_a_file_comes_back_as_it_was_stored(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.bin", EVERYTHING)
    files = connect(drive).files()
    assert files.get_media(fileId=file_id).execute() == EVERYTHING
    told = files.get(fileId=file_id, fields="size,md5Checksum,sha256Checksum").execute()
    assert told["size"] == str(len(EVERYTHING))
    assert told["md5Checksum"] == hashlib.md5(EVERYTHING).hexdigest()
    assert told["sha256Checksum"] == hashlib.sha256(EVERYTHING).hexdigest()


def test_a_file_comes_in_ranges(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.bin", EVERYTHING)
    assert in_chunks(connect(drive).files().get_media(fileId=file_id), 4096) == (EVERYTHING, 3)


@pytest.mark.parametrize(
    ("wanted", "start", "end"),
    [("bytes=10-19", 10, 20), ("bytes=-5", -5, None), ("bytes=10230-", 10230, None), ("bytes=9-3", 0, None)],
)
def test_single_ranges_are_answered(drive: DriveEmulator, wanted: str, start: int, end: int | None) -> None:
    request = connect(drive).files().get_media(fileId=drive.add_file("a.bin", EVERYTHING))
    request.headers["Range"] = wanted
    assert request.execute() == EVERYTHING[start:end]


def test_a_file_of_no_bytes_ends_cleanly(drive: DriveEmulator) -> None:
    file_id = drive.add_file("empty.txt", b"")
    files = connect(drive).files()
    assert in_chunks(files.get_media(fileId=file_id), 1024) == (b"", 1)
    assert drive.requests[-1].status == 416
    assert files.get_media(fileId=file_id).execute() == b""
    assert files.get(fileId=file_id, fields="size").execute() == {"size": "0"}


def test_workspace_files_and_folders_have_no_media(drive: DriveEmulator) -> None:
    files = connect(drive).files()
    for file_id in (drive.add_document("d", "text"), drive.add_folder("f"), drive.add_workspace_file("w", "form")):
        assert refusal(files.get_media(fileId=file_id)) == (403, "fileNotDownloadable")


def test_a_document_is_exported_with_its_headings(drive: DriveEmulator) -> None:
    markdown = "# 議事録\n\n本文です。\n\n- one\n- two\n\n| 項目 | 値 |\n|---|---|\n| 予算 | 300 |\n"
    file_id = drive.add_document("minutes", markdown)
    files = connect(drive).files()
    text = files.export(fileId=file_id, mimeType="text/plain").execute()
    assert text == "\ufeff議事録\r\n本文です。\r\n* one\r\n* two\r\n項目\t値\r\n予算\t300".encode()
    assert files.export(fileId=file_id, mimeType="text/markdown").execute() == markdown.encode()
    word = Document(io.BytesIO(files.export(fileId=file_id, mimeType=DOCX).execute()))
    assert [(p.text, p.style.name) for p in word.paragraphs][:2] == [("議事録", "Heading 1"), ("本文です。", "Normal")]
    assert word.tables[0].cell(1, 0).text == "予算"
    html = files.export(fileId=file_id, mimeType="text/html").execute().decode()
    assert "<h1>議事録</h1><p>本文です。</p><ul><li>one</li>" in html


def test_a_spreadsheet_as_csv_is_its_first_sheet_only(drive: DriveEmulator) -> None:
    file_id = drive.add_spreadsheet("numbers", {"売上": [["月", "額"], ["4月", 100]], "second": [["hidden"]]})
    files = connect(drive).files()
    assert files.export(fileId=file_id, mimeType="text/csv").execute() == "月,額\r\n4月,100\r\n".encode()
    workbook = load_workbook(io.BytesIO(files.export(fileId=file_id, mimeType=XLSX).execute()))
    assert workbook.sheetnames == ["売上", "second"]


def test_slides_are_exported_as_text_and_powerpoint(drive: DriveEmulator) -> None:
    file_id = drive.add_presentation("deck", [("Plan", "first"), ("Result", "second")])
    files = connect(drive).files()
    text = files.export(fileId=file_id, mimeType="text/plain").execute().decode("utf-8-sig")
    assert text == "Plan\r\nfirst\r\n\r\nResult\r\nsecond"
    assert len(Presentation(io.BytesIO(files.export(fileId=file_id, mimeType=PPTX).execute())).slides) == 2


def test_an_export_over_ten_megabytes_is_refused_and_its_link_is_not(drive: DriveEmulator) -> None:
    file_id = drive.add_document("long", "many words " * 1_000_000)
    service = connect(drive)
    assert refusal(service.files().export(fileId=file_id, mimeType="text/plain")) == (403, "exportSizeLimitExceeded")
    links = service.files().get(fileId=file_id, fields="exportLinks").execute()["exportLinks"]
    response, content = service._http.request(links["text/plain"])
    assert (response.status, len(content) > 10 * 1024 * 1024) == (200, True)
    assert drive.requests[-1].method == "exportLink"


def test_what_cannot_be_exported_says_why(drive: DriveEmulator) -> None:
    files = connect(drive).files()
    blob, form = drive.add_file("a.docx", b"x"), drive.add_workspace_file("w", "form")
    document = drive.add_document("d", "text")
    assert refusal(files.export(fileId=blob, mimeType="text/plain")) == (403, "fileNotExportable")
    assert refusal(files.export(fileId=form, mimeType="text/plain")) == (403, "fileNotExportable")
    assert refusal(files.export(fileId=document, mimeType="image/png")) == (400, "badRequest")
    assert refusal(files.export(fileId="nothing", mimeType="text/plain")) == (404, "notFound")


def test_a_test_may_decide_what_an_export_is(drive: DriveEmulator) -> None:
    document = drive.add_document("d", "text")
    drive.set_export(document, "text/markdown", b"something else")
    assert connect(drive).files().export(fileId=document, mimeType="text/markdown").execute() == b"something else"


def test_export_needs_no_flag_for_shared_drives(drive: DriveEmulator) -> None:
    document = drive.add_document("d", "text", drive.add_shared_drive("Team"))
    assert connect(drive).files().export(fileId=document, mimeType="text/markdown").execute() == b"text"


def test_forbidden_downloads_and_malware_have_their_reasons(drive: DriveEmulator) -> None:
    forbidden, document = drive.add_file("a.pdf", b"x"), drive.add_document("d", "text")
    malware = drive.add_file("b.exe", b"x")
    drive.forbid_download(forbidden)
    drive.forbid_download(document)
    drive.flag_as_abusive(malware)
    files = connect(drive).files()
    assert refusal(files.get_media(fileId=forbidden)) == (403, "cannotDownloadFile")
    assert refusal(files.export(fileId=document, mimeType="text/plain")) == (403, "cannotDownloadFile")
    assert files.get(fileId=forbidden, fields="capabilities(canDownload)").execute() == {
        "capabilities": {"canDownload": False}
    }
    assert refusal(files.get_media(fileId=malware)) == (403, "cannotDownloadAbusiveFile")
    assert files.get_media(fileId=malware, acknowledgeAbuse=True).execute() == b"x"
