"""A log of the requests to the emulator: what, when, and how many in flight. No token is kept."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

OAUTH = "oauth."
_MOST_KEPT = 1_000_000


@dataclass
class Request:
    """One request. `started` and `ended` are seconds of time.monotonic(), `at` is seconds since 1970.

    `method` is the API's name for it; see FaultRule. `status` is 0 until it is answered, and stays 0 where the
    connection was reset before an answer.
    """

    number: int
    method: str
    http_method: str
    path: str
    parameters: Mapping[str, str]
    file_id: str | None
    started: float
    at: float
    status: int = 0
    faults: tuple[str, ...] = ()
    ended: float = 0.0


@dataclass
class RequestLog:
    """All requests in the order in which they began. Token requests do not count as in flight."""

    requests: deque[Request] = field(default_factory=lambda: deque(maxlen=_MOST_KEPT))
    begun: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(
        self, method: str, http_method: str, path: str, parameters: Mapping[str, str], file_id: str | None
    ) -> Request:
        """Enter a request."""
        with self._lock:
            self.begun += 1
            request = Request(self.begun, method, http_method, path, parameters, file_id, time.monotonic(), time.time())
            self.requests.append(request)
            if not method.startswith(OAUTH):
                self.in_flight += 1
                self.most_in_flight = max(self.most_in_flight, self.in_flight)
        return request

    def end(self, request: Request) -> None:
        """The request is answered. To be called just before the last bytes leave: the client may ask again at once."""
        with self._lock:
            if not request.ended:
                request.ended = time.monotonic()
                if not request.method.startswith(OAUTH):
                    self.in_flight -= 1

    def count(self) -> Counter[str]:
        """Requests by method."""
        with self._lock:
            return Counter(request.method for request in self.requests)

    def clear(self) -> None:
        """Forget what was asked; requests in flight stay counted."""
        with self._lock:
            self.requests.clear()
            self.most_in_flight = self.in_flight

    @contextmanager
    def recording(
        self, method: str, http_method: str, path: str, parameters: Mapping[str, str], file_id: str | None
    ) -> Iterator[Request]:
        """Enter a request and make sure that it ends."""
        request = self.begin(method, http_method, path, parameters, file_id)
        try:
            yield request
        finally:
            self.end(request)
