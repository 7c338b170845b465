"""Facts about posts that are kept: whether X still has them, and what asking for them costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from locator_search.ports.x.posts import PostPrices, PostsLookedUp, PostSource


class KnownPosts(Protocol):
    """Posts that are kept, and whether X still has them. Those of the current UTC day were seen today."""

    def due(self, source: PostSource, session_id: str | None, owner: str | None) -> list[str]:
        """Posts X returned last before today, of a session or of all; of anybody for None; the best first."""
        ...

    def unpaid(self, post_ids: Sequence[str]) -> int:
        """The number of posts that X would bill, because they were not bought today."""
        ...

    def pay(self, post_ids: Sequence[str], prices: PostPrices, monthly_cap: float) -> list[str] | None:
        """Enter what asking for them costs, before it is done; those that were free are not in the result. None, and
        nothing is entered, where it could go beyond the cap."""
        ...

    def refund(self, post_ids: Sequence[str]) -> None:
        """Take back what `pay` entered for posts that X did not return: it bills nothing for them."""
        ...

    def keep(self, found: PostsLookedUp, prices: PostPrices) -> float:
        """The posts as they are now. What is gone goes, from every session, with the sentences that rest on it alone.

        Results in what the authors that came along cost, in US dollars.
        """
        ...
