"""The searching of a session: which pages are bought, within what limits, and what becomes of refusals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from locator_search.core.errors import CursorExpired, LocatorError, QueryRefused, QuotaUsedUp, RateLimited
from locator_search.core.retry import with_retries
from locator_search.ports.x.posts import SMALLEST_PAGE, PostPage, UnreadablePage
from locator_search.ports.x.sessions import QueryState
from locator_search.x_search.budget import (
    PageWanted,
    is_last_page,
    next_page,
    pages_left,
    queries_bought,
    searching_share,
)
from locator_search.x_search.claimed import ClaimedSession
from locator_search.x_search.failures import why_failed

USUAL_PAUSE = 900.0
"""Seconds; X counts in windows of fifteen minutes."""

logger = logging.getLogger(__name__)


class PageBuyer:
    """Buys the posts of one session. `pause` waits so many seconds, or raises Paused."""

    def __init__(self, claimed: ClaimedSession, pause: Callable[[float], None]) -> None:
        self._claimed = claimed
        self._parts = claimed.parts
        self._session = claimed.session
        self._work = claimed.work
        self._say = claimed.say
        self._pause = pause
        self._damaged: dict[int, UnreadablePage] = {}
        """Queries whose next page cannot be read, by ordinal."""

    def buy_pages(self) -> None:
        """Page after page, until there is nothing more to buy, or no money for it."""
        self._warn_of_a_small_budget()
        has_money = True
        while has_money and (wanted := self._next_page()):
            has_money = self._buy(wanted)
            self._claimed.write_down()
        self._end_damaged_queries()
        self._close_queries()
        self._say_what_is_not_shown()
        self._claimed.write_down()

    def _warn_of_a_small_budget(self) -> None:
        """Before anything is bought."""
        queries = self._claimed.queries()
        bought = queries_bought(self._affordable(queries), len(queries))
        if bought < len(queries) and not any(query.pages for query in queries):
            needed = self._parts.posts.prices.of(len(queries) * SMALLEST_PAGE)
            self._work.warn(self._say.small_budget.format(queries=bought, all=len(queries), needed=f"{needed:.2f}"))
            self._claimed.notify()

    def _next_page(self) -> PageWanted | None:
        queries = self._claimed.queries()
        readable = [query for query in queries if query.ordinal not in self._damaged]
        return next_page(readable, self._session.page_size, self._affordable(queries))

    def _buy(self, wanted: PageWanted) -> bool:
        """Set the money aside, ask, store; a query X refuses is out, one whose page cannot be read waits for the end of
        the others. False where money or credits are used up."""
        query = next(query for query in self._claimed.queries() if query.ordinal == wanted.ordinal)
        if not self._work.reserve(self._parts.posts.prices.of(wanted.limit), self._parts.monthly_cap):
            return False
        try:
            page = self._ask(query, wanted.limit)
        except QueryRefused as error:
            self._fail_query(query.ordinal, error)
        except UnreadablePage as error:
            self._damaged[query.ordinal] = error
        except CursorExpired as error:
            self._restart(query, error)
        except QuotaUsedUp:
            self._work.warn(self._say.credits_used)
            return False
        else:
            self._commit(query, wanted.number, page)
        return True

    def _ask(self, query: QueryState, limit: int) -> PostPage:
        """A page. A rate limit pauses the session: its reset may be a quarter of an hour away."""
        while True:
            try:
                return with_retries(
                    lambda: self._asked_once(query, limit),
                    self._parts.clock,
                    never_after=RateLimited,
                )
            except RateLimited as error:
                self._pause(USUAL_PAUSE if error.retry_after is None else error.retry_after)

    def _asked_once(self, query: QueryState, limit: int) -> PostPage:
        """One request. What can be made out in a damaged page is paid all the same."""
        try:
            return self._parts.posts.search(query.text, limit, query.next_token)
        except UnreadablePage as error:
            self._work.bill(error.post_ids, self._parts.posts.prices)
            raise

    def _fail_query(self, ordinal: int, error: LocatorError) -> None:
        logger.warning("Query %d of session %s: %s", ordinal, self._session.session_id, error.message)
        self._work.end_query(ordinal, "failed", self._why(error))
        self._work.warn(self._say.query_failed.format(ordinal=ordinal, reason=self._why(error)))

    def _why(self, error: LocatorError) -> str:
        return why_failed(error, "X", self._say)

    def _restart(self, query: QueryState, error: CursorExpired) -> None:
        """Once, a query begins anew: its posts are known and, within the day, free."""
        if query.restarted:
            self._work.end_query(query.ordinal, "done", self._why(error))
        else:
            self._work.restart_query(query.ordinal)

    def _commit(self, query: QueryState, number: int, page: PostPage) -> None:
        if is_last_page(number, self._session.page_size):
            page = replace(page, next_token=None)
        after = [
            replace(one, pages=number, status="pending" if page.next_token else "done") if one == query else one
            for one in self._claimed.queries()
        ]
        self._claimed.advance_to(searching_share(after, self._session.page_size, self._affordable(after)))
        self._work.commit_page(query.ordinal, number, page, self._parts.posts.prices, self._claimed.progress)

    def _end_damaged_queries(self) -> None:
        """End them alone. Where no page at all could be read, it is not them: raises UnreadablePage, and they stay open
        for whoever resumes the session."""
        if self._damaged and not any(query.pages for query in self._claimed.queries()):
            raise next(iter(self._damaged.values()))
        for ordinal, error in self._damaged.items():
            self._fail_query(ordinal, error)

    def _say_what_is_not_shown(self) -> None:
        session = self._claimed.stored()
        if session.withheld:
            self._work.warn(self._say.withheld.format(count=session.withheld))
        if session.unreadable:
            self._work.warn(self._say.unreadable.format(count=session.unreadable))

    def _close_queries(self) -> None:
        """Close the queries that were cut short, with the reason, and warn of them."""
        queries = self._claimed.queries()
        cut_short = [query for query in queries if query.status == "pending"]
        why, warning = self._say.budget_of_query, self._say.budget_used
        if not self._pages_left(queries):
            why, warning = self._say.requests_of_query, self._say.requests_used
        for query in cut_short:
            self._work.end_query(query.ordinal, "done" if query.pages else "skipped", why)
        if cut_short:
            self._work.warn(warning.format(budget=f"{self._session.budget_usd:.2f}", count=len(cut_short)))

    def _affordable(self, queries: Sequence[QueryState]) -> int:
        """The number of posts that can still be asked for: what the money buys, within the requests of a session."""
        meter = self._parts.meter
        of_session = self._session.budget_usd - meter.of_session(self._session.session_id)
        left = max(0.0, min(of_session, self._parts.monthly_cap - meter.this_month()))
        return min(self._parts.posts.prices.affordable(left), self._pages_left(queries) * self._session.page_size)

    def _pages_left(self, queries: Sequence[QueryState]) -> int:
        session = self._session
        return pages_left(queries, session.page_size, session.budget_usd, self._parts.posts.prices)
