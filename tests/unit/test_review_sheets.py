"""Review sheets to take away, and the links they are taken by."""

from __future__ import annotations

import io
import os
import re
import stat
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import docx
import openpyxl
import pytest

from locator_search.adapters.local_files.secret_file import secret_of
from locator_search.adapters.sheets.excel import ExcelSheetWriter
from locator_search.adapters.sheets.markdown import MarkdownSheetWriter
from locator_search.adapters.sheets.word import WordSheetWriter
from locator_search.app.locator import open_locator
from locator_search.config.settings import Settings
from locator_search.contributions.analysis.review_sheet import review_sheet
from locator_search.contributions.analysis.revisions import clause_order
from locator_search.contributions.links import LinkSigner
from locator_search.core.errors import AccessDenied, ConfigurationError
from locator_search.ports.contributions.analyses import Analysis, Claim, LeftOut
from locator_search.ports.sheets import SheetSection, SheetTable
from tests.fakes.clock import HeldClock
from tests.hostile.inert import active_in_markdown
from tests.unit.test_analyses import offline

MADE = "2026-11-20 12:00"
SECRET = bytes(range(32))


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    made = offline().analyze("S1-254001")
    doubtful = Claim("problem", "Everybody *agrees* <b>.", refused=("E99",), unverified=("T3510",))
    return replace(made, claims=(*made.claims, doubtful))


def test_the_markdown_names_claims_citations_changes_and_the_stand_in(analysis: Analysis) -> None:
    text = MarkdownSheetWriter().write(review_sheet(analysis, MADE)).decode()
    assert text.startswith("# Review sheet: Analysis of a contribution\n")
    assert "an offline stand-in" in text
    assert "## Problem" in text
    assert "S1-254001, clause 1, page 1, `S1-254001.zip`!`S1-254001.docx`: Reason for change" in text
    assert "- **After: The network shall reject the request with a cause value.**" in text
    assert "- ~~Before: The network may reject the request.~~" in text


def test_what_was_left_out_comes_first_with_its_reason(analysis: Analysis) -> None:
    lacking = replace(analysis, left_out=(LeftOut("S1-254009", "no file yet"),))
    text = MarkdownSheetWriter().write(review_sheet(lacking, MADE)).decode()
    assert "## Left out\n\n- ⚠ S1-254009: no file yet\n\n## " in text


def test_claims_without_support_stand_out_and_markup_stays_text(analysis: Analysis) -> None:
    text = MarkdownSheetWriter().write(review_sheet(analysis, MADE)).decode()
    assert "- ⚠ \\[not supported] Everybody \\*agrees\\* &lt;b>." in text
    assert "Refused citations: E99" in text
    assert "Numbers that the evidence does not hold: T3510" in text


def test_the_sheet_speaks_the_language_asked_for(analysis: Analysis) -> None:
    text = MarkdownSheetWriter().write(review_sheet(analysis, MADE, "ja")).decode()
    assert text.startswith("# レビューシート: 寄書の分析\n")
    assert "条項 5.2.1, 2 ページ" in text


def test_the_word_document_opens_with_the_same_content(analysis: Analysis) -> None:
    written = WordSheetWriter().write(review_sheet(analysis, MADE))
    document = docx.Document(io.BytesIO(written))
    paragraphs = {paragraph.text: paragraph for paragraph in document.paragraphs}
    assert "Review sheet: Analysis of a contribution" in paragraphs
    assert paragraphs["Before: The network may reject the request."].runs[0].font.strike
    assert paragraphs["[not supported] Everybody *agrees* <b>."].runs[0].font.highlight_color is not None
    assert document.tables[0].rows[0].cells[1].text == "S1-254001"


def test_characters_that_word_cannot_hold_are_left_out(analysis: Analysis) -> None:
    strange = replace(analysis, claims=(Claim("problem", "a\x00b\x0bc\ud800d"),))
    written = WordSheetWriter().write(review_sheet(strange, MADE))
    texts = [paragraph.text for paragraph in docx.Document(io.BytesIO(written)).paragraphs]
    assert any(text.endswith("abcd") or text.endswith("ab cd") for text in texts)


def test_a_comparison_shows_what_each_says_of_a_clause_and_comes_with_every_format() -> None:
    agent = offline()
    sheet = review_sheet(agent.run("comparison", ["S1-254001", "S1-254002"]), MADE)
    (table,) = [section.table for section in sheet.sections if section.table]
    assert table.columns == ("Clause", "S1-254001", "S1-254002")
    cells = {clause: cells for clause, *cells in table.rows}
    assert list(cells) == sorted(cells, key=clause_order)
    assert "Before: The network may reject the request." in cells["5.2.1"][0]
    assert not [
        cell for column, *told in zip(table.columns, *table.rows, strict=True) for cell in told if f"{column}: " in cell
    ]
    numbers = {int(number) for row in table.rows for number in re.findall(r"\[(\d+)\]", " ".join(row))}
    assert numbers
    assert max(numbers) <= len(next(one for one in sheet.sections if one.title == "Evidence").lines)
    assert (
        r"| 5\.2.1 | Before: The network may reject the request.<br>After:"
        in MarkdownSheetWriter().write(sheet).decode()
    )
    tables = docx.Document(io.BytesIO(WordSheetWriter().write(sheet))).tables
    assert [cell.text for cell in tables[1].rows[0].cells] == list(table.columns)
    page = openpyxl.load_workbook(io.BytesIO(ExcelSheetWriter().write(sheet)))["Comparison by clause"]
    assert [[cell.value or "" for cell in row] for row in page.iter_rows(min_row=3)] == [
        list(row) for row in table.rows
    ]
    assert review_sheet(agent.analyze("S1-254001"), MADE).sections[-1].table is None


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =cmd|' /C calc'!A0", "\t=1", "＝1"])
def test_nothing_that_begins_like_a_formula_is_one_in_excel(analysis: Analysis, text: str) -> None:
    hostile = replace(analysis, question=text, claims=(Claim("problem", f"{text}\ud800\x00", refused=(text,)),))
    sheet = review_sheet(replace(hostile, left_out=(LeftOut(text, "x" * 40_000),)), MADE)
    table = SheetSection("[a]:*?/\\" + text, table=SheetTable((text,), ((text,),)))
    written = ExcelSheetWriter().write(replace(sheet, sections=(*sheet.sections, table, table)))
    cells = [cell for page in openpyxl.load_workbook(io.BytesIO(written)) for row in page.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert sum(cell.value == f"'{text}" for cell in cells) >= 5


def test_a_link_leads_to_one_sheet_until_it_expires() -> None:
    clock = HeldClock()
    signer = LinkSigner(SECRET, clock)
    token = signer.token("abc-_9", "docx", timedelta(hours=1))
    link = signer.read(token)
    assert (link.analysis_id, link.format, link.valid_until) == ("abc-_9", "docx", clock.now() + timedelta(hours=1))
    clock.sleep(3601)
    with pytest.raises(AccessDenied, match="expired"):
        signer.read(token)


@pytest.mark.parametrize("change", ["other sheet", "other format", "later", "mac", "junk", "not ASCII", "other secret"])
def test_a_link_that_was_changed_leads_nowhere(change: str) -> None:
    signer, stranger = (LinkSigner(secret, HeldClock()) for secret in (SECRET, SECRET[::-1]))
    payload, _, mac = signer.token("abc", "docx").rpartition(".")

    def with_our_mac(token: str) -> str:
        return f"{token.rpartition('.')[0]}.{mac}"

    forged = {
        "other sheet": with_our_mac(stranger.token("other", "docx")),
        "other format": with_our_mac(stranger.token("abc", "md")),
        "later": with_our_mac(stranger.token("abc", "docx", timedelta(days=9))),
        "mac": f"{payload}.{'A' * len(mac)}",
        "junk": "not a token",
        "not ASCII": f"{payload}.{mac}\udcff",
        "other secret": stranger.token("abc", "docx"),
    }[change]
    with pytest.raises(AccessDenied, match="not valid"):
        signer.read(forged)


def test_the_secret_is_made_once_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "home" / "link_secret"
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(secret_of(path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 8
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [other.name for other in path.parent.iterdir()] == ["link_secret"]


def test_machines_with_the_same_setting_read_the_links_of_each_other_and_write_no_file(tmp_path: Path) -> None:
    homes = [tmp_path / "one", tmp_path / "two"]
    one, two = (
        open_locator(Settings(locator_home=home, locator_link_secret="k" * 32)).contributions.links for home in homes
    )
    assert two.read(one.token("abc", "docx")).analysis_id == "abc"
    assert [path for home in homes for path in home.glob("link_secret*")] == []
    with pytest.raises(ConfigurationError, match="LOCATOR_LINK_SECRET"):
        _ = open_locator(Settings(locator_link_secret="short")).contributions.links


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
def test_a_secret_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "link_secret"
    secret_of(path)
    path.chmod(0o640)
    with pytest.raises(ConfigurationError, match="Others may read"):
        secret_of(path)
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(ConfigurationError, match="too short"):
        secret_of(path)


def test_no_address_in_a_contribution_becomes_a_link_of_the_markdown(analysis: Analysis) -> None:
    hostile = Claim("problem", "![x](//evil.example/a.png) www.evil.example someone@evil.example :smile: $x$ `[a](b)`")
    text = MarkdownSheetWriter().write(review_sheet(replace(analysis, claims=(hostile,)), MADE)).decode()
    assert active_in_markdown(text) == []
