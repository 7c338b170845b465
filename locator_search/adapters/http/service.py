"""Requests to one HTTP service, tried once each and bounded in time and size. Its failures are errors of our own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx2

from locator_search.adapters.http.bounded import AnswerTooLarge, BoundedTransport
from locator_search.core.errors import (
    AccessDenied,
    AnswerUnreadable,
    ConfigurationError,
    FileGone,
    RateLimited,
    SourceError,
    SourceUnavailable,
)
from locator_search.core.retry import parse_retry_after
from locator_search.ports import Clock

MOST_REDIRECTS = 5

Refusal = Callable[[httpx2.Response], SourceError | None]
"""The error for an answer that is no success; None: the usual one."""


class HttpService:
    """One service below one address. `name` is how messages call it; `seconds` bound a request as a whole, and each
    wait of a stream; `largest` bounds an answer in bytes. Proxies are those of the environment.

    A POST is never redirected. Other requests are, but one with a key stays on the host that the key is for.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        clock: Clock,
        authorization: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        seconds: float = 30.0,
        largest: int = 32 * 2**20,
        refusal: Refusal = lambda _response: None,
    ) -> None:
        if not _is_web_address(base_url):
            raise ConfigurationError(f"The address of {name} is none that begins with http:// or https://: {base_url}")
        if authorization and not (authorization.isascii() and authorization.isprintable()):
            raise ConfigurationError(f"The key of {name} holds characters that no key has.", hint="Copy it once more.")
        self.name = name
        self._base_url = base_url.rstrip("/")
        self._has_key = authorization is not None
        self._clock = clock
        self._largest = largest
        self._own_refusal = refusal
        self._seconds = seconds
        self._headers = {"User-Agent": "document-locator", "Accept": "application/json", **(headers or {})}
        if authorization:
            self._headers["Authorization"] = authorization
        self._client = httpx2.Client(transport=BoundedTransport(largest), timeout=seconds, headers=self._headers)

    def get(
        self, path: str, parameters: Mapping[str, str | int] | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """The whole answer. Raises the error of `refusal`, AccessDenied, FileGone, RateLimited, SourceUnavailable or
        SourceError, as every method."""
        url = self._url(path) + (f"?{urlencode(parameters)}" if parameters else "")
        with self._failures_told():
            return self._accepted(self._send(self._client, self._client.build_request("GET", url, headers=headers)))

    def get_json(self, path: str, parameters: Mapping[str, str | int] | None = None, accept: str | None = None) -> Any:
        """The answer as parsed JSON."""
        return self.parsed(self.get(path, parameters, {"Accept": accept} if accept else None))

    def post_json(self, path: str, body: Mapping[str, object]) -> Any:
        """The answer to a body of JSON, as parsed JSON."""
        with self._failures_told():
            response = self._client.post(self._url(path), json=body)
            return self.parsed(self._accepted(response))

    @contextmanager
    def stream(
        self, path: str, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> Iterator[httpx2.Response]:
        """An answer that is still to be read with `iter_raw`, of any size."""
        with self._failures_told(), httpx2.Client(timeout=self._seconds, headers=self._headers) as client:
            request = client.build_request(method, self._url(path), headers=headers)
            with closing(self._send(client, request, stream=True)) as response:
                yield self._accepted(response)

    def as_object(self, answer: object) -> dict[str, Any]:
        """An answer that has to be a JSON object. Raises AnswerUnreadable."""
        if not isinstance(answer, dict):
            raise self._no_json()
        return answer

    def parsed(self, response: httpx2.Response) -> Any:
        """The JSON of an answer. Raises AnswerUnreadable."""
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError):  # brackets within brackets without end
            raise self._no_json() from None

    def close(self) -> None:
        """Close the connections that are kept."""
        self._client.close()

    def _url(self, path: str) -> str:
        return f"{self._base_url}/{quote(path, safe='/*,:@')}"

    def _send(self, client: httpx2.Client, request: httpx2.Request, *, stream: bool = False) -> httpx2.Response:
        for _ in range(MOST_REDIRECTS):
            response = client.send(request, stream=stream)
            following = response.next_request
            if following is None or (self._has_key and _host(following) != _host(request)):
                return response
            response.close()
            request = following
        raise SourceError(f"{self.name} redirects without end.")

    def _accepted(self, response: httpx2.Response) -> httpx2.Response:
        if response.is_success:
            return response
        raise self._own_refusal(response) or self._usual_refusal(response)

    def _usual_refusal(self, response: httpx2.Response) -> SourceError:
        status = response.status_code
        if status in (401, 403):
            return AccessDenied(f"{self.name} refuses the key ({status}).", hint="Check its API key.")
        if status in (404, 410):
            return FileGone(f"{self.name} does not know what it is asked for ({status}).", hint="Is its address right?")
        if status == 429 or status >= 500:
            refusal = (RateLimited if status == 429 else SourceUnavailable)(f"{self.name} answered {status}.")
            refusal.retry_after = parse_retry_after(response.headers.get("Retry-After", ""), self._clock.now())
            return refusal
        return SourceError(f"{self.name} refused the request ({status}).", hint="Is its address right?")

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        try:
            yield
        except AnswerTooLarge:
            raise AnswerUnreadable(f"{self.name} answered with more than {self._largest // 2**20} MiB.") from None
        except httpx2.DecodingError:
            raise self._no_json() from None
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            reason = _reason(error)
            raise SourceUnavailable(f"{self.name} did not answer: {reason}.", hint="Is its address right?") from None

    def _no_json(self) -> AnswerUnreadable:
        return AnswerUnreadable(f"{self.name} answered with something that is no JSON object.", hint="Is it a proxy?")


def _host(request: httpx2.Request) -> tuple[str, bytes]:
    return request.url.scheme, request.url.netloc


def _reason(error: BaseException) -> str:
    """The words of the library, or of the system where these are clearer: "Connection refused"."""
    words, cause = str(error) or type(error).__name__, error
    while before := cause.__cause__ or cause.__context__:
        cause = before
    if isinstance(cause, ConnectionError) and cause.errno:
        words = os.strerror(cause.errno)
    return words[:200].rstrip(".")


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port beyond all ports
        return False
