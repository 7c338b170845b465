"""TDoc lists: what a meeting says of its contributions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.contributions.tdoc_list import listed_contributions, with_listing
from locator_search.model import Block, Document
from locator_search.ports import Contribution


def _document(*lines: str) -> Document:
    return Document((Block("heading", "TDoc_List", 1), Block("table", "\n".join(lines))), "xlsx")


def test_a_real_workbook_is_read_through_the_extractor(tmp_path: Path, extractor: IsolatedExtractor) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["TDoc", "Title", "Source", "Contact", "TDoc Type", "Agenda item", "TDoc Status", "Is revision of"])
    sheet.append(["S1-254010", "議題の提案", "Kaede\nTelecom", None, "pCR", 6.1, "agreed", "S1-254001"])
    sheet.append([None, None, "nobody"])
    for number in range(300):
        sheet.append([f"S1-25{5000 + number}", f"Title {number}", "S", None, "CR", "7", "noted"])
    book.save(tmp_path / "list.xlsx")
    listed = listed_contributions(extractor.extract(tmp_path / "list.xlsx").document, "SA1#111")
    assert len(listed) == 301
    assert listed["S1-254010"] == Contribution(
        "SA1#111/S1-254010",
        "SA1#111",
        "S1-254010",
        title="議題の提案",
        source="Kaede Telecom",
        agenda_item="6.1",
        kind="pCR",
        status="agreed",
        revision_of="S1-254001",
    )
    assert listed["S1-255299"].title == "Title 299"


def test_columns_without_a_place_of_their_own_are_kept_by_name() -> None:
    listed = listed_contributions(_document("Number\tTITLE\tRelease\tSpec", "S1-254001\tA\tRel-20\t22.261"), "SA1#111")
    assert listed["S1-254001"].details == {"Release": "Rel-20", "Spec": "22.261"}


@pytest.mark.parametrize("lines", [["agenda", "item\ttime"], ["TDoc\tSource", "S1-254001\tx"], [""]])
def test_what_is_no_tdoc_list_lists_nothing(lines: list[str]) -> None:
    assert listed_contributions(_document(*lines), "SA1#111") == {}


def test_a_revision_in_the_archive_takes_what_the_list_says_of_its_number() -> None:
    listed = listed_contributions(_document("TDoc\tTitle\tRevised to", "S1-254001\tA\tS1-254099"), "SA1#111")
    found = Contribution("SA1#111/S1-254001r02", "SA1#111", "S1-254001r02", revision_of="S1-254001r01")
    assert with_listing(found, listed, "S1-254001") == replace(found, title="A")
    assert with_listing(replace(found, number="S1-254001"), listed, "S1-254001").revised_to == "S1-254099"
    assert with_listing(found, {}, "S1-254001") == found
