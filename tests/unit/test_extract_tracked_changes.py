"""What a change request changes: inserted and deleted text, typed, at its place, beside the text as changed."""

from __future__ import annotations

from pathlib import Path

from locator_search.model import Block
from tests.builders.files.extracted import extracted
from tests.builders.files.word import paragraph, run, table, word

Change = tuple[str, str, int]


def inserted(text: str, author: str = "Aoki") -> str:
    return f'<w:ins w:author="{author}" w:date="2026-02-03T04:05:06Z">{run(text)}</w:ins>'


def deleted(text: str, author: str = "Aoki") -> str:
    return f'<w:del w:author="{author}"><w:r><w:delText xml:space="preserve">{text}</w:delText></w:r></w:del>'


def blocks_of(tmp_path: Path, body: str) -> list[Block]:
    return list(extracted(word(tmp_path / "a.docx", body)).document.blocks)


def changes_of(block: Block) -> list[Change]:
    return [(change.kind, change.text, change.offset) for change in block.changes]


def test_changes_keep_their_kind_place_author_and_time(tmp_path: Path) -> None:
    inside = inserted(" always") + deleted(" sometimes") + run(" register.")
    (block,) = blocks_of(tmp_path, paragraph("The UE shall", inside=inside))
    assert block.text == "The UE shall always register."
    assert changes_of(block) == [("insert", " always", 12), ("delete", " sometimes", 19)]
    assert (block.changes[0].author, block.changes[0].changed_at) == ("Aoki", "2026-02-03T04:05:06Z")


def test_a_move_is_a_deletion_and_an_insertion(tmp_path: Path) -> None:
    body = paragraph(inside=f"<w:moveFrom>{run('Clause text.')}</w:moveFrom>") + paragraph(
        inside=f"<w:moveTo>{run('Clause text.')}</w:moveTo>"
    )
    first, second = blocks_of(tmp_path, body)
    assert (first.text, changes_of(first)) == ("", [("delete", "Clause text.", 0)])
    assert (second.text, changes_of(second)) == ("Clause text.", [("insert", "Clause text.", 0)])


def test_runs_that_one_author_changed_side_by_side_are_one_change(tmp_path: Path) -> None:
    inside = inserted("one ") + inserted("two") + inserted(" three", "Baba") + deleted("old ") + deleted("words")
    (block,) = blocks_of(tmp_path, paragraph(inside=inside))
    assert changes_of(block) == [("insert", "one two", 0), ("insert", " three", 7), ("delete", "old words", 13)]


def test_white_space_belongs_to_the_change_it_touches_whoever_made_it(tmp_path: Path) -> None:
    """Else the words on both sides of it run together: 2.If, network."""
    inside = (
        deleted("\t", "Baba") + deleted("If it waits") + deleted(", ", "Baba") + deleted(" ", "Chiba") + run("goes.")
    )
    (block,) = blocks_of(tmp_path, paragraph("2.", inside=inside))
    assert changes_of(block) == [("delete", "\tIf it waits", 2), ("delete", ",  ", 2)]
    assert block.changes[0].author == "Aoki"
    (block,) = blocks_of(
        tmp_path, paragraph("net", inside=inserted("s ") + inserted(" ", "Baba") + inserted("at ") + run("work"))
    )
    assert changes_of(block) == [("insert", "s  at ", 3)]
    (block,) = blocks_of(tmp_path, paragraph("one", inside=deleted(" ") + inserted(" ", "Baba") + run("two")))
    assert (block.text, changes_of(block)) == ("one two", [])


def test_sentences_of_paragraphs_that_became_one_stay_apart_and_words_do_not(tmp_path: Path) -> None:
    joined = "<w:pPr><w:rPr><w:del w:author='Aoki'/></w:rPr></w:pPr>"
    for first, second, text in (
        ("It has no impact.", "It is light.", "It has no impact. It is light."),
        ("It has no impact.", " It is light.", "It has no impact. It is light."),
        ("net", "work", "network"),
        ("TS 38.", "331", "TS 38.331"),
    ):
        (block,) = blocks_of(tmp_path, f"<w:p>{joined}{run(first)}</w:p>{paragraph(second)}")
        assert (block.text, changes_of(block)) == (text, [])


def test_what_was_put_in_and_taken_out_again_was_never_there(tmp_path: Path) -> None:
    inside = f"<w:ins>{deleted('draft')}{run('final')}</w:ins>"
    (block,) = blocks_of(tmp_path, paragraph(inside=inside))
    assert (block.text, changes_of(block)) == ("final", [("insert", "final", 0)])


def test_a_deleted_clause_stays_at_its_place_without_text(tmp_path: Path) -> None:
    gone = "<w:p><w:pPr><w:pStyle w:val='2'/><w:rPr><w:del/></w:rPr></w:pPr>" + deleted("5.3 Old clause") + "</w:p>"
    gone += "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + deleted("Nobody needs it.") + "</w:p>"
    document = extracted(
        word(tmp_path / "a.docx", paragraph("5.2 Kept", "2") + gone + paragraph("5.4 Next", "2"))
    ).document
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 2, "5.2 Kept"),
        ("heading", 2, ""),
        ("paragraph", 0, ""),
        ("heading", 2, "5.4 Next"),
    ]
    assert changes_of(document.blocks[1]) == [("delete", "5.3 Old clause", 0)]
    assert document.text == "5.2 Kept\n5.4 Next"


def test_changes_in_a_table_lie_in_its_rows(tmp_path: Path) -> None:
    rows = table(["Cause", "Value"], [paragraph("Timer", inside=inserted(" T3510")), paragraph("15 s")])
    gone = f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph('Old')}</w:tc><w:tc>{paragraph('1 s')}</w:tc></w:tr>"
    (block,) = blocks_of(tmp_path, rows.replace("</w:tbl>", gone + "</w:tbl>"))
    assert block.text == "Cause\tValue\nTimer T3510\t15 s"
    assert changes_of(block) == [("insert", " T3510", 17), ("delete", "\nOld | 1 s", 28)]
    assert block.text[17:23] == " T3510"


def test_the_text_is_the_same_with_and_without_marks(tmp_path: Path) -> None:
    changed = paragraph("  a ", "1", inserted(" b ") + deleted(" x ") + run("  c "))
    plain = paragraph("  a ", "1", run(" b ") + run("  c "))
    assert [block.text for block in blocks_of(tmp_path, changed)] == [
        block.text for block in blocks_of(tmp_path, plain)
    ]


def test_characters_that_look_like_our_marks_are_taken_out_of_the_file(tmp_path: Path) -> None:
    (block,) = blocks_of(tmp_path, paragraph("a\ufdd0delete\ufdd1b\ufdd2c"))
    assert (block.text, block.changes) == ("adeletebc", ())
