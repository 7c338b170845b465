"""Workbooks by openpyxl, presentations by python-pptx, and Visio drawings by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches

from tests.builders.files.containers import OFFICE, content_types, relations, zip_file


def workbook(path: Path, sheets: Mapping[str, Sequence[Sequence[object]]]) -> Path:
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


def presentation(path: Path) -> Path:
    """Two slides: a title with a body and notes; a table."""
    show = Presentation()
    first = show.slides.add_slide(show.slide_layouts[1])
    first.shapes.title.text = "事業計画"
    first.placeholders[1].text = "売上を二倍にする\n拠点を三つ増やす"
    first.notes_slide.notes_text_frame.text = "ここで質問を受ける"
    second = show.slides.add_slide(show.slide_layouts[5])
    second.shapes.title.text = "予算"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, texts in enumerate((("項目", "金額"), ("広告費", "120"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    show.save(str(path))
    return path


def drawing(path: Path, pages: Sequence[str]) -> Path:
    """A Visio drawing with the shapes of each page as XML. Its parts are named from the last page to the first, and lie
    beside others that hold no text of the drawing."""
    names = [f"page{len(pages) - number}.xml" for number in range(len(pages))]
    listed = "".join(f'<Page ID="{number}"><Rel r:id="rId{number + 1}"/></Page>' for number in range(len(pages)))
    parts = {
        "[Content_Types].xml": content_types("visio/document.xml", "application/vnd.ms-visio.drawing.main+xml"),
        "_rels/.rels": relations({"document": "visio/document.xml"}),
        "visio/document.xml": "<VisioDocument><Cell N='LangID' V='ja-JP'/></VisioDocument>",
        "visio/_rels/document.xml.rels": relations({"pages": "pages/pages.xml"}),
        "visio/pages/pages.xml": f'<Pages xmlns:r="{OFFICE}">{listed}</Pages>',
        "visio/pages/_rels/pages.xml.rels": relations({f"page#{name}": name for name in names}),
        "visio/theme/theme1.xml": "<theme name='Office'/>",
    }
    return zip_file(path, parts | {f"visio/pages/{name}": page for name, page in zip(names, pages, strict=True)})
