import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.indexing.chunking.heading_chunker import LARGEST_TARGET, MOST_CHUNKS, TARGET, HeadingChunker
from locator_search.model import Block, Chunk, Document
from locator_search.text.clauses import clause_number, inferred_level, lies_within
from locator_search.text.cutting import estimate_tokens

SENTENCE = "甲は乙に対し、この契約に定める業務を書面により委託し、乙はこれを受ける。"


def chunks_of(*blocks: Block) -> list[Chunk]:
    document = Document(blocks, "text/plain")
    chunks = HeadingChunker().chunk(document)
    assert all(document.text[chunk.start : chunk.end].strip() == chunk.text for chunk in chunks)
    return chunks


def heading(text: str, level: int = 1) -> Block:
    return Block("heading", text, level=level)


def paragraph(text: str, page: int | None = None) -> Block:
    return Block("paragraph", text, page=page)


def test_each_section_is_a_chunk_that_names_its_headings() -> None:
    chunks = chunks_of(
        heading("契約書"),
        heading("第1条(目的)", 2),
        paragraph(SENTENCE * 4),
        heading("第2条(期間)", 2),
        paragraph(SENTENCE * 4),
    )
    assert [(chunk.heading_path, chunk.clause) for chunk in chunks] == [
        (("契約書", "第1条(目的)"), "第1条"),
        (("契約書", "第2条(期間)"), "第2条"),
    ]
    assert chunks[0].text.startswith("契約書\n第1条")


def test_tiny_sections_share_a_chunk_and_only_the_headings_they_share() -> None:
    chunks = chunks_of(
        heading("FAQ"), *(block for name in "あいう" for block in (heading(name, 2), paragraph("短い。")))
    )
    assert [(chunk.heading_path, chunk.clause) for chunk in chunks] == [(("FAQ",), None)]


def test_a_short_numbered_clause_stays_citable() -> None:
    chunks = chunks_of(heading("5.2.1 Scope"), paragraph(SENTENCE), heading("5.2.2 Terms"), paragraph(SENTENCE))
    assert [chunk.clause for chunk in chunks] == ["5.2.1", "5.2.2"]


def test_numbered_lines_are_headings_where_nothing_is_marked_as_one() -> None:
    chunks = chunks_of(
        paragraph("手順書"),
        paragraph("1. 準備"),
        paragraph(SENTENCE * 3),
        paragraph("2. 実施"),
        paragraph(SENTENCE * 3),
    )
    assert [chunk.clause for chunk in chunks] == ["1", "2"]


def test_a_heading_never_ends_a_chunk() -> None:
    chunks = chunks_of(heading("一"), paragraph("短い。"), heading("二"), paragraph(SENTENCE * 13))
    assert not any(chunk.text.endswith(("一", "二")) for chunk in chunks)


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    chunks = chunks_of(paragraph(SENTENCE * 60))
    assert len(chunks) > 2
    assert all(chunk.text.endswith("。") for chunk in chunks)
    assert all(estimate_tokens(chunk.text) <= TARGET for chunk in chunks)


def test_a_table_is_cut_between_rows() -> None:
    rows = [f"C-{number:04d}\t株式会社みどり{number}\t東京都" for number in range(200)]
    chunks = chunks_of(Block("table", "\n".join(rows)))
    assert [row for chunk in chunks for row in chunk.text.split("\n")] == rows


def test_a_line_without_any_break_is_still_cut() -> None:
    chunks = chunks_of(paragraph("あ" * 10_000))
    assert all(estimate_tokens(chunk.text) <= 2 * TARGET for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks) == "あ" * 10_000


def test_a_chunk_knows_the_page_it_begins_on() -> None:
    chunks = chunks_of(*(paragraph(SENTENCE * 8, page) for page in (1, 2, 2, 5)))
    assert chunks[0].page == 1
    assert chunks[-1].page == 5


def test_a_hundred_thousand_rows_get_larger_chunks_instead_of_more() -> None:
    rows = "\n".join(f"{number}\t商品{number}\t{number * 13}\t倉庫{number % 7}" for number in range(100_000))
    chunks = chunks_of(Block("table", rows))
    assert len(chunks) < 1.5 * MOST_CHUNKS
    assert all(estimate_tokens(chunk.text) <= LARGEST_TARGET for chunk in chunks)
    assert chunks[-1].text.endswith("倉庫" + str(99_999 % 7))


@pytest.mark.parametrize("blocks", [(), (paragraph(""),), (paragraph(" \n"), heading("\u3000"))])
def test_a_document_without_text_has_no_chunks(blocks: tuple[Block, ...]) -> None:
    assert chunks_of(*blocks) == []


def test_a_table_of_contents_is_cut_too() -> None:
    chunks = chunks_of(*(heading(f"{number}. 章の見出し", 1) for number in range(1, 400)))
    assert all(estimate_tokens(chunk.text) <= TARGET for chunk in chunks)


def test_headings_alone_are_one_chunk() -> None:
    assert [chunk.text for chunk in chunks_of(heading("表紙"), heading("目次"))] == ["表紙\n目次"]


@pytest.mark.parametrize(
    ("title", "clause"),
    [
        ("5.2.1 Scope", "5.2.1"),
        ("５．２ 範囲", "5.2"),
        ("3. 接続の手順", "3"),
        ("第3条(秘密の保持)", "第3条"),
        ("第十二条の二 特則", "第十二条の二"),
        ("第2章 総則", "第2章"),
        ("A.1 Annex", "A.1"),
        ("a.2.1 Annex", "A.2.1"),
        ("5.2.1a Scope", "5.2.1a"),
        ("6.2.x\tSFSF", "6.2.x"),
        ("6.2.x(new)", "6.2.x"),
        ("5.9.A\tA new clause", "5.9.A"),
        ("5.9.A.1 Below a new clause", "5.9.A.1"),
        ("5.9.aa Another one", "5.9.aa"),
        ("5.9.Introduction", "5.9"),
        ("6.X.2 Procedures", "6.X.2"),
        ("1.Next steps", "1"),
        ("5.2.1A Scope", "5.2.1A"),
        ("6.2A.1 Scope", "6.2A.1"),
        ("5.2.1Scope", "5.2.1"),
        ("Annex B (normative): Codes", "Annex B"),
        ("ANNEX C.2 Codes", "C.2"),
        ("附属書A 様式", "附属書A"),
        ("Annexes to the report", None),
        ("10:30 開始", None),
        ("2024年度の計画", None),
        ("10周年記念", None),
        ("はじめに", None),
        ("1.5倍の圧力をかけない", None),
    ],
)
def test_the_clause_number_a_heading_begins_with(title: str, clause: str | None) -> None:
    assert clause_number(title) == clause


@pytest.mark.parametrize(
    ("clause", "wanted", "within"),
    [
        ("5.2", "5.2", True),
        ("5.2.1a", "5.2", True),
        ("5.21", "5.2", False),
        ("5", "5.2", False),
        ("A.1", "Annex A", True),
        ("A.1", "附属書A", True),
        ("第3条", "第3条", True),
        (None, "5", False),
    ],
)
def test_a_clause_holds_those_below_it(clause: str | None, wanted: str, within: bool) -> None:
    assert lies_within(clause, wanted) is within


def test_an_annex_is_a_heading_where_nothing_is_marked_as_one() -> None:
    assert inferred_level("Annex A (informative): Examples") == 1
    assert inferred_level("Annex A describes the examples") == 0


@pytest.mark.parametrize(
    "line", ["1. 電源を入れて、ふたを閉めます。", "2024年9月10日", "1,234円", "3.5", "本文", "1\t2\t3"]
)
def test_list_items_and_numbers_are_no_headings(line: str) -> None:
    assert inferred_level(line) == 0


@pytest.mark.parametrize(
    "row",
    [
        "12.3 4.5 98%",
        "12,300 4,500 98%",
        "12 300 4 500",
        "12.5 △13.0 ▲14.2",
        "3.1 98% 100円",
        "1.2.3 4.5.6",
        "15.2 千円 98%",
        "1.5 倍",
        "3. 2024",
        "1、2、3",
        "10.5 kg (12.0 kg)",
        "１２．３　４．５　９８％",
    ],
)
def test_a_row_of_figures_is_no_heading(row: str) -> None:
    assert inferred_level(row) == 0


@pytest.mark.parametrize(
    "title", ["2.1 準備", "2.1 5G", "3. 2024年度の計画", "4.2 3GPP TS 22.261", "1. 98% の達成", "2.2 月次の売上"]
)
def test_a_heading_may_hold_figures(title: str) -> None:
    assert inferred_level(title) > 0


def test_figures_of_a_table_of_a_pdf_stand_under_the_heading_above_them() -> None:
    rows = ["2.1 売上", "売上は次のとおりです。" * 30, "12.3 4.5 98%", "15.2 6.1 97%", "説明が続きます。" * 30]
    chunks = HeadingChunker().chunk(Document(tuple(Block("paragraph", row) for row in rows), "application/pdf"))
    assert {chunk.heading_path for chunk in chunks} == {("2.1 売上",)}
    assert {chunk.clause for chunk in chunks} == {"2.1"}


blocks = st.builds(
    Block,
    kind=st.sampled_from(["heading", "paragraph", "table", "note"]),
    text=st.text(max_size=60)
    | st.sampled_from(["1. 準備", "第3条(期間)", SENTENCE * 20, "あ" * 1500, "a\tb\n" * 300, "\n\f", "👨‍👩‍👧" * 400]),
    level=st.integers(0, 4),
    page=st.none() | st.integers(1, 4),
)


@settings(deadline=None, max_examples=150)
@given(st.lists(blocks, max_size=12))
def test_spans_are_exact_in_order_and_cover_everything(parts: list[Block]) -> None:
    document = Document(tuple(parts), "text/plain")
    text = document.text
    chunks = HeadingChunker().chunk(document)
    position = 0
    for ordinal, chunk in enumerate(chunks):
        assert chunk.ordinal == ordinal
        assert position <= chunk.start < chunk.end <= len(text)
        assert text[position : chunk.start].strip() == ""
        assert text[chunk.start : chunk.end].strip() == chunk.text != ""
        assert estimate_tokens(chunk.text) <= 2 * TARGET + 200
        position = chunk.end
    assert text[position:].strip() == ""
