"""Plain text, Markdown, CSV and HTML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.files.extracted import extracted, outline


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_blank_lines_part_the_paragraphs_of_a_text(tmp_path: Path) -> None:
    result = extracted(write(tmp_path / "memo.txt", "件名\r\n\r\n一行目\r\n二行目\r\n　\r\n終わり"))
    assert outline(result) == [("paragraph", "件名"), ("paragraph", "一行目\n二行目"), ("paragraph", "終わり")]
    assert (result.state, result.reason, result.document.page_count) == ("ok", "", None)


def test_form_feeds_of_a_text_are_its_pages(tmp_path: Path) -> None:
    result = extracted(write(tmp_path / "rfc.txt", "one\n\f\ntwo\n\f"))
    assert [block.page for block in result.document.blocks] == [1, 2]
    assert result.document.page_count == 2


def test_control_characters_are_dropped(tmp_path: Path) -> None:
    assert extracted(write(tmp_path / "log.txt", "a\x07b\x1b[0m " * 10 + "\x9fend")).document.text.startswith(
        "ab[0m ab"
    )


@pytest.mark.parametrize(("content", "reason"), [(b"", "The file is empty (0 bytes)."), (b" \n\t\r\n", "no text")])
def test_an_empty_file_says_so(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "nothing.txt"
    path.write_bytes(content)
    result = extracted(path)
    assert result.state == "empty"
    assert reason in result.reason


def test_text_that_cannot_be_decoded_is_suspicious(tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_bytes("日本語の文書です。".encode() + "東京支社の売上".encode("cp932") + b"\x81\xff\xfe" * 3)
    result = extracted(path)
    assert result.state == "suspicious"
    assert "could not be decoded" in result.reason


def test_markdown_headings_tables_and_code_are_told_apart(tmp_path: Path) -> None:
    text = "# 手引き #\n導入\n\n概要\n---\n| 項目 | 値 |\n|---|:-:|\n| 速度 | 3 |\n```sh\n# not a heading\n\nrun\n```\n"
    assert outline(extracted(write(tmp_path / "guide.md", text))) == [
        ("heading1", "手引き"),
        ("paragraph", "導入"),
        ("heading2", "概要"),
        ("table", "項目\t値\n速度\t3"),
        ("paragraph", "```sh\n# not a heading\n\nrun\n```"),
    ]


def test_markdown_is_known_by_its_mime_type_where_the_name_is_gone(tmp_path: Path) -> None:
    result = extracted(write(tmp_path / "download", "# 見出し"), "text/markdown")
    assert outline(result) == [("heading1", "見出し")]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_the_cells_of_a_csv_row_are_parted_by_tabs(tmp_path: Path, delimiter: str) -> None:
    rows = ["売上一覧", delimiter.join(["日付", "金額"]), delimiter.join(["2024-09-10", '"1\n000"'])]
    result = extracted(write(tmp_path / "uriage.csv", "\r\n".join(rows), "cp932"))
    assert outline(result) == [("table", "売上一覧\n日付\t金額\n2024-09-10\t1 000")]


def test_a_csv_beyond_the_limit_of_cells_is_partial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locator_search.adapters.extractors.cells.MAX_CELLS", 10)
    result = extracted(write(tmp_path / "long.csv", "a,b\n" * 100))
    assert (result.state, result.reason) == ("partial", "Only the first 10 cells were read.")
    assert result.document.text.count("a") == 5


def test_a_text_beyond_the_limit_of_characters_is_partial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locator_search.adapters.extractors.reading.MAX_CHARACTERS", 10)
    result = extracted(write(tmp_path / "long.txt", "0123456789abcdef"))
    assert (result.state, result.document.text) == ("partial", "0123456789")


def test_a_page_shows_what_a_browser_shows(tmp_path: Path) -> None:
    page = """<!-- saved --><!DOCTYPE html><html><head><title>案内</title><style>p{color:red}</style></head><body>
    <h2>お知らせ <b>重要</b></h2><p>本日は<ruby>休<rt>きゅう</rt></ruby>業
    です。<br>明日は開きます</p><script>alert(1)</script>
    <table><tr><th>曜日</th><th>時間</th></tr><tr><td>月</td><td>9<span>:00</span></td></tr></table>終わり</body></html>"""
    assert outline(extracted(write(tmp_path / "page.bin", page))) == [
        ("paragraph", "案内"),
        ("heading2", "お知らせ 重要"),
        ("paragraph", "本日は休業 です。\n明日は開きます"),
        ("table", "曜日\t時間\n月\t9:00"),
        ("paragraph", "終わり"),
    ]


def test_the_charset_a_page_declares_is_believed_only_when_it_fits(tmp_path: Path) -> None:
    page = '<html><meta charset="{}"><body><p>髙橋さんの予定表です</p></body></html>'
    for declared in ("Shift_JIS", "utf-8", "no-such-charset"):
        result = extracted(write(tmp_path / f"{declared}.html", page.format(declared), "cp932"))
        assert result.document.text == "髙橋さんの予定表です"


def test_a_page_nested_too_deeply_says_so(tmp_path: Path) -> None:
    assert extracted(write(tmp_path / "deep.html", "<html>" + "<div>" * 300 + "底")).document.text == "底"
    result = extracted(write(tmp_path / "deeper.html", "<html>" + "<div>" * 5000 + "底"))
    assert result.state == "corrupt"
    assert "nested too deeply" in result.reason
