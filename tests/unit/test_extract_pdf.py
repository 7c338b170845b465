"""PDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.extractors.pdf.garbling import oddness
from locator_search.adapters.extractors.pdf.paragraphs import paragraphs
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.pdfs import bookmarked_pdf, eucjp_pdf, form_pdf, lying_pdf, pdf, scanned_pdf, vertical_pdf


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
    monkeypatch.setattr("locator_search.adapters.extractors.pdf.document.MAX_PAGES", 2)
    result = extracted(pdf(tmp_path / "long.pdf", [["一"], ["二"], ["三"]]))
    assert (result.state, result.reason) == ("partial", "Only the first 2 of 3 pages were read.")


def test_japanese_lines_run_on_and_hyphens_of_line_ends_go() -> None:
    long, other = "この文は行の終わりで折り返されていて続きは次の", "行にあるので一つの段落として読まれる必要があり"
    assert paragraphs(f"短い見出し\r\n{long}\r\n{other}\r\nます。") == ["短い見出し", f"{long}{other}ます。"]
    assert paragraphs(f"{long}\n第2条 次の条\n・{other}\n① 項目") == [long, "第2条 次の条", f"・{other}", "① 項目"]
    assert paragraphs("an exam\x02\r\nple of hyphen\ufffe\nation") == ["an example of hyphenation"]


def test_vertical_text_comes_back_as_words() -> None:
    assert paragraphs("\r\n".join("縦書きの文章")) == ["縦書きの文章"]


def test_columns_of_vertical_text_are_read_from_right_to_left(tmp_path: Path) -> None:
    columns = [
        "吾輩は猫である。名前はまだ無い。どこで生れ",
        "たかとんと見当がつかぬ。何でも薄暗いじめじ",
        "めした所で泣いていた。",
    ]
    result = extracted(vertical_pdf(tmp_path / "a.pdf", columns, "12"))
    assert result.document.text.replace("\n", "") == "".join(columns) + "12"


def test_what_was_filled_into_a_form_is_read(tmp_path: Path) -> None:
    assert extracted(form_pdf(tmp_path / "a.pdf", "Agency:", "Fish and Wildlife")).document.text == (
        "Agency:\nFish and Wildlife"
    )


def test_bookmarks_tell_headings_and_captions_are_told_by_their_look(tmp_path: Path) -> None:
    pages = [
        ["1 はじめに", "この文書の目的。"],
        ["1.1 範囲", "表 2: 対象の一覧", "1.1 範囲 という語は見出しではない。"],
    ]
    path = bookmarked_pdf(
        tmp_path / "a.pdf", pages, [(0, 0, "1. はじめに"), (1, 1, "1.1　範囲"), (1, 1, "どこにもない")]
    )
    assert outline(extracted(path)) == [
        ("heading1", "1 はじめに"),
        ("paragraph", "この文書の目的。"),
        ("heading2", "1.1 範囲"),
        ("caption", "表 2: 対象の一覧"),
        ("paragraph", "1.1 範囲 という語は見出しではない。"),
    ]


def test_a_font_that_lies_about_some_characters_makes_the_text_suspicious(tmp_path: Path) -> None:
    result = extracted(lying_pdf(tmp_path / "a.pdf", "An honest sentence of some length, to be found.", "1234567"))
    assert (result.state, result.readable) == ("suspicious", True)
    assert result.reason == "Page 1: the text looks garbled in part; fonts may name wrong characters."
    assert "An honest sentence" in result.document.text


def test_a_page_of_garbage_is_left_out_and_the_file_says_why(tmp_path: Path) -> None:
    result = extracted(lying_pdf(tmp_path / "a.pdf", "", "Nothing of this can be read"))
    assert (result.state, result.readable, result.document.text) == ("suspicious", False, "")
    assert result.reason.startswith("Page 1: garbled text was left out")
    hangul = extracted(lying_pdf(tmp_path / "b.pdf", "", "Sales report of October", first=0xB7C0))
    assert hangul.state == "suspicious"


def test_a_font_that_names_circled_letters_is_noticed(tmp_path: Path) -> None:
    honest = "An honest sentence of some length, to be found, and another one that follows it."
    partly = extracted(lying_pdf(tmp_path / "a.pdf", honest, "Sales report of October", first=0x2460))
    assert (partly.state, partly.readable) == ("suspicious", True)
    wholly = extracted(lying_pdf(tmp_path / "b.pdf", "", "Sales report of October, all branches", first=0x2460))
    assert (wholly.state, wholly.readable) == ("suspicious", False)


@pytest.mark.parametrize(
    "page",
    [
        "手順\n①電源を入れる\n②保存する\n③閉じる",
        "図の①③⑤を参照。②④は省く。①〜⑩の順に見る。",
        "\n".join(f"問{number} ①②③④⑤⑥⑦⑧⑨⓪" for number in range(30)),
        "\n".join(f"{number} ⓪①②③④⑤⑥⑦⑧⑨" for number in range(30)),
        "解答 ③①④②⑤⑤①③②④①①⑤",
        "Ⓟ 駐車場 Ⓡ登録 ⒶⒷⒸの各棟 ⒶⒷⒸⒹⒺⒻⒼの順",
        "㈱山田 ㈲鈴木 ㊞ ⑴目的 ⑵範囲 ⒜例 ⒝例",
    ],
)
def test_lists_and_answers_in_circled_numbers_are_honest(page: str) -> None:
    assert oddness(page) < 0.1


def test_garbled_text_is_told_from_honest_text() -> None:
    honest = "売上報告書 Überraschung naïve καλημέρα Привет 한국어 문서 ①㈱"
    cids_as_unicode = "ఒఖగ ಐಒಓ ഔകഖ বভম ૐઅઆ"
    assert oddness(honest) < 0.1
    assert oddness(cids_as_unicode) > 0.3
    assert oddness("(cid:12)(cid:7)(cid:99)") > 0.3
    assert oddness("\ue012\ue013\ue014") > 0.3
    assert oddness("".join(chr(0x4E00 + 211 * step) for step in range(60))) > 0.3
    assert oddness("".join(chr(0xAC00 + 97 * step) for step in range(60))) > 0.3


def test_rare_names_and_other_languages_are_honest() -> None:
    assert oddness("髙橋 﨑山 渡邊 齋藤 邉見 瀧澤 彅 鷗外 噂 憂鬱 薔薇 檸檬") < 0.1
    assert oddness("中华人民共和国国务院办公厅关于进一步加强安全生产工作的通知") < 0.1
    assert oddness("經濟部國際貿易局關於產業發展與應用之說明") < 0.1
    assert oddness("대한민국 헌법 제1조 모든 국민은 인간으로서의 존엄과 가치를 가지며") < 0.1


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_title_after_a_full_line_stands_alone() -> None:
    lines = ["ひばり計器 営業部 報告者: 髙橋 美咲", "概況", "10月の売上高は前年を上回り、受注の", "見込みもよい。"]
    assert paragraphs("\r\n".join(lines)) == [*lines[:2], "".join(lines[2:])]
