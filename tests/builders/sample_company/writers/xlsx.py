"""Writer of workbooks: every level 1 heading starts a sheet; numbers and dates become typed cells."""

import re
from datetime import date

from tests.builders.sample_company.markup import Block, Bullet, Heading, PageBreak, Paragraph, Table
from tests.builders.sample_company.writers.package import OFFICE, package, relationships
from tests.builders.sample_company.writers.package import text as xml

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,2}(,\d{3})+|[1-9]\d*)(\.\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_EXCEL_DAY_ZERO = date(1899, 12, 30)
_GENERAL, _THOUSANDS, _SHORT_DATE = 0, 1, 2


def workbook(blocks: list[Block]) -> bytes:
    """A .xlsx file of ``blocks``; the text of a level 1 heading is the name of its sheet."""
    sheets: dict[str, list[tuple[str, ...]]] = {}
    for block in blocks:
        match block:
            case Heading(1, text):
                rows = sheets.setdefault(text, [])
            case Table(table):
                rows.extend(table)
            case Heading(_, text) | Paragraph(text) | Bullet(text):
                rows.append((text,))
            case PageBreak():
                rows.append(())
    names = [f"worksheets/sheet{number}.xml" for number in range(1, len(sheets) + 1)]
    listed = "".join(
        f'<sheet name="{xml(title)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, title in enumerate(sheets, start=1)
    )
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relationships([*(("worksheet", n) for n in names), ("styles", "styles.xml")]),
        "xl/styles.xml": _styles(),
    }
    parts |= {f"xl/{name}": _sheet(rows) for name, rows in zip(names, sheets.values(), strict=True)}
    types = {"xl/workbook.xml": f"{_TYPE}.sheet.main+xml", "xl/styles.xml": f"{_TYPE}.styles+xml"}
    types |= {f"xl/{name}": f"{_TYPE}.worksheet+xml" for name in names}
    return package(parts, types, "xl/workbook.xml")


def _sheet(rows: list[tuple[str, ...]]) -> str:
    lines = "".join(
        f'<row r="{r}">{"".join(_cell(f"{_column(c)}{r}", value) for c, value in enumerate(row) if value)}</row>'
        for r, row in enumerate(rows, start=1)
    )
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{lines}</sheetData></worksheet>'


def _cell(place: str, value: str) -> str:
    if _NUMBER.fullmatch(value):
        style = _THOUSANDS if "," in value else _GENERAL
        return f'<c r="{place}" s="{style}"><v>{value.replace(",", "")}</v></c>'
    if _DATE.fullmatch(value):
        serial = (date.fromisoformat(value) - _EXCEL_DAY_ZERO).days
        return f'<c r="{place}" s="{_SHORT_DATE}"><v>{serial}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{xml(value)}</t></is></c>'


def _column(index: int) -> str:
    return chr(ord("A") + index)


def _styles() -> str:
    formats = "".join(
        f'<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for number in (0, 3, 14)  # built-in formats: General, #,##0, short date
    )
    return (
        f'<styleSheet xmlns="{_MAIN}"><fonts count="1"><font><sz val="11"/><name val="游ゴシック"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/>'
        '</fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="3">{formats}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
        "</cellStyles></styleSheet>"
    )
