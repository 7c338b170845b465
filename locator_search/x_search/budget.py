"""Which page is bought next, and what a session may cost. Pure.

Every query gets its first page; after that the money goes where a page brought the largest share of posts no other
query had found, until each query has its 100 posts, X has no more, or the budget does not buy another page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from locator_search.ports.x.posts import MOST_PER_QUERY, SMALLEST_PAGE, PostPrices
from locator_search.ports.x.sessions import QueryState
from locator_search.x_search.queries import FEWEST_QUERIES, MOST_QUERIES

PAGE_SIZES = (10, 20, 25, 50, 100)
"""Sizes that divide 100 posts into whole pages: the size stays the same while a cursor is followed."""


@dataclass(frozen=True, slots=True)
class PageWanted:
    """The next page of one query; `number` counts from 1."""

    ordinal: int
    number: int
    limit: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of a session in US dollars, before anything is bought.

    `at_most` is never more than the budget; `full` is what all queries with all their posts would cost; `posts` is how
    many the budget buys; `queries` how many have a page then, and `every_query` the price of a page for each of the
    FEWEST_QUERIES.
    """

    at_most: float
    full: float
    posts: int
    queries: int
    every_query: float

    @property
    def too_small(self) -> bool:
        """Whether fewer queries than the design asks for have a page."""
        return self.queries < FEWEST_QUERIES


def page_size(budget: float, prices: PostPrices) -> int:
    """Small pages where money is short, so that half of it is left for the queries that turn out well."""
    affordable = prices.affordable(budget)
    if affordable >= FEWEST_QUERIES * MOST_PER_QUERY:
        return MOST_PER_QUERY
    share = affordable // (2 * FEWEST_QUERIES)
    return max((size for size in PAGE_SIZES if size <= share), default=SMALLEST_PAGE)


def estimate(budget: float, prices: PostPrices) -> Estimate:
    """The estimate for a budget in US dollars."""
    full = prices.of(MOST_QUERIES * MOST_PER_QUERY)
    posts = min(prices.affordable(budget), MOST_QUERIES * MOST_PER_QUERY)
    queries = queries_bought(posts, MOST_QUERIES)
    every_query = prices.of(FEWEST_QUERIES * SMALLEST_PAGE)
    return Estimate(min(budget, full) if queries else 0.0, full, posts if queries else 0, queries, every_query)


def queries_bought(posts: int, queries: int) -> int:
    """For how many of the queries so many posts are a page."""
    return min(posts // SMALLEST_PAGE, queries)


def next_page(queries: Sequence[QueryState], size: int, affordable: int) -> PageWanted | None:
    """The page to buy now; None when there is nothing more to buy, or no money for it."""
    waiting = [query for query in queries if query.status == "pending"]
    first = next((query for query in waiting if query.pages == 0), None)
    if first is not None:
        limit = min(size, affordable)
        return PageWanted(first.ordinal, 1, limit) if limit >= SMALLEST_PAGE else None
    if affordable < size:
        return None
    best = max(waiting, key=lambda query: (query.fresh / max(query.fetched, 1), -query.ordinal), default=None)
    return PageWanted(best.ordinal, best.pages + 1, size) if best else None


def pages_left(queries: Sequence[QueryState], size: int, budget: float, prices: PostPrices) -> int:
    """How many more requests the session makes: in all twice those its budget pays for in full.

    Posts that another query found, or that were bought today, cost nothing; small pages of them would go on until X's
    rate limit, which counts requests.
    """
    return max(0, 2 * prices.affordable(budget) // size - sum(query.pages for query in queries))


def is_last_page(number: int, size: int) -> bool:
    """Whether a query has had its 100 posts with this page."""
    return number >= MOST_PER_QUERY // size


def searching_share(queries: Sequence[QueryState], size: int, affordable: int) -> float:
    """How much of the searching is done, in [0, 1]: pages bought of those that can still be bought."""
    bought = sum(query.pages for query in queries)
    per_query = MOST_PER_QUERY // size
    open_pages = sum(max(0, per_query - query.pages) for query in queries if query.status == "pending")
    coming = min(open_pages, -(-affordable // size))
    return bought / (bought + coming) if bought + coming else 1.0
