"""On which page of a PDF rendition a block stands: found, or not said."""

from __future__ import annotations

from locator_search.contributions.pages import shown_text, with_pages
from locator_search.model import Block, Document, TrackedChange

LONG = "The network shall reject the registration request of the UE with a cause value that tells why it was rejected"


def _pages(blocks: list[Block], texts: list[str]) -> list[int | None]:
    return [block.page for block in with_pages(Document(tuple(blocks), "docx"), texts).blocks]


def test_blocks_are_found_in_order_across_headers_and_line_ends() -> None:
    blocks = [Block("heading", "5.2.1 Registration", 3), Block("paragraph", LONG), Block("heading", "6 Charging", 1)]
    texts = ["SA1#111 header\n5.2.1\nRegistra-\ntion\n", "SA1#111 header\n" + LONG.replace(" ", "\n") + "\n6 Charging"]
    assert _pages(blocks, texts) == [1, 2, 2]


def test_a_title_in_the_list_of_contents_is_not_taken_for_the_clause() -> None:
    blocks = [
        Block("paragraph", "5.2 Registration of devices\t2"),
        Block("paragraph", LONG),
        Block("heading", "5.2 Registration of devices", 2),
    ]
    assert _pages(blocks, ["5.2 Registration of devices ..... 2", LONG + " 5.2 Registration of devices"]) == [1, 2, 2]


def test_deleted_text_is_looked_for_as_the_rendition_shows_it() -> None:
    change = TrackedChange("delete", "may reject ", 12)
    block = Block("paragraph", "The network shall answer the UE.", changes=(change,))
    assert shown_text(block) == "The network may reject shall answer the UE."
    assert _pages([block], ["nothing", "The network may reject shall answer the UE."]) == [2]


def test_what_is_not_found_has_no_page_unless_its_neighbours_share_one() -> None:
    first, last = Block("paragraph", LONG), Block("paragraph", "Charging records shall contain the identifier.")
    lost = Block("paragraph", "a picture's text")
    texts = [LONG + " Charging records shall contain the identifier.", "end"]
    assert _pages([first, lost, last], texts) == [1, 1, 1]
    assert _pages([first, lost, last], [LONG, "Charging records shall contain the identifier."]) == [1, None, 2]
    assert _pages([lost], texts) == [None]


def test_a_short_block_is_looked_for_between_its_neighbours_only() -> None:
    blocks = [Block("paragraph", LONG), Block("paragraph", "Note 5"), Block("paragraph", "The end of the document.")]
    assert _pages(blocks, ["Note 5 " + LONG, "Note 5", "The end of the document. Note 5"]) == [1, 2, 3]
    assert _pages(blocks, ["Note 5 " + LONG, "", "The end of the document. Note 5"]) == [1, None, 3]


def test_a_text_box_that_stands_elsewhere_misleads_nobody() -> None:
    box = Block("paragraph", "What stands in a box at the end of the document")
    first = Block("paragraph", LONG)
    last = Block("paragraph", "Charging records shall contain the identifier.")
    texts = [LONG, "Charging records shall contain the identifier.", box.text]
    assert _pages([first, box, last], texts) == [1, 3, 2]


def test_notes_have_no_page_and_japanese_is_found() -> None:
    blocks = [Block("paragraph", "避難所の管理者が登録した端末を、優先して接続する。"), Block("note", "脚注")]
    assert _pages(blocks, ["", "避難所の管理者が登録\nした端末を、優先して接続する。脚注"]) == [2, None]


def test_the_rows_of_a_long_table_have_the_pages_they_stand_on() -> None:
    rows = [f"Parameter number {row}\tvalue {row} of the long table" for row in range(6)]
    changed = TrackedChange("insert", "value 4", len("\n".join(rows[:4])) + 1 + rows[4].index("value 4"))
    table = Block("table", "\n".join(rows), changes=(changed,))
    pages = ["\n".join(rows[:2]), "\n".join(rows[2:4]), "\n".join(rows[4:])]
    paged = with_pages(Document((table,), "docx"), pages)
    assert [(block.page, block.text) for block in paged.blocks] == [
        (page, "\n".join(rows[2 * page - 2 : 2 * page])) for page in (1, 2, 3)
    ]
    (change,) = paged.blocks[2].changes
    assert paged.blocks[2].text[change.offset :].startswith("value 4")


def _known(blocks: list[Block], texts: list[str]) -> list[tuple[int | None, bool]]:
    return [(one.page, one.page_is_estimated) for one in with_pages(Document(tuple(blocks), "docx"), texts).blocks]


FIRST = "The procedure begins with a request of the terminal."
LAST = "The procedure ends with an answer of the network."
REPEATED = "The network function stores the parameter it received."


def test_a_paragraph_over_a_page_break_is_cut_at_the_sentence_that_begins_there() -> None:
    inserted = TrackedChange("insert", f"{REPEATED} {LAST}", len(FIRST) + 1)
    block = Block("paragraph", f"{FIRST} {REPEATED} {LAST}", changes=(inserted,))
    pages = [f"{FIRST} The network function", f"stores the parameter it received. {LAST}"]
    found = with_pages(Document((block,), "docx"), pages).blocks
    assert [(one.page, one.text) for one in found] == [(1, f"{FIRST} {REPEATED}"), (2, LAST)]
    assert [one.text[change.offset :] for one in found for change in one.changes] == [REPEATED, LAST]
    assert [change.text.rstrip() for one in found for change in one.changes] == [REPEATED, LAST]


def test_a_passage_that_may_stand_on_several_pages_is_an_estimate() -> None:
    blocks = [Block("paragraph", text) for text in (FIRST, REPEATED, LAST)]
    assert _known(blocks, [f"{FIRST} {REPEATED}", f"{REPEATED} {LAST}"]) == [(1, False), (1, True), (2, False)]
    assert _known(blocks, [f"{REPEATED} {FIRST}", f"{REPEATED} {LAST}"]) == [(1, False), (2, False), (2, False)]


def test_what_stands_in_no_place_of_the_rendition_after_the_last_that_does_has_no_page() -> None:
    blocks = [Block("paragraph", FIRST), Block("paragraph", "a label of a diagram")]
    assert _known(blocks, ["", FIRST]) == [(2, False), (None, True)]


def test_a_row_that_goes_on_on_the_next_page_is_an_estimate() -> None:
    row = Block("table", f"Reason for change\t{FIRST} {REPEATED}")
    after = Block("paragraph", LAST)
    assert _known([row, after], [f"Reason for change {FIRST}", f"{REPEATED} {LAST}"]) == [(1, True), (2, False)]
    assert _known([row, after], [f"Reason for change {FIRST} {REPEATED}", LAST]) == [(1, False), (2, False)]
