"""`GET /2/tweets/search/recent` and `GET /2/tweets` of the X API: one request, one answer. Nothing of X's own errors
gets past this module.

Read in the OpenAPI file 2.167 and the guides, August 2026. X is in the middle of renaming tweets to posts; we ask with
the names of the guides and read both.
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import httpx2

from locator_search.adapters.http.service import HttpService
from locator_search.adapters.x_api.parsing import looked_up_of, page_of
from locator_search.core.errors import (
    AccessDenied,
    AnswerUnreadable,
    CursorExpired,
    QueryRefused,
    QuotaUsedUp,
    RateLimited,
    SourceError,
)
from locator_search.core.retry import parse_retry_after
from locator_search.ports import Clock
from locator_search.ports.x.posts import PostPage, PostPrices, PostsLookedUp, PostSource, UnreadablePage

USUAL_ADDRESS = "https://api.x.com"
SECONDS = 20.0
"""Before a request that is not answered counts as failed."""
LARGEST_ANSWER = 8 * 1024 * 1024
"""Bytes; a page of 100 posts has about 300,000."""
FIELDS = {
    "tweet.fields": (
        "author_id,conversation_id,created_at,entities,lang,note_tweet,public_metrics,referenced_tweets,withheld"
    ),
    "expansions": "author_id,referenced_tweets.id",
    "user.fields": "name,username,withheld",
}
_ID = re.compile(r'"id"\s*:\s*"([0-9]{1,20})"')
SOON = 1.0
"""Seconds added to a reset, because it is told in whole ones."""

Answer = TypeVar("Answer", PostPage, PostsLookedUp)

logger = logging.getLogger(__name__)


class XPostSearch:
    """A PostSearch over the X API. Tries nothing twice."""

    source: PostSource = "x"

    def __init__(self, bearer_token: str, clock: Clock, prices: PostPrices, base_url: str | None = None) -> None:
        self.prices = prices
        self._clock = clock
        self._service = HttpService(
            "X",
            base_url or USUAL_ADDRESS,
            clock,
            f"Bearer {bearer_token}",
            seconds=SECONDS,
            largest=LARGEST_ANSWER,
            refusal=self._refusal,
        )

    def search(self, query: str, limit: int, token: str | None = None) -> PostPage:
        """One page of at most `limit` posts of the last seven days, newest first. Raises SourceError of a kind."""
        asked = {"query": query, "max_results": str(limit), "sort_order": "recency", **FIELDS}
        if token:
            asked["next_token"] = token
        began = time.perf_counter()
        try:
            return self._read(
                "2/tweets/search/recent", asked, limit, lambda answer: page_of(answer, time.perf_counter() - began)
            )
        except QueryRefused:
            if token is None:
                raise
            raise CursorExpired("X no longer knows the place in the results.") from None

    def look_up(self, post_ids: Sequence[str]) -> PostsLookedUp:
        """Posts by id, at most 100. Raises SourceError of a kind."""
        asked = {"ids": ",".join(post_ids), **FIELDS}
        return self._read("2/tweets", asked, len(post_ids), lambda answer: looked_up_of(answer, post_ids))

    def _read(self, path: str, asked: dict[str, str], most: int, read: Callable[[dict[str, Any]], Answer]) -> Answer:
        """An answer of at most so many posts. Raises UnreadablePage for a damaged one, with the ids as far as it goes:
        it names posts before it names their authors."""
        content = b""
        try:
            response = self._service.get(path, asked)
            content = response.content
            return read(self._service.as_object(self._service.parsed(response)))
        except AnswerUnreadable as error:
            made_out = dict.fromkeys(_ID.findall(content.decode(errors="replace")))
            raise UnreadablePage(error.message, error.hint, tuple(made_out)[:most]) from None

    def _refusal(self, response: httpx2.Response) -> SourceError | None:
        status, reason = response.status_code, _reason(response)
        logger.debug("X answered %d: %s", status, reason)
        if status == 429:
            limited = RateLimited("X's rate limit is reached.")
            limited.retry_after = self._seconds_until_reset(response.headers)
            return limited
        if status == 401:
            return AccessDenied("X refuses the token (401).", hint="Check X_BEARER_TOKEN.")
        if status == 402:
            return QuotaUsedUp("There are no credits left at X (402).", hint="Buy some in X's developer console.")
        if status == 403:
            return AccessDenied(f"X does not allow this token to search (403): {reason}")
        if status == 400:
            return QueryRefused(reason)
        return None if status >= 500 else SourceError(f"X refused the request ({status}): {reason}")

    def _seconds_until_reset(self, headers: httpx2.Headers) -> float | None:
        reset = headers.get("x-rate-limit-reset", "").strip()
        if reset.isdecimal():
            return max(0.0, int(reset) - self._clock.now().timestamp()) + SOON
        return parse_retry_after(headers.get("Retry-After", ""), self._clock.now())


def _reason(response: httpx2.Response) -> str:
    """X's own words, on one line."""
    try:
        answer = json.loads(response.content)
        first: dict[str, Any] = next(iter(answer.get("errors") or []), {})
        words = first.get("message") or answer.get("detail") or answer.get("title") or ""
    except (ValueError, AttributeError, TypeError, RecursionError):
        words = ""
    return " ".join(str(words).split())[:300] or f"HTTP {response.status_code}"
