"""PDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.extractors.pdf_text import oddness, paragraphs
from tests.builders.files.extracted import extracted
from tests.builders.files.pdfs import eucjp_pdf, pdf, scanned_pdf


def test_pages_are_numbered_and_blank_ones_count(tmp_path: Path) -> None:
    result = extracted(pdf(tmp_path / "a.pdf", [[], ["売上報告書"], [], ["以上"]]))
    assert [(block.text, block.page) for block in result.document.blocks] == [("売上報告書", 2), ("以上", 4)]
    assert result.document.text.split("\f") == ["", "売上報告書\n", "", "以上"]
    assert (result.state, result.document.page_count) == ("ok", 4)


def test_a_pdf_is_known_by_its_content_whatever_its_name(tmp_path: Path) -> None:
    assert extracted(pdf(tmp_path / "report.txt", [["本文"]])).document.mime_type == "application/pdf"


def test_an_encoding_that_pypdf_garbles_is_read(tmp_path: Path) -> None:
    assert extracted(eucjp_pdf(tmp_path / "gazette.pdf", "売上報告書")).document.text == "売上報告書"


@pytest.mark.parametrize(
    ("build", "state", "reason"),
    [
        (lambda path: pdf(path, [["秘密"]], password="open sesame"), "encrypted", "The PDF is password-protected."),
        (scanned_pdf, "empty", "The PDF has no text layer (a scan?); it needs OCR."),
        (lambda path: _written(path, b"%PDF-1.7\nnothing else"), "corrupt", "The PDF is damaged"),
    ],
)
def test_a_pdf_without_text_names_its_reason(tmp_path: Path, build, state: str, reason: str) -> None:  # type: ignore[no-untyped-def]
    result = extracted(build(tmp_path / "x.pdf"))
    assert result.state == state
    assert result.reason.startswith(reason)
    assert result.reason.endswith(".")
    assert result.document.blocks == ()


def test_a_pdf_cut_in_half_still_gives_its_text_or_its_reason(tmp_path: Path) -> None:
    whole = pdf(tmp_path / "whole.pdf", [[f"ページ {number}"] for number in range(1, 6)]).read_bytes()
    for share in (0.3, 0.6, 0.9):
        result = extracted(_written(tmp_path / "cut.pdf", whole[: int(len(whole) * share)]))
        assert result.readable or result.reason


def test_pages_beyond_the_limit_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locator_search.adapters.extractors.pdf.MAX_PAGES", 2)
    result = extracted(pdf(tmp_path / "long.pdf", [["一"], ["二"], ["三"]]))
    assert (result.state, result.reason) == ("partial", "Only the first 2 of 3 pages were read.")


def test_japanese_lines_run_on_and_hyphens_of_line_ends_go() -> None:
    long, other = "この文は行の終わりで折り返されていて続きは次の", "行にあるので一つの段落として読まれる必要があり"
    assert paragraphs(f"短い見出し\r\n{long}\r\n{other}\r\nます。") == ["短い見出し", f"{long}{other}ます。"]
    assert paragraphs(f"{long}\n第2条 次の条\n・{other}\n① 項目") == [long, "第2条 次の条", f"・{other}", "① 項目"]
    assert paragraphs("an exam\x02\r\nple of hyphen\ufffe\nation") == ["an example of hyphenation"]


def test_vertical_text_comes_back_as_words() -> None:
    assert paragraphs("\r\n".join("縦書きの文章")) == ["縦書きの文章"]


def test_garbled_text_is_told_from_honest_text() -> None:
    honest = "売上報告書 Überraschung naïve καλημέρα Привет 한국어 문서 ①㈱"
    cids_as_unicode = "ఒఖగ ಐಒಓ ഔകഖ বভম ૐઅઆ"
    assert oddness(honest) < 0.1
    assert oddness(cids_as_unicode) > 0.3
    assert oddness("(cid:12)(cid:7)(cid:99)") > 0.3
    assert oddness("\ue012\ue013\ue014") > 0.3


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_title_after_a_full_line_stands_alone() -> None:
    lines = ["ひばり計器 営業部 報告者: 髙橋 美咲", "概況", "10月の売上高は前年を上回り、受注の", "見込みもよい。"]
    assert paragraphs("\r\n".join(lines)) == [*lines[:2], "".join(lines[2:])]
