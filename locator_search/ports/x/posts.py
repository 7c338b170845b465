"""Posts of X, where they are bought, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from locator_search.core.errors import AnswerUnreadable
from locator_search.ports.x.joined_posts import JOINS, JoinedPost

PostSource = Literal["x", "sample"]
"""X itself, or the recorded sample that comes with the program."""

MOST_PER_QUERY = 100
"""Posts of one query, as the design has it."""

SMALLEST_PAGE = 10
"""Posts; X refuses to give fewer."""

MOST_LOOKED_UP = 100
"""Posts of one request that asks for posts by id."""

LONGEST_QUERY = 512
"""Characters of a query, of accounts without a contract."""


@dataclass(frozen=True, slots=True)
class Post:
    """One post. `author` is the handle without @, "" where X did not tell it; `metrics` are its public counts.

    `conversation_id` is the post that its thread begins with, `joined` are the posts it quotes or answers.
    """

    post_id: str
    text: str
    posted_at: datetime
    author_id: str = ""
    author: str = ""
    author_name: str = ""
    language: str = ""
    metrics: Mapping[str, int] = field(default_factory=dict)
    conversation_id: str = ""
    joined: tuple[JoinedPost, ...] = ()

    @property
    def url(self) -> str:
        """Where it stands on X."""
        return f"https://x.com/{self.author or 'i/web'}/status/{self.post_id}"


@dataclass(frozen=True, slots=True)
class PostPage:
    """The posts of one request. `next_token` leads to the page after it; `user_ids` are the authors that came along.

    `returned` are the ids of every post X returned, and bills: of `posts`, of those `withheld` somewhere, which are not
    shown, and of those that cannot be read. `joined_ids` are those of posts that came along as quoted or answered.
    """

    posts: tuple[Post, ...]
    next_token: str | None = None
    user_ids: tuple[str, ...] = ()
    seconds: float = 0.0
    returned: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    joined_ids: tuple[str, ...] = ()

    @property
    def unreadable(self) -> tuple[str, ...]:
        """The returned posts that are damaged."""
        known = {*self.withheld, *(post.post_id for post in self.posts)}
        return tuple(one for one in self.returned if one not in known)


class UnreadablePage(AnswerUnreadable):
    """A page that arrives damaged. `post_ids` can be made out in it: X has billed them."""

    retryable = True

    def __init__(self, message: str, hint: str = "", post_ids: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint)
        self.post_ids = post_ids


@dataclass(frozen=True, slots=True)
class PostsLookedUp:
    """Posts looked up by id: those that exist, as they are now, and those X no longer has or withholds somewhere.

    `returned` are the ids of every post X returned, and bills; `joined_ids` those of posts that came along.
    """

    posts: tuple[Post, ...]
    gone: tuple[str, ...] = ()
    user_ids: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    joined_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PostPrices:
    """US dollars for one post, for one author that comes along, and for one post that comes along as quoted or
    answered."""

    post: float = 0.0
    user: float = 0.0
    joined: float = 0.0

    def of(self, posts: int) -> float:
        """The most so many posts may cost: every one by somebody else, and quoting and answering one each."""
        return posts * self._each

    def affordable(self, usd: float) -> int:
        """The number of posts that a sum buys at least."""
        return int(usd / self._each + 1e-9) if self._each else 1_000_000

    @property
    def _each(self) -> float:
        return self.post + self.user + len(JOINS) * self.joined


class PostSearch(Protocol):
    """Finds posts of the last seven days."""

    source: PostSource
    prices: PostPrices

    def search(self, query: str, limit: int, token: str | None = None) -> PostPage:
        """One page of at most `limit` posts (10 to 100), newest first.

        Raises QueryRefused for a query it does not understand, CursorExpired for a token it no longer knows,
        UnreadablePage for a damaged answer, RateLimited (with `retry_after`), QuotaUsedUp, AccessDenied,
        SourceUnavailable or SourceError.
        """
        ...

    def look_up(self, post_ids: Sequence[str]) -> PostsLookedUp:
        """Posts by id, at most MOST_LOOKED_UP. One that comes back neither as a post nor as gone is not known of.

        Raises UnreadablePage, RateLimited (with `retry_after`), QuotaUsedUp, AccessDenied, SourceUnavailable or
        SourceError.
        """
        ...
