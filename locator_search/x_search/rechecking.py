"""Whether posts that were found are still there. X wants what its users delete to be gone elsewhere within a day.

Posts that X returned today need no look. The others are asked for by id, a hundred at a time; X bills those it returns,
unless they were bought today. What it says it no longer has goes from every session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from locator_search.core.errors import LocatorError, QuotaUsedUp, RateLimited
from locator_search.core.retry import with_retries
from locator_search.ports.x.posts import MOST_LOOKED_UP, PostsLookedUp, UnreadablePage

if TYPE_CHECKING:
    from locator_search.ports import Clock
    from locator_search.ports.x.known_posts import KnownPosts
    from locator_search.ports.x.posts import PostSearch

WhyEnded = Literal["", "budget", "month", "rate_limit", "credits"]


@dataclass(frozen=True, slots=True)
class Recheck:
    """The posts to look at again, the best first, and the most US dollars it costs."""

    post_ids: tuple[str, ...]
    at_most: float


@dataclass(frozen=True, slots=True)
class Rechecked:
    """The result of asking X again: posts still there, ids that are gone, posts not asked for and why, and the cost."""

    still_there: int
    gone: tuple[str, ...]
    left: int
    cost_usd: float
    why_ended: WhyEnded = ""


def rechecked(
    recheck: Recheck, posts: PostSearch, known: KnownPosts, budget: float, monthly_cap: float, clock: Clock
) -> Rechecked:
    """Ask a hundred posts at a time, and keep what X says. What cannot be asked for any more is left."""
    still_there, gone, cost = 0, list[str](), 0.0
    why: WhyEnded = ""
    for group in _groups(recheck.post_ids):
        affordable = posts.prices.affordable(budget - cost)
        if known.unpaid(group) > affordable:
            group, why = group[:affordable], "budget"
        try:
            answer = _asked(group, posts, known, monthly_cap, clock)
        except (RateLimited, QuotaUsedUp) as error:
            why = "rate_limit" if isinstance(error, RateLimited) else "credits"
            break
        if answer is None:
            why = "month"
            break
        still_there += len(answer.found.posts)
        gone += answer.found.gone
        cost += answer.cost_usd
        if why:
            break
    left = len(recheck.post_ids) - still_there - len(gone)
    return Rechecked(still_there, tuple(gone), left, round(cost, 6), why)


@dataclass(frozen=True, slots=True)
class _Answer:
    found: PostsLookedUp
    cost_usd: float


def _asked(
    post_ids: Sequence[str], posts: PostSearch, known: KnownPosts, monthly_cap: float, clock: Clock
) -> _Answer | None:
    """The answer of X about one group; None where the month allows no more.

    In the books it is paid before it is asked for, so that a limit holds whatever happens in between; what X did not
    return is taken out of them again. A rate limit is not waited for: its reset may be a quarter of an hour away.
    """
    if not post_ids:
        return _Answer(PostsLookedUp(()), 0.0)
    paid = known.pay(post_ids, posts.prices, monthly_cap)
    if paid is None:
        return None
    try:
        found = with_retries(lambda: posts.look_up(post_ids), clock, never_after=RateLimited)
    except LocatorError as error:
        arrived = error.post_ids if isinstance(error, UnreadablePage) else ()
        known.refund([post_id for post_id in paid if post_id not in arrived])
        raise
    billed = [post_id for post_id in paid if post_id in found.returned]
    known.refund([post_id for post_id in paid if post_id not in found.returned])
    return _Answer(found, len(billed) * posts.prices.post + known.keep(found, posts.prices))


def _groups(post_ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(post_ids), MOST_LOOKED_UP):
        yield post_ids[start : start + MOST_LOOKED_UP]
