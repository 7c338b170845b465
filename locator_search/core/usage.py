"""Tokens and cost of models: every call is recorded, and whoever asked for a meter reads the sum.

A meter belongs to the work that opened it (a file, a question, a crawl) and to the threads that work started in a copy
of its context, so five files at once count apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls to models, their tokens, and what they cost in US dollars (0 where no price is known).

    `seconds` is how long the service took to answer, without any waiting for our turn; 0 where nobody measured it.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_usd + other.cost_usd,
            self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


NOTHING_USED = Usage()


class Meter:
    """Adds up what was used while it was open. Thread-safe."""

    def __init__(self) -> None:
        self.total = Usage()
        self._lock = Lock()

    def add(self, usage: Usage) -> None:
        """Count one call."""
        with self._lock:
            self.total = self.total + usage


_open: ContextVar[tuple[Meter, ...]] = ContextVar("open_meters", default=())


@contextmanager
def metered() -> Iterator[Meter]:
    """A meter over everything the block asks of models. Meters nest: each counts for itself."""
    meter = Meter()
    token = _open.set((*_open.get(), meter))
    try:
        yield meter
    finally:
        _open.reset(token)


def record(usage: Usage) -> None:
    """Tell every open meter about a call. Adapters call it once per answer that was paid."""
    for meter in _open.get():
        meter.add(usage)
