"""When a model is asked again about a file that was indexed without its answer. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from locator_search.model import StandIn

FIRST_REFUSAL_RETRY = timedelta(days=1)
MAX_REFUSALS = 5
FIRST_OUTAGE_RETRY = timedelta(minutes=1)
LONGEST_OUTAGE_RETRY = timedelta(hours=4)


def after_refusal(refusals: int, now: datetime) -> datetime | None:
    """1, 2, 4 and 8 days after so many refusals of one question; then never by itself: each costs as much as an
    answer."""
    return None if refusals >= MAX_REFUSALS else now + FIRST_REFUSAL_RETRY * int(2 ** max(0, refusals - 1))


def after_outage(attempts: int, now: datetime) -> datetime:
    """1, 4, 16 and 64 minutes after so many vain attempts, then every four hours. A crawl by hand does not wait."""
    return now + min(FIRST_OUTAGE_RETRY * int(4 ** min(max(0, attempts - 1), 10)), LONGEST_OUTAGE_RETRY)


def unavailable(attempts: int, now: datetime) -> StandIn:
    """Of a file about which a model could not be asked, after `attempts` attempts before this one."""
    return StandIn("unavailable", attempts + 1, after_outage(attempts + 1, now))


def together(summary: StandIn | None, embedding: StandIn | None) -> StandIn | None:
    """What stands for both: the model that may be asked sooner says when."""
    if summary is None or embedding is None:
        return summary or embedding
    return summary if summary.reason == "unavailable" else embedding
