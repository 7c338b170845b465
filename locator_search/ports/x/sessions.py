"""Sessions of X search as they are kept: what was asked, how far it is, what it found."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, Protocol

from locator_search.locales import Language
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.posts import PostSource

Phase = Literal["query_generation", "searching", "embedding", "ranking", "reranking", "saving"]

SessionStatus = Literal["running", "paused", "done", "failed"]

QueryStatus = Literal["pending", "done", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class QueryState:
    """One query of a session. `fresh`: of the posts it returned, those no query had returned before."""

    ordinal: int
    text: str
    status: QueryStatus = "pending"
    reason: str = ""
    next_token: str | None = None
    pages: int = 0
    fetched: int = 0
    fresh: int = 0
    restarted: bool = False


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of an answer and the ids of the posts it rests on; or a `position` and the posts that take it."""

    text: str
    post_ids: tuple[str, ...] = ()
    position: bool = False

    def without(self, gone: Collection[str]) -> AnswerSentence | None:
        """The sentence without these citations; None where it rested on them alone."""
        left = tuple(post_id for post_id in self.post_ids if post_id not in gone)
        return replace(self, post_ids=left) if left or not self.post_ids else None


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """The request for a session. The same owner and message make one session, however often they are sent."""

    question: str
    model_id: str
    budget_usd: float
    page_size: int
    language: Language
    source: PostSource
    message_id: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One saved X search.

    `progress` lies in [0, 1]; `seconds` were worked in each phase so far, `service_seconds` of them were X's own;
    `worked_on`: a living worker holds it; `removed`: posts that were taken out because X no longer has them; `withheld`
    and `unreadable`: posts that were paid for and cannot be shown.
    """

    session_id: str
    message_id: str
    question: str
    model_id: str
    status: SessionStatus
    progress: float
    phase: Phase
    language: Language
    source: PostSource
    page_size: int
    budget_usd: float
    cost_usd: float
    model_cost_usd: float
    reason: str
    warnings: tuple[str, ...]
    reranker: str
    answer: tuple[AnswerSentence, ...] | None
    seconds: Mapping[Phase, float]
    service_seconds: float
    posts: int
    removed: int
    withheld: int
    unreadable: int
    worked_on: bool
    resume_after: datetime | None
    created_at: datetime
    expires_at: datetime


class SessionStore(Protocol):
    """Sessions as everybody sees them."""

    def create(self, request: SessionRequest, keep_hours: int) -> Session:
        """A new session, or the one this owner and message made already."""
        ...

    def get(self, session_id: str, owner: str | None) -> Session:
        """A session of that owner, of anybody for None. Raises AccessDenied, also where there is none."""
        ...

    def latest(self, owner: str, limit: int = 20) -> list[Session]:
        """The newest sessions of that owner."""
        ...

    def abandoned(self, source: PostSource) -> list[tuple[str, int]]:
        """Ids and progress in percent of the sessions whose worker died, oldest first; none that failed or that a
        person stopped, and none that X serves nothing yet."""
        ...

    def queries(self, session_id: str) -> list[QueryState]:
        """Its queries, by ordinal."""
        ...

    def posts(self, session_id: str) -> list[FoundPost]:
        """The posts found so far, best first; before there are scores, newest first."""
        ...

    def forget(self, session_id: str | None, owner: str | None) -> int:
        """Delete one session of that owner, or all, with every post no other session uses; how many went. For None the
        sessions of everybody are meant."""
        ...

    def sweep(self) -> int:
        """Delete what has expired, of everybody; how many sessions went."""
        ...
