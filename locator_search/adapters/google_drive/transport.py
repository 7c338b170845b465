"""HTTP under Google's client: one connection pool per thread, and nothing asked twice behind our back."""

from __future__ import annotations

import http.client
import threading
import time
from typing import Any

import httplib2
from google.auth.credentials import Credentials
from google_auth_httplib2 import AuthorizedHttp

LONGEST_IDLE_SECONDS = 4.0
"""A connection that rested longer is not used again: servers and proxies close theirs from five seconds on."""


class ThreadTransport:
    """Hands each thread its own `AuthorizedHttp`, because httplib2 is not thread-safe. Credentials are shared."""

    def __init__(self, credentials: Credentials, timeout: float) -> None:
        self._credentials = credentials
        self._timeout = timeout
        self._of_thread = threading.local()

    def http(self) -> AuthorizedHttp:
        """The one of this thread, without connections that may have gone stale."""
        now = time.monotonic()
        if not hasattr(self._of_thread, "http"):
            self._of_thread.http = AuthorizedHttp(self._credentials, http=_SingleTryHttp(timeout=self._timeout))
        elif now - self._of_thread.used_at > LONGEST_IDLE_SECONDS:
            self._of_thread.http.close()
        self._of_thread.used_at = now
        return self._of_thread.http

    def drop(self) -> None:
        """Close the connections of this thread: after a failure they may hold half an answer."""
        self._of_thread.http.close()


class _SingleTryHttp(httplib2.Http):  # type: ignore[misc]  # httplib2 ships no types
    """Without the second try httplib2 makes at once, in silence, when a connection ends before an answer."""

    def _conn_request(self, conn: Any, *rest: Any) -> Any:
        return super()._conn_request(_SingleTryConnection(conn), *rest)


class _SingleTryConnection:
    """A connection whose end is a plain connection error, which httplib2 passes on."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def getresponse(self) -> Any:
        try:
            return self._connection.getresponse()
        except http.client.BadStatusLine:
            raise ConnectionResetError("the connection was closed without an answer") from None
