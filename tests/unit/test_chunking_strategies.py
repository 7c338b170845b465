"""The strategies that cut contributions: clauses are right, sizes hold, changes lie where they are."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.indexing.chunking.strategies import (
    MOST_TOKENS,
    OVERLAP_TOKENS,
    STRATEGIES,
    HeadingBasedChunking,
    HierarchyChunking,
    OverlapChunking,
)
from locator_search.model import Block, Chunk, Document, TrackedChange
from locator_search.model.texts import DELETED
from locator_search.text.cutting import estimate_tokens
from tests.unit.test_chunkers import SENTENCE, blocks, heading, paragraph

SHALL = "The UE shall register before it sends user data. "


def cut(
    *parts: Block, by: type[HeadingBasedChunking | OverlapChunking | HierarchyChunking] = HeadingBasedChunking
) -> list[Chunk]:
    return by().cut(Document(parts, "application/x"))


def insertion(text: str, offset: int) -> TrackedChange:
    return TrackedChange("insert", text, offset)


def deletion(text: str, offset: int = 0) -> TrackedChange:
    return TrackedChange("delete", text, offset)


def test_a_chunk_stands_on_one_page_so_that_its_page_is_that_of_every_quote() -> None:
    pages = [(1, SHALL), (1, "It waits. "), (2, "It sends data. "), (None, "It ends. ")]
    body = (Block("paragraph", text.strip(), page=page) for page, text in pages)
    chunks = cut(replace(heading("5 Procedures"), page=1), *body)
    assert [(chunk.page, chunk.clause, chunk.text.count("It ")) for chunk in chunks] == [(1, "5", 1), (2, "5", 2)]


def test_every_clause_is_a_chunk_of_its_own_however_short() -> None:
    chunks = cut(
        paragraph("3GPP TSG-SA WG1"),
        heading("5 Procedures"),
        heading("5.2\tRegistration", 2),
        paragraph(SHALL),
        heading("5.2.1a General", 3),
        paragraph(SHALL),
        heading("5.3 Void", 2),
        heading("Annex A (informative): Examples"),
        heading("A.1 First", 2),
        paragraph(SHALL),
    )
    assert [(chunk.clause, chunk.heading_path[-1:]) for chunk in chunks] == [
        (None, ()),
        ("5.2", ("5.2 Registration",)),
        ("5.2.1a", ("5.2.1a General",)),
        ("5.3", ("5.3 Void",)),
        ("A.1", ("A.1 First",)),
    ]
    assert chunks[1].text.startswith("5 Procedures\n5.2\tRegistration\nThe UE")


def test_a_long_clause_is_cut_between_paragraphs_and_keeps_its_number() -> None:
    chunks = cut(heading("5.2 Registration"), *(paragraph(SHALL * 20) for _ in range(9)))
    assert len(chunks) > 2
    assert {chunk.clause for chunk in chunks} == {"5.2"}
    assert all(estimate_tokens(chunk.text) <= MOST_TOKENS for chunk in chunks)


def test_japanese_counts_by_character_and_not_by_word() -> None:
    chunks = cut(heading("5.2 登録"), paragraph(SENTENCE * 60))
    assert all(estimate_tokens(chunk.text) <= MOST_TOKENS for chunk in chunks)
    assert max(len(chunk.text) for chunk in chunks) < 900


def test_a_long_table_repeats_its_first_row_and_stays_with_its_caption() -> None:
    rows = "\n".join(["Cause\tMeaning", *(f"#{number}\tmeaning of cause {number}" for number in range(200))])
    chunks = cut(
        heading("5.2 Causes"), paragraph(SHALL * 60), Block("caption", "Table 5.2-1: Causes"), Block("table", rows)
    )
    with_rows = [chunk for chunk in chunks if "#" in chunk.text]
    assert len(with_rows) > 1
    assert "Table 5.2-1: Causes\nCause\tMeaning\n#0" in with_rows[0].text
    assert all(chunk.text.startswith("Cause\tMeaning\n#") for chunk in with_rows[1:])


def test_headers_and_comments_belong_to_no_clause() -> None:
    chunks = cut(heading("5.2 Last clause"), paragraph(SHALL), Block("note", "3GPP TSG-SA WG1 Meeting #111"))
    assert [(chunk.clause, chunk.text) for chunk in chunks][1] == (None, "3GPP TSG-SA WG1 Meeting #111")


@pytest.mark.parametrize("strategy", [HeadingBasedChunking, OverlapChunking, HierarchyChunking])
def test_changes_lie_where_they_are_in_the_text_of_the_chunk(
    strategy: type[HeadingBasedChunking | OverlapChunking | HierarchyChunking],
) -> None:
    changed = Block("paragraph", "It shall always work.", changes=(insertion(" always", 8), deletion(" never", 15)))
    chunks = cut(heading("5 Top"), heading("5.2 Clause", 2), paragraph(SHALL), changed, by=strategy)
    (chunk,) = [chunk for chunk in chunks if chunk.changes]
    inserted, deleted = chunk.changes
    assert chunk.text[inserted.offset : inserted.offset + len(inserted.text)] == " always"
    assert chunk.text[: deleted.offset].endswith("always")
    assert deleted.text == " never"


def test_a_deleted_clause_is_a_chunk_that_says_so_under_its_own_number() -> None:
    chunks = cut(
        heading("5.2 Kept"),
        paragraph(SHALL),
        Block("heading", "", level=1, changes=(deletion("5.3 Old clause"),)),
        Block("paragraph", "", changes=(deletion("Nobody needs it."),)),
        heading("5.4 Next"),
        paragraph(SHALL),
    )
    assert [chunk.clause for chunk in chunks] == ["5.2", "5.3", "5.4"]
    assert chunks[1].text == f"{DELETED}\n5.3 Old clause\nNobody needs it."
    assert [change.kind for change in chunks[1].changes] == ["delete", "delete"]


def test_a_deleted_paragraph_belongs_to_the_clause_it_stood_in() -> None:
    chunks = cut(heading("5.2 Kept"), paragraph(SHALL), Block("paragraph", "", changes=(deletion("Old rule."),)))
    assert [(chunk.clause, [change.text for change in chunk.changes]) for chunk in chunks] == [("5.2", ["\nOld rule."])]


def test_parts_of_one_clause_overlap_and_clauses_do_not() -> None:
    sentences = [f"Sentence number {number} says that the UE shall register. " for number in range(200)]
    chunks = cut(
        heading("5.2 Long"), paragraph("".join(sentences)), heading("5.3 Next"), paragraph(SHALL), by=OverlapChunking
    )
    long = [chunk for chunk in chunks if chunk.clause == "5.2"]
    for earlier, later in pairwise(long):
        shared = earlier.end - later.start
        assert 0 < estimate_tokens(earlier.text[-shared:]) <= OVERLAP_TOKENS + 20
        assert later.text.startswith("Sentence number")
    assert chunks[-1].text.startswith("5.3 Next")


def test_a_chunk_of_the_hierarchy_names_what_is_above_and_below() -> None:
    chunks = cut(
        heading("5 Procedures"),
        heading("5.2 Registration", 2),
        paragraph(SHALL),
        heading("5.2.1 General", 3),
        paragraph(SHALL),
        heading("5.3 Other", 2),
        by=HierarchyChunking,
    )
    assert chunks[0].text == "5 Procedures\n5.2 Registration\n5.3 Other"
    assert chunks[1].text == f"5 Procedures\n5.2 Registration\n{SHALL.strip()}\n5.2.1 General".replace(
        "Registration\nThe", "Registration\nThe"
    )
    assert chunks[2].text.startswith("5 Procedures\n5.2 Registration\n5.2.1 General\nThe UE")
    assert [chunk.clause for chunk in chunks] == ["5", "5.2", "5.2.1", "5.3"]


def test_each_strategy_has_a_version_of_its_own() -> None:
    assert sorted(strategy.version for strategy in STRATEGIES.values()) == [
        "heading-based-v1",
        "hierarchy-v1",
        "overlap-v1",
    ]


@settings(deadline=None, max_examples=80)
@given(st.lists(blocks, max_size=10), st.sampled_from(sorted(STRATEGIES)))
def test_no_text_is_lost_and_none_is_too_long(parts: list[Block], name: str) -> None:
    document = Document(tuple(parts), "text/plain")
    strategy = STRATEGIES[name]  # type: ignore[index]
    chunks = strategy.cut(document)  # type: ignore[attr-defined]
    text, position = document.text, 0
    for ordinal, chunk in enumerate(chunks):
        assert chunk.ordinal == ordinal
        assert chunk.start <= chunk.end <= len(text)
        assert text[position : max(position, chunk.start)].strip() == ""
        assert text[chunk.start : chunk.end].strip() in chunk.text
        assert chunk.text.strip() != ""
        assert estimate_tokens(text[chunk.start : chunk.end]) <= 2 * MOST_TOKENS + OVERLAP_TOKENS
        position = max(position, chunk.end)
    assert text[position:].strip() == ""
