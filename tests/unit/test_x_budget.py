"""What a session of X search buys next, and what it may cost."""

from __future__ import annotations

import pytest

from locator_search.ports.x.posts import PostPrices
from locator_search.ports.x.sessions import QueryState
from locator_search.x_search.budget import (
    estimate,
    is_last_page,
    next_page,
    page_size,
    pages_left,
    searching_share,
)

HALF_A_CENT = PostPrices(0.005)


def fetched(ordinal: int, fresh: int, *, of: int = 10, pages: int = 1) -> QueryState:
    return QueryState(ordinal, f"q{ordinal}", pages=pages, fetched=of, fresh=fresh, next_token="t")


@pytest.mark.parametrize(("budget", "size"), [(0.6, 10), (1.14, 10), (1.2, 20), (1.5, 25), (2.99, 25), (3.0, 100)])
def test_a_page_is_the_largest_size_that_leaves_half_of_the_budget(budget: float, size: int) -> None:
    assert page_size(budget, HALF_A_CENT) == size


def test_the_estimate_names_the_price_of_everything_even_where_nothing_can_be_bought() -> None:
    assert (estimate(0.04, HALF_A_CENT).full, estimate(0.5, HALF_A_CENT).full) == (4.0, 4.0)


def test_a_budget_of_exactly_one_smallest_page_buys_it() -> None:
    assert estimate(0.05, HALF_A_CENT).posts == 10


def test_money_for_exactly_one_page_buys_it() -> None:
    wanted = next_page([fetched(1, 5)], 10, 10)
    assert wanted is not None
    assert (wanted.number, wanted.limit) == (2, 10)


def test_the_share_of_new_posts_decides_and_not_their_number() -> None:
    wanted = next_page([fetched(1, 12, of=40, pages=4), fetched(2, 9, of=10)], 10, 100)
    assert wanted is not None
    assert wanted.ordinal == 2


def test_a_query_whose_first_page_was_empty_has_brought_nothing_new() -> None:
    wanted = next_page([fetched(1, 0, of=0), fetched(2, 1, of=10)], 10, 100)
    assert wanted is not None
    assert wanted.ordinal == 2


def test_a_single_post_that_was_new_is_all_new() -> None:
    wanted = next_page([fetched(1, 8, of=10), fetched(2, 1, of=1)], 10, 100)
    assert wanted is not None
    assert wanted.ordinal == 2


def test_of_equally_fruitful_queries_the_first_goes_on() -> None:
    wanted = next_page([fetched(1, 5), fetched(2, 5)], 10, 100)
    assert wanted is not None
    assert wanted.ordinal == 1


def test_a_session_makes_twice_the_requests_its_budget_pays_for() -> None:
    assert pages_left([], 10, 0.5, HALF_A_CENT) == 20
    assert pages_left([fetched(1, 5, pages=3), fetched(2, 5, pages=4)], 10, 0.5, HALF_A_CENT) == 13
    assert pages_left([fetched(1, 5, pages=30)], 10, 0.5, HALF_A_CENT) == 0
    assert pages_left([], 25, 0.06, HALF_A_CENT) == 0, "not even one page is paid for"


@pytest.mark.parametrize(("number", "size", "last"), [(9, 10, False), (10, 10, True), (11, 10, True), (1, 100, True)])
def test_a_query_ends_with_its_hundredth_post(number: int, size: int, last: bool) -> None:
    assert is_last_page(number, size) is last


def test_progress_is_pages_bought_of_those_that_can_still_be_bought() -> None:
    queries = [fetched(1, 5, pages=2), fetched(2, 5, pages=2)]
    assert searching_share(queries, 10, 1_000) == 4 / 20
    assert searching_share(queries, 10, 55) == 4 / 10, "a last page that is not full is one more page"
    assert searching_share(queries, 10, 0) == 1.0
    assert searching_share([], 10, 1_000) == 1.0
