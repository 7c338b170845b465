"""A session in progress: the worker that holds its lease, and its events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from locator_search.ports.x.found_posts import PostScore
from locator_search.ports.x.posts import PostPage, PostPrices
from locator_search.ports.x.sessions import AnswerSentence, Phase, QueryStatus

if TYPE_CHECKING:
    from locator_search.model import Vector

EventKind = Literal["phase", "progress", "posts", "paused", "resumed", "done", "failed"]

LEASE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """Something that happened to a session. `sequence` rises; 0 before it is kept."""

    kind: EventKind
    phase: Phase
    progress: float
    post_ids: tuple[str, ...] = ()
    sequence: int = 0


class SessionEvents(Protocol):
    """The events of a session, which several tabs can follow."""

    def append(self, session_id: str, events: Sequence[SessionEvent]) -> None:
        """Add events, in one transaction, and tell who listens."""
        ...

    def since(self, session_id: str, sequence: int) -> list[SessionEvent]:
        """Events after one, oldest first."""
        ...

    def wait(self, session_id: str, seconds: float) -> None:
        """Return when something happened to the session, at the latest after so many seconds."""
        ...


class SessionWork(Protocol):
    """The writes of one worker on one session. All but `claim` raise LeaseLost when another worker holds it."""

    def claim(self) -> bool:
        """Take the session, unless a living worker has it or it is done or gone."""
        ...

    def renew(self) -> None:
        """Hold it for LEASE_SECONDS more."""
        ...

    def release(self) -> None:
        """Let others take it. Never fails for having lost it."""
        ...

    def enter(self, phase: Phase, progress: float) -> None:
        """A phase begins; progress never goes back."""
        ...

    def advance(self, progress: float, phase: Phase, seconds: float, model_cost_usd: float = 0.0) -> None:
        """Progress, seconds worked in the phase since the last report, and what models cost since."""
        ...

    def save_queries(self, texts: Sequence[str]) -> None:
        """The queries of the session; those it has already stay."""
        ...

    def reserve(self, usd: float, monthly_cap: float) -> bool:
        """Set money aside for one page; False when a budget does not allow it, pages under way elsewhere counted."""
        ...

    def commit_page(self, ordinal: int, number: int, page: PostPage, prices: PostPrices, progress: float) -> None:
        """Posts, links, cursor, purchases, progress of one page, in one transaction; a second time changes nothing."""
        ...

    def bill(self, post_ids: Sequence[str], prices: PostPrices) -> None:
        """Enter the purchase of posts that came in a page nobody can read."""
        ...

    def end_query(self, ordinal: int, status: QueryStatus, reason: str) -> None:
        """No more pages are asked for."""
        ...

    def restart_query(self, ordinal: int) -> None:
        """Begin with its first page again; its cursor was refused."""
        ...

    def without_embedding(self, model: str, limit: int) -> dict[str, str]:
        """Texts by post id that this model has not embedded yet."""
        ...

    def count_without_embedding(self, model: str) -> int:
        """How many of its posts this model has not embedded yet."""
        ...

    def save_embeddings(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Embeddings by post id."""
        ...

    def cosines(self, embedding: Vector) -> dict[str, float]:
        """The cosine of every post of the session with an embedding."""
        ...

    def save_ranking(self, scores: Mapping[str, float], near_copies: Mapping[str, str]) -> None:
        """Embedding scores by post id, and under which post others are folded."""
        ...

    def save_reranking(self, reranker: str, scores: Mapping[str, float], warning: str = "") -> None:
        """Rerank scores by post id, all by one reranker; none, and a warning, where it failed."""
        ...

    def save_scores(self, scores: Sequence[PostScore]) -> None:
        """Final scores and ranks."""
        ...

    def warn(self, warning: str) -> None:
        """Something a person should know; said once."""
        ...

    def pause(self, reason: str, seconds: float | None = None) -> None:
        """X asked us to wait so long, or the person stopped it."""
        ...

    def resume(self) -> None:
        """Resume the session after a pause."""
        ...

    def fail(self, reason: str) -> None:
        """End the session without a result; its posts stay, and it can be resumed."""
        ...

    def finish(self, answer: Sequence[AnswerSentence]) -> None:
        """End the session with its answer."""
        ...


OpenWork = Callable[[str], SessionWork]
"""The work on the session of that id, under a name of its own."""
