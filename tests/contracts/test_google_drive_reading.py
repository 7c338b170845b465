"""The content of files in Drive: uploaded files as they are, Workspace files in the richest format there is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.download import CSV, DOCX, MARKDOWN, PPTX, TEXT, XLSX, Downloader
from locator_search.adapters.google_drive.files import file_ref
from locator_search.core.errors import SourceUnavailable, UnreadableFile, UnsupportedFileType
from locator_search.dev.drive_emulator import DriveEmulator, Fault, FaultRule
from locator_search.dev.drive_emulator.drive.exports import EXPORTS
from locator_search.dev.drive_emulator.drive.items import PRESENTATION
from locator_search.model import FileRef
from tests.contracts.test_google_drive import Bench

TOO_LARGE = b"x" * (10 * 2**20 + 1)


@pytest.fixture
def bench() -> Iterator[Bench]:
    with DriveEmulator() as drive:
        yield Bench(drive)


def listed(bench: Bench, file_id: str) -> FileRef:
    return file_ref(bench.client().file(file_id), "共有")


def read(bench: Bench, file_id: str, directory: Path, client: DriveClient | None = None, **options: int) -> Path:
    return Downloader(client or bench.client(), **options).read(listed(bench, file_id), directory)


def exports_asked(bench: Bench) -> list[str]:
    return [request.parameters["mimeType"] for request in bench.drive.requests if request.method == "files.export"]


def test_an_uploaded_file_arrives_byte_by_byte(bench: Bench, tmp_path: Path) -> None:
    content = bytes(range(256)) * 40_000
    path = read(bench, bench.drive.add_file("大.bin", content), tmp_path)
    assert path.read_bytes() == content
    assert path.suffix == ".bin"


def test_a_large_file_comes_in_pieces(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locator_search.adapters.google_drive.client.CHUNK_BYTES", 1000)
    file = bench.drive.add_file("a.txt", b"0123456789" * 550)
    bench.drive.set_faults(FaultRule(faults=("503", "truncated_body"), method="files.media", every=3))
    assert read(bench, file, tmp_path).stat().st_size == 5500
    assert set(bench.clock.slept) == {1}


def test_a_file_of_zero_bytes_is_an_empty_file(bench: Bench, tmp_path: Path) -> None:
    assert read(bench, bench.drive.add_file("空.txt", b""), tmp_path).stat().st_size == 0
    assert bench.drive.request_counts()["files.media"] == 0


def test_a_file_that_grew_after_it_was_listed_as_empty_or_small_is_read_as_it_is_now(
    bench: Bench, tmp_path: Path
) -> None:
    file_id = bench.drive.add_file("a.txt", "初版")
    file = listed(bench, file_id)
    bench.drive.write(file_id, "一覧の後で改訂された、ずっと長い版")
    assert "改訂" in Downloader(bench.client()).read(file, tmp_path).read_text()


def test_nothing_larger_than_can_be_read_is_downloaded(bench: Bench, tmp_path: Path) -> None:
    file = bench.drive.add_file("a.bin", b"x" * 5000)
    with pytest.raises(UnreadableFile, match="larger than"):
        read(bench, file, tmp_path, largest=4000)
    assert bench.drive.request_counts()["files.media"] == 0


def test_a_file_that_grows_beyond_the_cap_while_it_is_read_ends_the_download(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locator_search.adapters.google_drive.client.CHUNK_BYTES", 1000)
    file_id = bench.drive.add_file("a.bin", b"x")
    file = listed(bench, file_id)
    bench.drive.write(file_id, b"x" * 50_000)
    with pytest.raises(UnreadableFile, match="larger than"):
        Downloader(bench.client(), largest=4000).read(file, tmp_path)
    assert bench.drive.request_counts()["files.media"] == 5


def test_a_page_of_a_proxy_in_the_place_of_a_file_is_noticed(bench: Bench, tmp_path: Path) -> None:
    file = bench.drive.add_file("a.txt", "本文")
    bench.drive.set_faults(FaultRule(faults=("html",), method="files.media", first=1))
    assert read(bench, file, tmp_path).read_text() == "本文"
    bench.drive.set_faults(FaultRule(faults=("html",), method="files.media"))
    bench.clock.slept.clear()
    with pytest.raises(SourceUnavailable, match="damaged"):
        read(bench, file, tmp_path)
    assert bench.clock.slept == [1, 2, 4, 8, 16]


def test_a_page_of_a_proxy_in_the_place_of_an_export_is_noticed(bench: Bench, tmp_path: Path) -> None:
    file = bench.drive.add_document("議事録", "# 本文")
    bench.drive.set_faults(FaultRule(faults=("html",), method="files.export", first=1))
    assert read(bench, file, tmp_path).suffix == ".docx"
    assert bench.clock.slept == [1]


@pytest.mark.parametrize("name", ["a/b.txt", "なし", "長い.拡張子がとても長い", "x.t\nx", ".."])
def test_any_name_makes_a_harmless_path(bench: Bench, tmp_path: Path, name: str) -> None:
    path = read(bench, bench.drive.add_file(name, b"x", mime_type="text/plain"), tmp_path)
    assert path.parent == tmp_path
    assert path.name.startswith("content")


# Workspace files


def test_a_document_keeps_its_headings(bench: Bench, tmp_path: Path, extractor: IsolatedExtractor) -> None:
    file = bench.drive.add_document("議事録", "# 定例会議\n\n予算を決めた。")
    path = read(bench, file, tmp_path)
    document = extractor.extract(path, "application/vnd.google-apps.document").document
    assert path.suffix == ".docx"
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "定例会議"),
        ("paragraph", "予算を決めた。"),
    ]
    assert document.blocks[0].anchor.startswith("h.")


def test_a_spreadsheet_comes_with_all_its_sheets(bench: Bench, tmp_path: Path, extractor: IsolatedExtractor) -> None:
    file = bench.drive.add_spreadsheet("予算", {"上期": [["費目", "額"]], "下期": [["旅費", 120]]})
    text = extractor.extract(read(bench, file, tmp_path), "application/vnd.google-apps.spreadsheet").document.text
    assert "費目" in text
    assert "旅費" in text


def test_slides_come_as_slides(bench: Bench, tmp_path: Path, extractor: IsolatedExtractor) -> None:
    file = bench.drive.add_presentation("発表", [("題名", "本文の行")])
    text = extractor.extract(read(bench, file, tmp_path), "application/vnd.google-apps.presentation").document.text
    assert "題名" in text
    assert "本文の行" in text


def test_beyond_ten_megabytes_the_export_link_is_taken(bench: Bench, tmp_path: Path) -> None:
    file = bench.drive.add_document("大きい", "# 本文")
    bench.drive.set_export(file, DOCX.mime_type, TOO_LARGE)
    path = read(bench, file, tmp_path)
    assert (path.suffix, path.read_bytes()) == (".docx", TOO_LARGE)
    assert exports_asked(bench) == [DOCX.mime_type]


def test_where_the_link_fails_a_smaller_format_is_taken_and_told(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = bench.drive.add_document("大きい", "# 本文")
    bench.drive.set_export(file, DOCX.mime_type, TOO_LARGE)
    bench.drive.set_export(file, MARKDOWN.mime_type, TOO_LARGE)
    bench.drive.set_faults(FaultRule(faults=("insufficientFilePermissions",), method="exportLink"))
    path = read(bench, file, tmp_path)
    assert path.suffix == ".txt"
    assert exports_asked(bench) == [DOCX.mime_type, MARKDOWN.mime_type, TEXT.mime_type]
    assert "read as .txt" in caplog.text
    assert "exportSizeLimitExceeded" in caplog.text


@pytest.mark.parametrize("fault", ["fileNotExportable", "exportSizeLimitExceeded"])
def test_what_is_given_out_in_no_format_says_what_was_tried(bench: Bench, tmp_path: Path, fault: Fault) -> None:
    file = bench.drive.add_spreadsheet("予算", {"一": [["a"]]})
    bench.drive.set_faults(
        FaultRule(faults=(fault,), method="files.export"),
        FaultRule(faults=("insufficientFilePermissions",), method="exportLink"),
    )
    with pytest.raises(UnreadableFile, match=rf"\.xlsx: .*{fault}.*\.csv: .*{fault}"):
        read(bench, file, tmp_path)
    assert exports_asked(bench) == [XLSX.mime_type, CSV.mime_type]


def test_a_format_drive_does_not_know_is_passed_over(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = bench.drive.add_presentation("発表", [("題名", "本文")])
    monkeypatch.delitem(EXPORTS[PRESENTATION], PPTX.mime_type)
    assert read(bench, file, tmp_path).suffix == ".txt"
    assert exports_asked(bench) == [PPTX.mime_type, TEXT.mime_type]


def test_our_authorisation_goes_to_google_and_nowhere_else(bench: Bench) -> None:
    client = bench.client()
    assert client.trusts("https://docs.google.com/feeds/download/x")
    assert client.trusts(bench.drive.origin + "/export/x")
    for url in ("https://google.com.evil.example/x", "http://docs.google.com/x", "https://evil.example/google.com", ""):
        assert not client.trusts(url)


def test_a_form_has_no_text(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFileType):
        read(bench, bench.drive.add_workspace_file("申込書", "form"), tmp_path)
