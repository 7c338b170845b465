"""Numbers that Word puts before paragraphs by itself: they stand in no text, and clauses are cited by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.extractors.office.word_number_formats import written
from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.word import numbered, paragraph, word

CLAUSES = """
<w:abstractNum w:abstractNumId="7">
  <w:lvl w:ilvl="0"><w:start w:val="4"/><w:pStyle w:val="1"/><w:lvlText w:val="%1"/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:pStyle w:val="2"/><w:lvlText w:val="%1.%2"/></w:lvl>
  <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%3)"/></w:lvl>
</w:abstractNum>
<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>
<w:num w:numId="5"><w:abstractNumId w:val="7"/>
  <w:lvlOverride w:ilvl="2"><w:startOverride w:val="1"/></w:lvlOverride>
</w:num>
"""


def level(fmt: str, text: str, ilvl: int = 0, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{ilvl}"><w:start w:val="1"/><w:numFmt w:val="{fmt}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'
    )


def one_list(*levels: str) -> str:
    return (
        f'<w:abstractNum w:abstractNumId="0">{"".join(levels)}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )


def lines(path: Path) -> list[str]:
    return [block.text for block in extracted(path).document.blocks]


def test_headings_carry_the_numbers_word_counts_for_them_and_chunks_their_clause(tmp_path: Path) -> None:
    body = (
        numbered("Overview", 3, style="1")
        + numbered("Scope", 3, 1, style="2")
        + paragraph("The UE shall register. " * 40)
        + numbered("Procedures", 3, 1, style="2")
        + paragraph("The AMF shall reject. " * 40)
        + numbered("Security", 3, style="1")
        + numbered("Keys", 3, 1, style="2")
    )
    extraction = extracted(word(tmp_path / "a.docx", body, numbering=CLAUSES))
    assert [text for kind, text in outline(extraction) if kind.startswith("heading")] == [
        "4 Overview", "4.1 Scope", "4.2 Procedures", "5 Security", "5.1 Keys",
    ]  # fmt: skip
    chunks = HeadingChunker().chunk(extraction.document)
    assert [chunk.clause for chunk in chunks if "shall register" in chunk.text] == ["4.1"]
    assert [chunk.clause for chunk in chunks if "shall reject" in chunk.text] == ["4.2"]


def test_lists_of_one_definition_count_on_and_start_anew_when_they_say_so(tmp_path: Path) -> None:
    body = numbered("one", 3, 2) + numbered("two", 3, 2) + numbered("again", 5, 2) + numbered("and on", 5, 2)
    assert lines(word(tmp_path / "a.docx", body, numbering=CLAUSES)) == ["a) one", "b) two", "a) again", "b) and on"]


def test_a_deeper_level_starts_anew_below_each_number_unless_told_otherwise(tmp_path: Path) -> None:
    numbering = one_list(
        level("japaneseCounting", "第%1章", more='<w:suff w:val="nothing"/>'),
        level("decimal", "%1-%2", 1, "<w:isLgl/>"),
        level("aiueo", "(%3)", 2, '<w:lvlRestart w:val="0"/>'),
    )
    body = "".join(
        numbered(text, 1, depth) for text, depth in [("A", 0), ("b", 1), ("c", 2), ("D", 0), ("e", 1), ("f", 2)]
    )
    assert lines(word(tmp_path / "a.docx", body, numbering=numbering)) == [
        "第一章A", "1-1 b", "(ア) c", "第二章D", "2-1 e", "(イ) f",
    ]  # fmt: skip


def test_bullets_and_paragraphs_taken_out_of_their_list_have_no_number(tmp_path: Path) -> None:
    numbering = one_list(level("bullet", "•"), level("decimal", "%2.", 1))
    body = numbered("点", 1) + numbered("数", 1, 1) + numbered("なし", 0) + numbered("未定義", 99)
    assert lines(word(tmp_path / "a.docx", body, numbering=numbering)) == ["点", "1. 数", "なし", "未定義"]


def test_paragraphs_that_were_deleted_are_not_counted(tmp_path: Path) -> None:
    deleted = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del/></w:rPr></w:pPr>'
        "<w:del><w:r><w:delText>消えた</w:delText></w:r></w:del></w:p>"
    )
    body = numbered("一つ", 1) + deleted + numbered("二つ", 1)
    path = word(tmp_path / "a.docx", body, numbering=one_list(level("decimal", "%1.")))
    assert extracted(path).document.text == "1. 一つ\n2. 二つ"


def test_a_style_alone_puts_its_paragraphs_into_a_list(tmp_path: Path) -> None:
    styles = """
    <w:style w:styleId="Clause"><w:name w:val="clause"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>
    <w:style w:styleId="2"><w:name w:val="heading 2"/><w:basedOn w:val="Clause"/></w:style>
    """
    body = paragraph("上", "Clause") + paragraph("下", "2")
    assert lines(word(tmp_path / "a.docx", body, numbering=CLAUSES, styles=styles)) == ["4 上", "4.1 下"]


def test_damaged_definitions_cost_the_numbers_and_not_the_text(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", numbered("本文", 1), numbering="<w:num w:numId='1'/><w:abstractNum/>")
    assert extracted(path).document.text == "本文"
    broken = extracted(word(tmp_path / "b.docx", numbered("本文", 1), numbering="<w:num>"))
    assert (broken.state, broken.document.text) == ("partial", "本文")


@pytest.mark.parametrize(
    ("number", "number_format", "text"),
    [
        (1984, "upperRoman", "MCMLXXXIV"), (28, "lowerLetter", "bb"), (7, "decimalZero", "07"), (22, "ordinal", "22nd"),
        (12, "decimalFullWidth", "１２"), (21, "decimalEnclosedCircle", "㉑"), (3, "iroha", "ハ"),
        (123, "japaneseCounting", "百二十三"), (20, "chineseCounting", "二十"), (105, "ideographDigital", "一〇五"),
        (3, "ideographTraditional", "丙"), (5, "bullet", ""), (5, "unheard of", "5"),
        (99, "decimalEnclosedParen", "99"),        (0, "lowerRoman", "0"), (999_999, "lowerLetter", "999999"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_word_writes_them(number: int, number_format: str, text: str) -> None:
    assert written(number, number_format) == text
