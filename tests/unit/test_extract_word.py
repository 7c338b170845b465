"""Word documents: what a reader of the document sees, in document order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.files.extracted import extracted, outline
from tests.builders.files.word import PAGE_MARK, STRICT, paragraph, run, table, word


def text_of(path: Path) -> str:
    return extracted(path).document.text


def test_headings_follow_the_chain_of_styles_and_not_their_ids(tmp_path: Path) -> None:
    body = (
        paragraph("大見出し", "1")
        + paragraph("中見出し", "4")
        + paragraph("本文", "Heading1Look")
        + '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>小見出し</w:t></w:r></w:p>'
        + '<w:p><w:pPr><w:pStyle w:val="1"/><w:outlineLvl w:val="9"/></w:pPr><w:r><w:t>もう本文</w:t></w:r></w:p>'
        + paragraph("図の説明", "a9")
        + paragraph("表 2：売上の推移")
    )
    assert outline(extracted(word(tmp_path / "a.docx", body))) == [
        ("heading1", "大見出し"),
        ("heading2", "中見出し"),
        ("paragraph", "本文"),
        ("heading3", "小見出し"),
        ("paragraph", "もう本文"),
        ("caption", "図の説明"),
        ("caption", "表 2：売上の推移"),
    ]


def test_a_heading_from_google_docs_keeps_its_id_and_other_bookmarks_are_none(tmp_path: Path) -> None:
    def heading(text: str, bookmark: str) -> str:
        start = f'<w:bookmarkStart w:colFirst="0" w:colLast="0" w:name="{bookmark}" w:id="0"/><w:bookmarkEnd w:id="0"/>'
        return paragraph(text, "1").replace("<w:r>", f"{start}<w:r>", 1)

    body = heading("予算", "_heading=h.gjdgxs") + heading("体制", "_Toc1") + heading("偽", "_heading=h.x&quot;y")
    blocks = extracted(word(tmp_path / "a.docx", body)).document.blocks
    assert [(block.text, block.anchor) for block in blocks] == [("予算", "h.gjdgxs"), ("体制", ""), ("偽", "")]


def test_tracked_insertions_stay_and_deletions_go(tmp_path: Path) -> None:
    inside = (
        f"<w:ins>{run('追加')}</w:ins><w:del><w:r><w:delText>削除</w:delText></w:r></w:del>"
        f"<w:moveFrom>{run('移動前')}</w:moveFrom><w:moveTo>{run('移動後')}</w:moveTo>"
    )
    rows = (
        f"<w:tbl><w:tr><w:tc>{paragraph('残る行')}</w:tc><w:tc>{paragraph('値')}</w:tc></w:tr>"
        f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph('消えた行')}</w:tc><w:tc>{paragraph()}</w:tc></w:tr></w:tbl>"
    )
    assert (
        text_of(word(tmp_path / "a.docx", paragraph("元の文", inside=inside) + rows)) == "元の文追加移動後\n残る行\t値"
    )


def test_a_deleted_paragraph_end_joins_the_paragraphs(tmp_path: Path) -> None:
    first = f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{run('前半')}</w:p>"
    assert text_of(word(tmp_path / "a.docx", first + paragraph("後半"))) == "前半後半"


def test_content_controls_are_read_wherever_they_stand(tmp_path: Path) -> None:
    inline = f"<w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent>{run('選択値')}</w:sdtContent></w:sdt>"
    block = f"<w:sdt><w:sdtContent>{paragraph('囲まれた段落')}</w:sdtContent></w:sdt>"
    rows = table(["左", "右"]).replace("<w:tr>", "<w:sdt><w:sdtContent><w:tr>")
    rows = rows.replace("</w:tr>", "</w:tr></w:sdtContent></w:sdt>")
    assert text_of(word(tmp_path / "a.docx", paragraph("値：", inside=inline) + block + rows)) == (
        "値：選択値\n囲まれた段落\n左\t右"
    )


def test_a_text_box_is_read_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('箱の中')}</w:txbxContent>"
    inside = (
        "<w:r><mc:AlternateContent>"
        f"<mc:Choice Requires='wps'><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    only_fallback = (
        f"<w:r><mc:AlternateContent><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert text_of(word(tmp_path / "a.docx", paragraph("外", inside=inside))) == "外\n箱の中"
    assert text_of(word(tmp_path / "b.docx", paragraph("外", inside=only_fallback))) == "外\n箱の中"


def test_lettering_drawn_as_a_picture_is_read(tmp_path: Path) -> None:
    art = '<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath string="社外秘"/></v:shape>'
    body = f"{paragraph('本文')}<w:p><w:r><w:pict>{art}</w:pict></w:r></w:p>"
    assert text_of(word(tmp_path / "a.docx", body)) == "本文\n社外秘"


def test_merged_and_nested_tables_keep_their_columns(tmp_path: Path) -> None:
    wide = f'<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("広い")}'
    start = f'<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{paragraph("縦")}'
    below = f"<w:tcPr><w:vMerge/></w:tcPr>{paragraph()}"
    nested = paragraph("外側") + table(["内1", "内2"])
    path = word(tmp_path / "a.docx", table([wide, "右"], [start, "b", "c"], [below, nested, "f"]))
    assert text_of(path) == "広い\t\t右\n縦\tb\tc\n\t外側 内1 内2\tf"


def test_a_frame_of_one_cell_is_no_table(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", table([paragraph("枠の見出し", "1") + paragraph("枠の本文")]))
    assert outline(extracted(path)) == [("heading1", "枠の見出し"), ("paragraph", "枠の本文")]


def test_notes_headers_and_footers_come_last_and_once(tmp_path: Path) -> None:
    path = word(
        tmp_path / "a.docx",
        paragraph("本文"),
        footnotes=f'<w:footnote w:type="separator">{paragraph("―")}</w:footnote>'
        f"<w:footnote>{paragraph('脚注の説明')}</w:footnote>",
        comments=f"<w:comment>{paragraph('確認してください')}</w:comment>",
        header=paragraph("社外秘"),
        footer=paragraph("社外秘"),
    )
    assert outline(extracted(path)) == [
        ("paragraph", "本文"),
        ("note", "脚注の説明"),
        ("note", "確認してください"),
        ("note", "社外秘"),
    ]


def test_small_things_inside_a_line(tmp_path: Path) -> None:
    inside = (
        "<w:r><w:t>Rel</w:t><w:noBreakHyphen/><w:t>16</w:t><w:tab/><w:t>表</w:t></w:r>"
        "<w:r><w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r>"
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGEREF _Toc1</w:instrText></w:r><w:r><w:t>5</w:t></w:r>'
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Arial" w:char="2192"/></w:r>'
    )
    assert text_of(word(tmp_path / "a.docx", paragraph(inside=inside))) == "Rel-16\t表漢字5→"


def test_marks_that_end_before_the_document_does_tell_no_more_pages(tmp_path: Path) -> None:
    """As Word leaves them when it saves a long document it has not laid out to the end."""
    lines = [
        paragraph("表紙"),
        paragraph("始まり", inside=PAGE_MARK),
        *(paragraph(f"{n} " + "行" * 490) for n in range(12)),
    ]
    document = extracted(word(tmp_path / "a.docx", "".join(lines))).document
    pages = [block.page for block in document.blocks]
    assert (pages[0], pages[2]) == (1, 2)
    assert pages[-3:] == [None, None, None]
    assert document.page_count is None


def test_pages_come_from_the_marks_word_left(tmp_path: Path) -> None:
    two_marks = paragraph("長い欄", inside=PAGE_MARK + PAGE_MARK + run("続き"))
    body = (
        paragraph("一枚目")
        + paragraph(inside=PAGE_MARK + run("二枚目"))
        + table([two_marks, paragraph("短い欄", inside=PAGE_MARK + run("続き"))])
        + paragraph("四枚目")
    )
    result = extracted(word(tmp_path / "a.docx", body))
    assert [(block.text[:3], block.page) for block in result.document.blocks] == [
        ("一枚目", 1),
        ("二枚目", 2),
        ("長い欄", 2),
        ("四枚目", 4),
    ]
    assert result.document.page_count == 4
    assert extracted(word(tmp_path / "b.docx", paragraph("頁なし"))).document.page_count is None


def test_what_python_docx_refuses_is_opened_by_hand(tmp_path: Path) -> None:
    strict = word(tmp_path / "strict.docx", paragraph("厳格な形式", "1"), namespace=STRICT)
    assert outline(extracted(strict)) == [("heading1", "厳格な形式")]


def test_a_damaged_note_does_not_cost_the_body(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", paragraph("本文"), footnotes="<w:footnote>", header=paragraph("上"))
    result = extracted(path)
    assert (result.state, result.document.text) == ("partial", "本文\n上")
    assert result.reason == "The footnotes of the document could not be read."


@pytest.mark.parametrize(
    ("prolog", "body", "reason"),
    [
        (
            '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
            "<w:p><w:r><w:t>&e;</w:t></w:r></w:p>",
            "document type",
        ),
        ("", "<w:p>", "The XML inside the file is damaged"),
        ("", "<w:sdt>" * 400 + "</w:sdt>" * 400, "Excessive depth"),
    ],
)
def test_broken_and_hostile_xml_names_its_reason(tmp_path: Path, prolog: str, body: str, reason: str) -> None:
    result = extracted(word(tmp_path / "a.docx", body, prolog=prolog))
    assert result.state == "corrupt"
    assert reason in result.reason
    assert result.document.text == ""
