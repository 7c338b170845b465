"""`GET /2/tweets/search/recent` and `GET /2/tweets` of the X API: one request, one answer. Nothing of X's own errors
gets past this module.

Read in the OpenAPI file 2.167 and the guides, August 2026. X is in the middle of renaming tweets to posts; we ask with
the names of the guides and read both.
"""

from __future__ import annotations

import http.client
import json
import logging
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from email.message import Message
from typing import Any
from urllib.parse import urlencode

from locator_search.adapters.x_api.parsing import looked_up_of, page_of
from locator_search.core.errors import (
    AccessDenied,
    CursorExpired,
    QueryRefused,
    QuotaUsedUp,
    RateLimited,
    SourceError,
    SourceUnavailable,
)
from locator_search.core.retry import parse_retry_after
from locator_search.ports import Clock
from locator_search.ports.x.posts import PostPage, PostPrices, PostsLookedUp, PostSource

USUAL_ADDRESS = "https://api.x.com"
SECONDS = 20.0
"""Before a request that is not answered counts as failed."""
LARGEST_ANSWER = 8 * 1024 * 1024
"""Bytes; a page of 100 posts has about 300,000."""
FIELDS = {
    "tweet.fields": "author_id,created_at,lang,public_metrics,note_tweet",
    "expansions": "author_id",
    "user.fields": "name,username",
}
SOON = 1.0
"""Seconds added to a reset, because it is told in whole ones."""

logger = logging.getLogger(__name__)


class XPostSearch:
    """A PostSearch over the X API. Tries nothing twice."""

    source: PostSource = "x"

    def __init__(self, bearer_token: str, clock: Clock, prices: PostPrices, base_url: str | None = None) -> None:
        self.prices = prices
        self._address = f"{(base_url or USUAL_ADDRESS).rstrip('/')}/2/tweets"
        self._headers = {"Authorization": f"Bearer {bearer_token}", "Accept": "application/json"}
        self._clock = clock
        self._opener = urllib.request.build_opener(_NoRedirects)

    def search(self, query: str, limit: int, token: str | None = None) -> PostPage:
        """One page of at most `limit` posts of the last seven days, newest first. Raises SourceError of a kind."""
        asked = {"query": query, "max_results": str(limit), "sort_order": "recency", **FIELDS}
        if token:
            asked["next_token"] = token
        began = time.perf_counter()
        answer = self._get(f"{self._address}/search/recent?{urlencode(asked)}", with_token=token is not None)
        return page_of(answer, time.perf_counter() - began)

    def look_up(self, post_ids: Sequence[str]) -> PostsLookedUp:
        """Posts by id, at most 100. Raises SourceError of a kind."""
        asked = urlencode({"ids": ",".join(post_ids), **FIELDS})
        return looked_up_of(self._get(f"{self._address}?{asked}", with_token=False), post_ids)

    def _get(self, url: str, *, with_token: bool) -> dict[str, Any]:
        request = urllib.request.Request(url, headers=self._headers)  # noqa: S310 - http(s), as the settings check
        try:
            with self._opener.open(request, timeout=SECONDS) as response:
                content = response.read(LARGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error, with_token=with_token) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise SourceUnavailable(f"X does not answer: {reason}.", hint="Is the network up?") from None
        if len(content) > LARGEST_ANSWER:
            raise SourceError(f"X answered with more than {LARGEST_ANSWER // 1024 // 1024} MiB.")
        return _parsed(content)

    def _refusal(self, error: urllib.error.HTTPError, *, with_token: bool) -> SourceError:
        said = _reason(error)
        logger.debug("X answered %d: %s", error.code, said)
        if error.code == 429:
            limited = RateLimited("X's rate limit is reached.")
            limited.retry_after = self._seconds_until_reset(error.headers)
            return limited
        if error.code == 401:
            return AccessDenied("X refuses the token (401).", hint="Check X_BEARER_TOKEN.")
        if error.code == 402:
            return QuotaUsedUp("There are no credits left at X (402).", hint="Buy some in X's developer console.")
        if error.code == 403:
            return AccessDenied(f"X does not allow this token to search (403): {said}")
        if error.code == 400 and with_token:
            return CursorExpired("X no longer knows the place in the results.")
        if error.code == 400:
            return QueryRefused(said)
        if error.code >= 500:
            return SourceUnavailable(f"X failed ({error.code}).")
        return SourceError(f"X refused the request ({error.code}): {said}")

    def _seconds_until_reset(self, headers: Message) -> float | None:
        reset = (headers.get("x-rate-limit-reset") or "").strip()
        if reset.isdecimal():
            return max(0.0, int(reset) - self._clock.now().timestamp()) + SOON
        return parse_retry_after(headers.get("Retry-After") or "", self._clock.now())


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise SourceError("X answered with something that is no JSON object.", hint="Is there a proxy in between?")
    return answer


def _reason(error: urllib.error.HTTPError) -> str:
    """X's own words, on one line."""
    try:
        said = json.loads(error.read(100_000))
        first: dict[str, Any] = next(iter(said.get("errors") or []), {})
        words = first.get("message") or said.get("detail") or said.get("title") or ""
    except (ValueError, AttributeError, OSError, http.client.HTTPException):
        words = ""
    return " ".join(str(words).split())[:300] or f"HTTP {error.code}"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token sent to one host is not to be carried on to another."""

    def redirect_request(self, *_args: object, **_kwargs: object) -> None:
        """None: the answer stays the redirect, which is an error."""
        return
