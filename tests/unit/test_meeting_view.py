"""A meeting as a table: what the list says, followed through its revisions."""

from __future__ import annotations

from collections.abc import Mapping

from locator_search.contributions.meeting_view import meeting_rows, meeting_table
from locator_search.ports import Contribution, KnownContribution
from streamlit_app.shared.markup import table_html


def listed(
    number: str,
    agenda_item: str = "6.2",
    status: str = "",
    revision_of: str | None = None,
    revised_to: str | None = None,
    details: Mapping[str, str] | None = None,
) -> KnownContribution:
    return KnownContribution(
        Contribution(
            f"SA1#111/{number}", "SA1#111", number, agenda_item=agenda_item, status=status,
            revision_of=revision_of, revised_to=revised_to, details=details or {},
        ),
        "listed",
    )  # fmt: skip


def test_a_contribution_is_decided_by_its_last_revision_whichever_row_names_it() -> None:
    known = [
        listed("S1-1", status="revised", revised_to="S1-2"),
        listed("S1-2", status="revised"),
        listed("S1-3", status="agreed", revision_of="S1-2"),
    ]
    rows = meeting_rows(known, known)
    assert [(row.number, row.revised_to, row.decision, row.decided_by) for row in rows] == [
        ("S1-1", "S1-2", "agreed", "S1-3"),
        ("S1-2", "S1-3", "agreed", "S1-3"),
        ("S1-3", "", "agreed", ""),
    ]
    assert meeting_rows(known[:1], known) == rows[:1]


def test_agenda_items_are_in_the_order_of_their_numbers() -> None:
    known = [listed(f"S1-{place}", item) for place, item in enumerate(["6.10", "", "6.2", "10", "6.2.1", "AOB"])]
    assert [row.agenda_item for row in meeting_rows(known, known)] == ["6.2", "6.2.1", "6.10", "10", "AOB", ""]


def test_a_decision_of_the_list_counts_and_revisions_in_a_circle_end() -> None:
    known = [
        listed("S1-1", status="noted", details={"Decision ": "Endorsed"}),
        listed("S1-2", status="revised", revised_to="S1-3"),
        listed("S1-3", status="open", revised_to="S1-2"),
        listed("S1-4", status="revised", revised_to="S1-9"),
    ]
    assert [row.decision for row in meeting_rows(known, known)] == ["Endorsed", "open", "revised", "revised"]


def test_what_a_row_says_is_text_on_the_page() -> None:
    known = [listed("S1-1", "<script>alert(1)</script>", status="<img src=x onerror=alert(1)>")]
    table = meeting_table(meeting_rows(known, known), "en")
    html = table_html(table.columns, table.rows)
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html
