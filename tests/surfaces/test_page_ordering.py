"""The orders in which results can be looked at."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from streamlit_app.shared.ordering import ORDERS, Order, as_order, in_order
from tests.fakes.scripted_index import evidence

RESULTS = [
    replace(evidence(1), file_name="議事録_第10回.md", size=None, modified_at=datetime(2026, 9, 3, tzinfo=UTC)),
    replace(evidence(2), file_name="議事録_第9回.md", size=700, modified_at=datetime(2026, 9, 1, tzinfo=UTC)),
    replace(evidence(3), file_name="議事録_第９回_付録.md", size=9000, modified_at=datetime(2026, 9, 2, tzinfo=UTC)),
]


@pytest.mark.parametrize(
    ("order", "expected"),
    [("relevance", [1, 2, 3]), ("date", [1, 3, 2]), ("name", [2, 3, 1]), ("size", [3, 2, 1])],
)
def test_results_are_put_into_an_order(order: Order, expected: list[int]) -> None:
    assert [item.file_id for item in in_order(RESULTS, order)] == [f"file-{number}" for number in expected]


@pytest.mark.parametrize("order", ORDERS)
def test_no_order_loses_a_result(order: Order) -> None:
    assert {item.file_id for item in in_order(RESULTS, order)} == {item.file_id for item in RESULTS}


def test_an_order_nobody_knows_is_that_of_relevance() -> None:
    assert (as_order("size"), as_order("colour"), as_order(None)) == ("size", "relevance", "relevance")
