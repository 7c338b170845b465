"""One JSON request to a service, bounded as a whole. Nothing of the service's own errors gets past this module."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2

from locator_search.adapters.bounded_http import AnswerTooLarge, BoundedTransport
from locator_search.core.errors import AccessDenied, ConfigurationError, RateLimited, SourceError, SourceUnavailable
from locator_search.core.retry import parse_retry_after, with_retries
from locator_search.ports import Clock

SECONDS = 30.0
LARGEST_ANSWER = 32 * 1024 * 1024
"""Bytes."""

JsonObject = Mapping[str, Any]


class JsonService:
    """Posts JSON to one address and reads JSON back; unless impatient, it tries again where the service asks to wait or
    does not answer."""

    def __init__(
        self, name: str, base_url: str, authorization: str | None, clock: Clock, *, patient: bool = True
    ) -> None:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ConfigurationError(f"The address of {name} must begin with http:// or https://: {base_url}")
        self.name = name
        self._base_url = base_url.rstrip("/")
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if authorization:
            self._headers["Authorization"] = authorization
        self._clock = clock
        self._patient = patient
        # Follows no redirects: a key sent to one host is not to be carried on to another.
        self._client = httpx2.Client(transport=BoundedTransport(LARGEST_ANSWER), timeout=SECONDS)

    def post(self, path: str, body: JsonObject) -> JsonObject:
        """The answer. Raises AccessDenied, RateLimited, SourceUnavailable or SourceError."""
        answer = self.post_any(path, body)
        if not isinstance(answer, dict):
            raise self._no_json()
        return answer

    def post_any(self, path: str, body: JsonObject) -> object:
        """The answer of a service that need not answer with an object."""
        if not self._patient:
            return self._post_once(path, body)
        return with_retries(lambda: self._post_once(path, body), self._clock)

    def _post_once(self, path: str, body: JsonObject) -> object:
        try:
            response = self._client.post(
                f"{self._base_url}/{path}", content=json.dumps(body).encode(), headers=self._headers
            )
        except AnswerTooLarge:
            raise SourceError(f"{self.name} answered with more than {LARGEST_ANSWER // 2**20} MiB.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            raise SourceUnavailable(f"{self.name} does not answer: {reason}", hint="Is its address right?") from None
        if not response.is_success:
            raise self._refusal(response)
        return self._parsed(response.content)

    def _parsed(self, content: bytes) -> object:
        try:
            return json.loads(content)
        except ValueError:
            raise self._no_json() from None

    def _no_json(self) -> SourceError:
        return SourceError(f"{self.name} answered with something that is no JSON object.", hint="Is it a proxy?")

    def _refusal(self, response: httpx2.Response) -> SourceError:
        status = response.status_code
        if status in (401, 403):
            return AccessDenied(f"{self.name} refuses the key ({status}).", hint="Check its API key.")
        if status == 429:
            limited = RateLimited(f"{self.name} asks to slow down.")
            limited.retry_after = parse_retry_after(response.headers.get("Retry-After", ""), self._clock.now())
            return limited
        if status >= 500:
            return SourceUnavailable(f"{self.name} failed ({status}).")
        return SourceError(f"{self.name} refused the request ({status}).", hint="Is its address right?")
