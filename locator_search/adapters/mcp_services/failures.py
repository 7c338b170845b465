"""What goes wrong between us and a server, as one of our errors with one sentence each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from mcp import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

from locator_search.adapters.mcp_services.lines import TOO_LARGE
from locator_search.errors import (
    BadServiceAnswer,
    ServiceError,
    ServiceRateLimited,
    ServiceRefused,
    ServiceTimedOut,
    ServiceUnavailable,
)
from locator_search.model import ServiceFailure

RATE_LIMIT = (
    r"(?<![\w#/.-])429\b",
    r"rate.?limit",
    r"too many requests",
    r"quota (?:exceeded|exhausted)",
    r"RESOURCE_EXHAUSTED",
)
LONGEST_MESSAGE = 300


def failure_of(error: ServiceError, mask: Callable[[str], str]) -> ServiceFailure:
    """An error as a value, without the secrets that a server may have repeated."""
    return ServiceFailure(error.reason, mask(error.message), error.hint)


def error_of(failure: ServiceFailure) -> ServiceError:
    """A value as an error again."""
    kind = next(each for each in ServiceError.__subclasses__() if each.reason == failure.reason)
    return kind(failure.message, failure.hint)


def is_rate_limit(text: str, further: Iterable[str] = ()) -> bool:
    """Whether a text says that a service is asked too often. Each says it in its own way."""
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in (*RATE_LIMIT, *further))


def refusal(text: str, rate_limit: Iterable[str]) -> ServiceError:
    """What a tool answered instead of a result."""
    said = in_one_line(text) or "It gave no reason."
    if is_rate_limit(text, rate_limit):
        return ServiceRateLimited(f"It is asked too often: {said}", hint="Wait a minute, then ask again.")
    return ServiceRefused(f"It answered with an error: {said}")


def translated(error: Exception, rate_limit: Iterable[str], last_words: str) -> ServiceError:
    """An error of the SDK. `last_words` is the last line the server wrote to stderr."""
    if isinstance(error, ServiceError):
        return error
    if not isinstance(error, MCPError):
        # The SDK raises bare RuntimeErrors for answers that break the tool's own schema.
        return BadServiceAnswer(f"Its answer cannot be used: {in_one_line(str(error))}")
    if error.code == CONNECTION_CLOSED:
        return gone(last_words)
    if error.code == REQUEST_TIMEOUT:
        return ServiceTimedOut("It did not answer in time.")
    if error.code == TOO_LARGE:
        return BadServiceAnswer(error.message)
    return refusal(error.message, rate_limit)


def gone(last_words: str) -> ServiceUnavailable:
    """Its process ended."""
    said = f": {in_one_line(last_words)}" if last_words else "."
    return ServiceUnavailable(f"Its server ended{said}")


def in_one_line(text: str) -> str:
    """The beginning of a text."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else line[:LONGEST_MESSAGE] + "…"
