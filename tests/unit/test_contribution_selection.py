"""Which contributions a person means."""

from __future__ import annotations

from dataclasses import replace

import pytest

from locator_search.contributions.selection import Selection, due
from locator_search.core.errors import ConfigurationError
from locator_search.ports import Contribution, KnownContribution


def _known(
    meeting: str, number: str, agenda_item: str, source: str, status: str, kind: str = "CR"
) -> KnownContribution:
    contribution = Contribution(
        f"{meeting}/{number}", meeting, number, source=source, agenda_item=agenda_item, status=status, kind=kind
    )
    return KnownContribution(contribution, "listed")


KNOWN = [
    _known("SA1#110", "S1-253100", "7.2", "Northlight", "agreed"),
    _known("SA1#111", "S1-254001", "6.1", "Kaede Telecom, Northlight", "revised"),
    _known("SA1#111", "S1-254001r01", "6.1", "Kaede Telecom, Northlight", "agreed"),
    _known("SA1#111", "S1-254002", "61", "Mizuumi", "noted", "discussion"),
]


READ = KnownContribution(KNOWN[1].contribution, "indexed", cover={"specification": "22.261", "release": "Rel-20"})
LISTED = KnownContribution(replace(KNOWN[3].contribution, details={"Release": "Rel-19", "Spec": "22.101"}), "listed")


def test_the_cover_page_says_specification_and_release_or_else_the_list() -> None:
    known = [KNOWN[0], READ, LISTED]
    assert Selection(release="rel-20").of(known) == [READ]
    assert Selection(specification="22.101", release="Rel-19").of(known) == [LISTED]
    assert Selection(specification="22.261", release="Rel-19").of(known) == []


@pytest.mark.parametrize(
    ("selection", "numbers"),
    [
        (Selection(), ["S1-253100", "S1-254001", "S1-254001r01", "S1-254002"]),
        (Selection(names=("s1-254001",)), ["S1-254001"]),
        (Selection(names=("S1-254001_r1",)), ["S1-254001r01"]),
        (Selection(names=("sa1#111/s1-254002",)), ["S1-254002"]),
        (Selection(meetings=("SA1-110",)), ["S1-253100"]),
        (Selection(agenda_item="6"), ["S1-254001", "S1-254001r01"]),
        (Selection(source="northLIGHT", status="Agreed"), ["S1-253100", "S1-254001r01"]),
        (Selection(kind="Discussion"), ["S1-254002"]),
        (Selection(status="withdrawn"), []),
    ],
)
def test_conditions_hold_together(selection: Selection, numbers: list[str]) -> None:
    assert [one.contribution.number for one in selection.of(KNOWN)] == numbers


def test_a_name_that_the_other_conditions_exclude_is_not_found() -> None:
    with pytest.raises(ConfigurationError, match=r"No contribution is called S1-254001\."):
        Selection(names=("S1-254001",), meetings=("SA1#110",)).of(KNOWN)


def test_a_limit_counts_what_has_something_to_be_done() -> None:
    found = due(KNOWN, lambda one: one.contribution.meeting_id == "SA1#111", 2)
    assert [one.contribution.number for one in found] == ["S1-254001", "S1-254001r01"]
