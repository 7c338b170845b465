"""One JSON request to a service. Nothing of the service's own errors gets past this module."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from locator_search.errors import AccessDenied, ConfigurationError, RateLimited, SourceError, SourceUnavailable
from locator_search.ports import Clock
from locator_search.retry import parse_retry_after, with_retries

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
        self._opener = urllib.request.build_opener(_NoRedirects)

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
        request = urllib.request.Request(  # noqa: S310 - http(s), as checked
            f"{self._base_url}/{path}", json.dumps(body).encode(), self._headers, method="POST"
        )
        try:
            with self._opener.open(request, timeout=SECONDS) as response:
                content = response.read(LARGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise SourceUnavailable(f"{self.name} does not answer: {reason}", hint="Is its address right?") from None
        if len(content) > LARGEST_ANSWER:
            raise SourceError(f"{self.name} answered with more than {LARGEST_ANSWER // 1024 // 1024} MiB.")
        return self._parsed(content)

    def _parsed(self, content: bytes) -> object:
        try:
            return json.loads(content)
        except ValueError:
            raise self._no_json() from None

    def _no_json(self) -> SourceError:
        return SourceError(f"{self.name} answered with something that is no JSON object.", hint="Is it a proxy?")

    def _refusal(self, error: urllib.error.HTTPError) -> SourceError:
        if error.code in (401, 403):
            return AccessDenied(f"{self.name} refuses the key ({error.code}).", hint="Check its API key.")
        if error.code == 429:
            limited = RateLimited(f"{self.name} asks to slow down.")
            limited.retry_after = parse_retry_after(error.headers.get("Retry-After", ""), self._clock.now())
            return limited
        if error.code >= 500:
            return SourceUnavailable(f"{self.name} failed ({error.code}).")
        return SourceError(f"{self.name} refused the request ({error.code}).", hint="Is its address right?")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key sent to one host is not to be carried on to another."""

    def redirect_request(self, *_args: object, **_kwargs: object) -> None:
        """None: the answer stays the redirect, which is an error."""
        return
