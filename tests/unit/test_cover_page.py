"""The cover page of a change request, as the form lays it out and as documents spell it."""

from __future__ import annotations

import pytest

from locator_search.contributions.cover_page import affected_clauses, cover_page, without_label

FORM = "\n".join(
    [
        "CR-Form-v12.3",
        "CHANGE REQUEST",
        "\t22.261\tCR\t0712\trev\t-\tCurrent version:\t19.5.0\t",
        "For HELP on using this form: comprehensive instructions can be found at http://www.3gpp.org/Change-Requests.",
        "Proposed change affects:\tUICC apps\t\tME\tX\tRadio Access Network\t\tCore Network\tX",
        "Title:\t\tCause value when a slice is rejected\t\t",
        "Source to WG:\tKaede Telecom, Northlight",
        "Work item code:\tSliceRej\t\tDate:\t2025-10-03",
        "Category:\tB\t\tRelease:\tRel-20",
        "\tUse one of the following categories:\tF  (correction)",
        "Reason for change:\tA UE is not told why.",
        "Clauses affected:\t5.2.1, 5.2.1a (new), A.1, Annex C",
        "This CR’s revision history:\t",
    ]
)


def test_every_filled_in_field_of_the_form_is_read() -> None:
    assert cover_page([FORM]) == {
        "specification": "22.261",
        "cr": "0712",
        "current_version": "19.5.0",
        "title": "Cause value when a slice is rejected",
        "source_to_wg": "Kaede Telecom, Northlight",
        "work_item": "SliceRej",
        "date": "2025-10-03",
        "category": "B",
        "release": "Rel-20",
        "reason_for_change": "A UE is not told why.",
        "clauses_affected": "5.2.1, 5.2.1a (new), A.1, Annex C",
    }


def test_what_is_no_change_request_has_no_fields() -> None:
    assert cover_page(["Title:\tDiscussion of slices", "Source:\tNorthlight"]) == {}


def test_a_piece_of_the_form_is_known_by_labels_that_only_it_has() -> None:
    piece = ["Summary of change:\tA timer ends it.", "Clauses affected:\t5.2"]
    assert cover_page(piece) == {"summary_of_change": "A timer ends it.", "clauses_affected": "5.2"}
    assert cover_page(piece[:1]) == {}


def test_forms_with_a_sign_for_their_help_are_read_without_it() -> None:
    rows = (
        "CHANGE REQUEST", "⌘\t22.261\tCR\t0712\t⌘ rev\t1\t⌘\tCurrent version:\t6.5.0\t⌘",
        "Title:\t⌘\tCause value", "Source: ⌘\tNorthlight", "Clauses affected:\t⌘ 5.2.1, A.1",
    )  # fmt: skip
    assert cover_page(rows) == {
        "specification": "22.261",
        "cr": "0712",
        "revision": "1",
        "current_version": "6.5.0",
        "title": "Cause value",
        "source_to_wg": "Northlight",
        "clauses_affected": "5.2.1, A.1",
    }
    assert [without_label(row) for row in rows[2:]] == ["Cause value", "Northlight", "5.2.1, A.1"]


def test_the_form_may_come_in_pieces_and_the_first_value_counts() -> None:
    assert cover_page(["CHANGE REQUEST", "Title\tone", "Title\ttwo"]) == {"title": "one"}


def test_the_clauses_a_form_announces_are_told_apart() -> None:
    assert affected_clauses(cover_page([FORM])) == ("5.2.1", "5.2.1a", "A.1", "Annex C")
    assert affected_clauses({}) == ()


@pytest.mark.parametrize(
    ("written", "clauses"),
    [
        ("5.2.1 to 5.2.4, 6.1", ("5.2.1", "5.2.2", "5.2.3", "5.2.4", "6.1")),
        ("5.1-5.3", ("5.1", "5.2", "5.3")),
        ("A.2 – A.4, Annex C", ("A.2", "A.3", "A.4", "Annex C")),
        ("5.4 to 5.2", ("5.4", "5.2")),
        ("5.1 - 5.900", ("5.1", "5.900")),
        ("§5.2, §6.1", ("5.2", "6.1")),
        ("Table 5.2-1", ()),
        ("5.9.A (new), 5.9.aa, 6.2.x", ("5.9.A", "5.9.aa", "6.2.x")),
    ],
)
def test_clauses_are_announced_as_ranges_and_by_letters_too(written: str, clauses: tuple[str, ...]) -> None:
    assert affected_clauses({"clauses_affected": written}) == clauses
