"""The searching of a session: which pages are bought, within what limits, and what becomes of refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from locator_search.core.errors import CursorExpired, QueryRefused, QuotaUsedUp, RateLimited
from locator_search.core.retry import with_retries
from locator_search.ports.x.posts import PostPage
from locator_search.ports.x.sessions import QueryState
from locator_search.x_search.budget import is_last_page, pages_left, searching_share
from locator_search.x_search.effects import Searching
from locator_search.x_search.messages import sentences

if TYPE_CHECKING:
    from locator_search.ports.x.sessions import Session
    from locator_search.ports.x.work import SessionWork
    from locator_search.x_search import effects
    from locator_search.x_search.reporting import Reporter
    from locator_search.x_search.work_parts import Parts

USUAL_PAUSE = 900.0
"""Seconds; X counts in windows of fifteen minutes."""


class PageBuyer:
    """Performs the effects of the searching. `pause` waits so many seconds, or raises Paused."""

    def __init__(
        self, parts: Parts, session: Session, work: SessionWork, reporter: Reporter, pause: Callable[[float], None]
    ) -> None:
        self._parts = parts
        self._session = session
        self._work = work
        self._reporter = reporter
        self._pause = pause
        self._say = sentences(session.language)

    def look_at_queries(self, _effect: effects.LookAtQueries) -> Searching:
        """What an earlier worker left."""
        return self._searching()

    def keep_queries(self, effect: effects.KeepQueries) -> Searching:
        """The queries of the session from now on."""
        self._work.save_queries(effect.queries)
        return self._searching()

    def fetch_page(self, effect: effects.FetchPage) -> Searching:
        """Set the money aside, ask, keep; a query X refuses is out, and without credits nothing more is bought."""
        wanted = effect.wanted
        query = self._query(wanted.ordinal)
        if not self._work.reserve(self._parts.posts.prices.of(wanted.limit), self._parts.monthly_cap):
            return replace(self._searching(), affordable=0)
        try:
            page = self._asked(query, wanted.limit)
        except QueryRefused as error:
            self._work.end_query(query.ordinal, "failed", error.message)
            self._work.warn(self._say.query_refused.format(ordinal=query.ordinal, message=error.message))
        except CursorExpired as error:
            self._lost_its_place(query, error)
        except QuotaUsedUp as error:
            self._work.warn(self._say.credits_used.format(message=error.message))
            return replace(self._searching(), affordable=0)
        else:
            self._commit(query, wanted.number, page)
        return self._searching()

    def _asked(self, query: QueryState, limit: int) -> PostPage:
        def once() -> PostPage | RateLimited:
            try:
                return self._parts.posts.search(query.text, limit, query.next_token)
            except RateLimited as error:  # not worth a retry before the reset, which may be a quarter of an hour away
                return error

        while isinstance(answer := with_retries(once, self._parts.clock), RateLimited):
            self._pause(USUAL_PAUSE if answer.retry_after is None else answer.retry_after)
        return answer

    def _lost_its_place(self, query: QueryState, error: CursorExpired) -> None:
        """Once, a query begins anew: its posts are known and, within the day, free."""
        if query.restarted:
            self._work.end_query(query.ordinal, "done", error.message)
        else:
            self._work.restart_query(query.ordinal)

    def _commit(self, query: QueryState, number: int, page: PostPage) -> None:
        if is_last_page(number, self._session.page_size):
            page = replace(page, next_token=None)
        after = [
            replace(one, pages=number, status="pending" if page.next_token else "done") if one == query else one
            for one in self._parts.store.queries(self._session.session_id)
        ]
        self._reporter.come_to(searching_share(after, self._session.page_size, self._affordable(after)))
        self._work.commit_page(query.ordinal, number, page, self._parts.posts.prices, self._reporter.progress)

    def close_queries(self, _effect: effects.CloseQueries) -> None:
        """What was cut short is told, with the reason."""
        queries = self._queries()
        cut_short = [query for query in queries if query.status == "pending"]
        why, warning = self._say.budget_of_query, self._say.budget_used
        if not self._pages_left(queries):
            why, warning = self._say.requests_of_query, self._say.requests_used
        for query in cut_short:
            self._work.end_query(query.ordinal, "done" if query.pages else "skipped", why)
        if cut_short:
            self._work.warn(warning.format(budget=f"{self._session.budget_usd:.2f}", skipped=len(cut_short)))

    def _searching(self) -> Searching:
        queries = self._queries()
        return Searching(tuple(queries), self._affordable(queries))

    def _queries(self) -> list[QueryState]:
        return self._parts.store.queries(self._session.session_id)

    def _query(self, ordinal: int) -> QueryState:
        return next(query for query in self._queries() if query.ordinal == ordinal)

    def _affordable(self, queries: Sequence[QueryState]) -> int:
        """How many posts can still be asked for: what the money buys, within the requests of a session."""
        meter = self._parts.meter
        of_session = self._session.budget_usd - meter.of_session(self._session.session_id)
        left = max(0.0, min(of_session, self._parts.monthly_cap - meter.this_month()))
        return min(self._parts.posts.prices.affordable(left), self._pages_left(queries) * self._session.page_size)

    def _pages_left(self, queries: Sequence[QueryState]) -> int:
        session = self._session
        return pages_left(queries, session.page_size, session.budget_usd, self._parts.posts.prices)
