"""Failures between us and a server, as our errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from locator_search.core.errors import ServiceError, ServiceRateLimited, ServiceRefused, ServiceUnavailable
from locator_search.model import ServiceFailure

RATE_LIMIT = (
    r"(?<![\w#/.-])429\b",
    r"rate.?limit",
    r"too many requests",
    r"quota (?:exceeded|exhausted)",
    r"RESOURCE_EXHAUSTED",
)
LONGEST_MESSAGE = 300
NOTHING = "–"
"""Shown for a server that left no message."""


def failure_of(error: ServiceError, mask: Callable[[str], str]) -> ServiceFailure:
    """The failure for an error, without secrets that a server may have repeated."""
    return ServiceFailure(error.reason, error.fault.masked(mask))


def error_of(failure: ServiceFailure) -> ServiceError:
    """The error for a failure."""
    kind = next(each for each in ServiceError.__subclasses__() if each.reason == failure.reason)
    return kind(failure.fault.kind, **failure.fault.values)


def is_rate_limit(text: str, further: Iterable[str] = ()) -> bool:
    """Whether a text says that a service is asked too often. Each says it in its own way."""
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in (*RATE_LIMIT, *further))


def refusal(text: str, rate_limit: Iterable[str]) -> ServiceError:
    """The error for a refusal that a tool answered instead of a result."""
    detail = in_one_line(text) or NOTHING
    return (
        ServiceRateLimited("too_often", detail=detail)
        if is_rate_limit(text, rate_limit)
        else ServiceRefused("error", detail=detail)
    )


def ended(stderr_line: str) -> ServiceUnavailable:
    """The error for a server whose process ended."""
    return ServiceUnavailable("ended", detail=in_one_line(stderr_line) or NOTHING)


def in_one_line(text: str) -> str:
    """The beginning of a text."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else line[:LONGEST_MESSAGE] + "…"
