"""Trying again, decided in one place: waits of 1, 2, 4, 8 and 16 seconds, at most five retries, and none that would
begin after the deadline of a question.

Which failures are worth it is a property of the error (`LocatorError.retryable`), set where an adapter translates it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from locator_search.core.clock import Clock, seconds_left
from locator_search.core.errors import LocatorError

Result = TypeVar("Result")

WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before each retry."""
LONGEST_WAIT = 120.0
"""Seconds. Where the other side asks for a longer wait, the failure is reported at once."""

logger = logging.getLogger(__name__)


def wait_before_retry(failures: int, error: LocatorError) -> float | None:
    """Seconds to wait after the `failures`-th failure in a row (from 1); None: give up.

    Never shorter than the back-off, nor than what the other side asked for.
    """
    if not error.retryable or failures > len(WAITS):
        return None
    wait = max(WAITS[failures - 1], error.retry_after or 0.0)
    return wait if wait <= LONGEST_WAIT else None


def with_retries(
    action: Callable[[], Result], clock: Clock, never_after: type[LocatorError] | tuple[()] = ()
) -> Result:
    """Call `action` up to six times and return its result. Raises its last error; a `never_after` at once."""
    failures = 0
    while True:
        try:
            return action()
        except LocatorError as error:
            failures += 1
            wait, left = wait_before_retry(failures, error), seconds_left()
            if isinstance(error, never_after) or wait is None or (left is not None and wait >= left):
                raise
            logger.info("Trying again in %g s (retry %d of %d): %s", wait, failures, len(WAITS), error.message)
        clock.sleep(wait)


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Seconds from `now` that an HTTP `Retry-After` header asks for: a number or a date (RFC 9110, 10.2.3).

    None when it is neither.
    """
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        asked_for = parsedate_to_datetime(value)
    except ValueError:
        return None
    if asked_for.tzinfo is None:  # "-0000", which means UTC of an unknown place
        asked_for = asked_for.replace(tzinfo=now.tzinfo)
    return max(0.0, (asked_for - now).total_seconds())
