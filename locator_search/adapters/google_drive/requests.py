"""Sends requests to an API of Google, and says in our words what came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from time import monotonic
from typing import Any, ClassVar, TypeVar

from google.auth.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

from locator_search.adapters.google_drive.refusals import VENDOR_ERRORS, translated
from locator_search.adapters.google_drive.transport import ThreadTransport
from locator_search.core.errors import ConfigurationError, QuotaUsedUp, SourceError, SourceUnavailable
from locator_search.core.refusals import Refusals
from locator_search.core.retry import wait_before_retry, with_retries
from locator_search.ports import Clock, RequestSlots

Answer = TypeVar("Answer")
Json = Mapping[str, Any]
"""An object of the API, unchanged."""

SERVICE = "drive"
TIMEOUT_SECONDS = 60.0
"""Drive may take that long to convert a large document."""


class GoogleRequests:
    """The vendor's client with its own retries off, because ours are the only ones. Thread-safe.

    At most five requests are in flight over the whole deployment; a slot is held while a request runs and never while
    waiting for the next try. With `patient` off nothing is tried twice.
    """

    api: ClassVar[tuple[str, str]]
    """Name and version."""

    def __init__(
        self,
        credentials: Credentials,
        slots: RequestSlots,
        clock: Clock,
        *,
        endpoint: str | None = None,
        timeout: float | None = None,
        patient: bool = True,
    ) -> None:
        self._credentials = credentials
        self._slots = slots
        self._clock = clock
        self._endpoint = endpoint
        self._transport = ThreadTransport(credentials, timeout or TIMEOUT_SECONDS)
        self._patient = patient
        self._refusals = Refusals()

    @cached_property
    def _api(self) -> Any:
        # The definition that comes with the library needs no request and never changes.
        options = {"api_endpoint": self._endpoint.rstrip("/") + "/"} if self._endpoint else None
        return build(*self.api, credentials=self._credentials, client_options=options, static_discovery=True)

    def _json(self, request: Any, what: str, check: Callable[[Json], Json] = lambda answer: answer) -> Json:
        def ask() -> Json:
            answer = request.execute(http=self._transport.http(), num_retries=0)
            if not isinstance(answer, dict):
                raise no_answer()
            return check(answer)

        return self._send(ask, what)

    def _send(self, ask: Callable[[], Answer], what: str) -> Answer:
        waiting_since = monotonic()

        def attempt() -> Answer:
            with self._slots.slot(SERVICE):
                self._refusals.check(waiting_since)
                try:
                    return ask()
                except VENDOR_ERRORS as error:
                    if not isinstance(error, HttpError):
                        self._transport.drop()
                    refused = translated(error, what, self._clock.now())
                    if isinstance(refused, ConfigurationError | QuotaUsedUp):
                        self._refusals.note(refused)
                    raise refused from None

        return with_retries(attempt, self._clock) if self._patient else attempt()

    def pause_after(self, failures: int, error: SourceError) -> None:
        """Wait as long as a request would before another try. Raises the error when no try is left."""
        wait = wait_before_retry(failures, error) if self._patient else None
        if wait is None:
            raise error
        self._clock.sleep(wait)


def no_answer() -> SourceUnavailable:
    """The error for an answer that is none: a proxy's login page comes with status 200."""
    return SourceUnavailable(
        "Google Drive answered with something that is not an answer.",
        hint="Check GOOGLE_API_ENDPOINT and the proxy settings.",
    )
