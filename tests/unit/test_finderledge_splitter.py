"""How FinderLedge cuts documents into chunks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.core.errors import ConfigurationError
from locator_search.finderledge.splitter import SentenceSplitter, WholeText
from locator_search.model import Block, Chunk, Document

JAPANESE = (
    "経費精算は毎月25日までに提出する。領収書の原本を添えること。「なくした。どうする?」と聞かれたら理由書を書く。"
)


def split(text: str, size: int, overlap: int = 0) -> list[str]:
    return [chunk.text for chunk in SentenceSplitter(size, overlap).chunk(plain(text))]


def plain(text: str) -> Document:
    return Document((Block("paragraph", text),), "text/plain")


def test_chunks_end_with_whole_sentences_in_japanese_and_english() -> None:
    assert split(JAPANESE, 40) == [
        "経費精算は毎月25日までに提出する。領収書の原本を添えること。",
        "「なくした。どうする?」と聞かれたら理由書を書く。",
    ]
    assert split("It was late. Dr. Smith left. Nobody saw him.", 30) == [
        "It was late. Dr. Smith left.",
        "Nobody saw him.",
    ]


def test_an_overlap_repeats_whole_sentences_of_the_chunk_before() -> None:
    text = "一つ目の文。二つ目の文。三つ目の文。四つ目の文。"
    assert split(text, 12, 6) == ["一つ目の文。二つ目の文。", "二つ目の文。三つ目の文。", "三つ目の文。四つ目の文。"]
    assert split(text, 12, 5) == ["一つ目の文。二つ目の文。", "三つ目の文。四つ目の文。"]


def test_a_sentence_longer_than_a_chunk_is_cut_between_what_readers_see_as_characters() -> None:
    family = "👨‍👩‍👧‍👦"
    pieces = split(family * 5, 20)
    assert "".join(pieces) == family * 5
    assert all(len(piece) % len(family) == 0 and len(piece) <= 20 for piece in pieces)


def test_a_heading_begins_the_chunk_of_its_text_and_names_it() -> None:
    document = Document(
        (
            Block("heading", "旅費規程", 1, 1),
            Block("paragraph", "この規程は出張の費用を定める。", 0, 1),
            Block("heading", "宿泊費", 2, 2),
            Block("paragraph", "上限は一泊一万二千円とする。", 0, 2),
        ),
        "text/plain",
    )
    first, second = SentenceSplitter(25, 0).chunk(document)
    assert (first.text, first.heading_path, first.page) == (
        "旅費規程\nこの規程は出張の費用を定める。",
        ("旅費規程",),
        1,
    )
    assert (second.text, second.heading_path, second.page) == (
        "宿泊費\n上限は一泊一万二千円とする。",
        ("旅費規程", "宿泊費"),
        2,
    )


def test_rows_of_a_table_stay_whole() -> None:
    table = Block("table", "\n".join(f"品番{number}\t{number * 100}円" for number in range(20)))
    chunks = SentenceSplitter(50, 0).chunk(Document((table,), "text/csv"))
    assert all(line.startswith("品番") and line.endswith("円") for chunk in chunks for line in chunk.text.splitlines())


blocks = st.lists(
    st.builds(
        Block,
        kind=st.sampled_from(["heading", "paragraph", "table"]),
        text=st.text(st.sampled_from("あ漢x。.\n「」! 👨‍"), max_size=60),
        level=st.integers(0, 3),
    ),
    max_size=6,
)


@settings(max_examples=200, deadline=None)
@given(blocks, st.integers(1, 40), st.integers(0, 39))
def test_nothing_is_lost_and_no_chunk_is_too_long(parts: list[Block], size: int, overlap: int) -> None:
    document = Document(tuple(parts), "text/plain")
    chunks: list[Chunk] = SentenceSplitter(size, min(overlap, size - 1)).chunk(document)
    text = document.text
    covered = {place for chunk in chunks for place in range(chunk.start, chunk.end)}
    assert all(place in covered for place, character in enumerate(text) if not character.isspace())
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert len(chunk.text) <= size
    assert [chunk.start for chunk in chunks] == sorted({chunk.start for chunk in chunks})


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-5, 0), (100, 100), (100, 150), (100, -1)])
def test_sizes_that_do_not_fit_together_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ConfigurationError, match="chunk_"):
        SentenceSplitter(size, overlap)


def test_a_document_may_be_kept_whole() -> None:
    assert [chunk.text for chunk in WholeText().chunk(plain("一つ。\n二つ。"))] == ["一つ。\n二つ。"]
