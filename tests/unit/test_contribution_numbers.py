"""Contribution numbers and meetings, as names of files and folders spell them."""

from __future__ import annotations

import pytest

from locator_search.contributions.numbers import contribution_number, meeting_name


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("S1-254001.zip", "S1-254001"),
        ("s1-254001r3.docx", "S1-254001r03"),
        ("S1-254001_rev2.docx", "S1-254001r02"),
        ("SP-231234.zip", "SP-231234"),
        ("SP_231234 r1 clean.docx", "SP-231234r01"),
        ("R1-2602795 Discussion on x - final.docx", "R1-2602795"),
        ("S1-254002_was_S1-254001r01.docx", "S1-254002"),
        ("Draft_S2-2401234r12.docx", "S2-2401234r12"),
        ("S2-2210570_R18_AIMLsys_v3.docx", "S2-2210570"),
        ("S2-2210570_R01.zip", "S2-2210570r01"),
        ("s3i230123.doc", "S3I-230123"),
        ("C4-99123.zip", "C4-99123"),
        ("S1-254001.docx.zip", "S1-254001"),
    ],
)
def test_a_number_is_found_however_it_is_written(name: str, number: str) -> None:
    assert str(contribution_number(name)) == number


@pytest.mark.parametrize(
    "name", ["agenda 2024.docx", "TDoc_List_Meeting_SA1#111.xlsx", "TS 22.261.docx", "ETSI-1234567.doc", "MS1-254001"]
)
def test_what_is_no_number_is_not_taken_for_one(name: str) -> None:
    assert contribution_number(name) is None


@pytest.mark.parametrize(
    ("folder", "meeting"),
    [
        ("TSGS1_111_Goteborg", "SA1#111"),
        ("TSGS_102_Edinburgh_2023-12", "SA#102"),
        ("TSGR1_116bis", "RAN1#116bis"),
        ("TSGR_103", "RAN#103"),
        ("TSGC4_121e_meeting", "CT4#121e"),
        ("TSGS2_154AHE_Electronic_2023-01", "SA2#154AHE"),
        ("TSGS1_111bis-e", "SA1#111bis-e"),
        ("TSG_SA1#111", "SA1#111"),
        ("SA1#111", "SA1#111"),
        ("CT4-121e", "CT4#121e"),
    ],
)
def test_a_meeting_is_read_from_its_folder(folder: str, meeting: str) -> None:
    assert str(meeting_name(folder)) == meeting


@pytest.mark.parametrize("folder", ["Docs", "Inbox", "TSGR1_AH", "Report", "TSGS1_"])
def test_other_folders_are_no_meetings(folder: str) -> None:
    assert meeting_name(folder) is None
