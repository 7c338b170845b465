"""X search: posts, the sessions that gather them, where they are kept, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from locator_search.model import Vector

Phase = Literal["query_generation", "searching", "embedding", "ranking", "reranking", "saving"]
SessionStatus = Literal["running", "paused", "done", "failed"]
QueryStatus = Literal["pending", "done", "failed", "skipped"]
EventKind = Literal["phase", "progress", "posts", "paused", "resumed", "done", "failed"]
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
LEASE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Post:
    """One post. `author` is the handle without @, "" where X did not tell it; `metrics` are its public counts."""

    post_id: str
    text: str
    posted_at: datetime
    author_id: str = ""
    author: str = ""
    author_name: str = ""
    language: str = ""
    metrics: Mapping[str, int] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where it stands on X."""
        return f"https://x.com/{self.author or 'i/web'}/status/{self.post_id}"


@dataclass(frozen=True, slots=True)
class PostPage:
    """What one request brought. `next_token` leads to the page after it; `user_ids` are the authors that came along."""

    posts: tuple[Post, ...]
    next_token: str | None = None
    user_ids: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class PostsLookedUp:
    """What became of posts that are known by id: as they are now, and those X says it no longer has."""

    posts: tuple[Post, ...]
    gone: tuple[str, ...] = ()
    user_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PostPrices:
    """US dollars for one post, and for one author that comes along."""

    post: float = 0.0
    user: float = 0.0

    def of(self, posts: int) -> float:
        """The most so many posts may cost: every one by somebody else."""
        return posts * (self.post + self.user)

    def affordable(self, usd: float) -> int:
        """How many posts so much money buys at least."""
        each = self.post + self.user
        return int(usd / each + 1e-9) if each else 1_000_000


class PostSearch(Protocol):
    """Finds posts of the last seven days."""

    source: PostSource
    prices: PostPrices

    def search(self, query: str, limit: int, token: str | None = None) -> PostPage:
        """One page of at most `limit` posts (10 to 100), newest first.

        Raises QueryRefused for a query it does not understand, CursorExpired for a token it no longer knows,
        RateLimited (with `retry_after`), QuotaUsedUp, AccessDenied, SourceUnavailable or SourceError.
        """
        ...

    def look_up(self, post_ids: Sequence[str]) -> PostsLookedUp:
        """Posts by id, at most MOST_LOOKED_UP. One that comes back neither as a post nor as gone is not known of.

        Raises RateLimited (with `retry_after`), QuotaUsedUp, AccessDenied, SourceUnavailable or SourceError.
        """
        ...


class Reranker(Protocol):
    """Says how well each text answers a question. Scores of different rerankers cannot be compared."""

    name: str

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One value in [0, 1] per text, in their order. Raises LocatorError."""
        ...


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
    """One sentence of an answer and the ids of the posts it rests on."""

    text: str
    post_ids: tuple[str, ...] = ()

    def without(self, gone: Collection[str]) -> AnswerSentence | None:
        """The sentence without these citations; None where it rested on them alone."""
        left = tuple(post_id for post_id in self.post_ids if post_id not in gone)
        return AnswerSentence(self.text, left) if left or not self.post_ids else None


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """What a session is made from. The same owner and message make one session, however often they are sent."""

    question: str
    model_id: str
    budget_usd: float
    page_size: int
    language: Literal["ja", "en"]
    source: PostSource
    message_id: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One saved X search.

    `progress` lies in [0, 1]; `seconds` were worked in each phase so far, `service_seconds` of them were X's own;
    `worked_on`: a living worker holds it; `removed`: posts that were taken out because X no longer has them.
    """

    session_id: str
    message_id: str
    question: str
    model_id: str
    status: SessionStatus
    progress: float
    phase: Phase
    language: Literal["ja", "en"]
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
    worked_on: bool
    resume_after: datetime | None
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class FoundPost:
    """A post of a session with its scores so far. `near_copy_of` is the post it is folded under."""

    post: Post
    query_ordinals: tuple[int, ...]
    embedding_score: float | None = None
    rerank_score: float | None = None
    final_score: float | None = None
    rank: int | None = None
    near_copy_of: str | None = None


@dataclass(frozen=True, slots=True)
class PostScore:
    """What one post of a session comes to in the end."""

    post_id: str
    final_score: float
    rank: int


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """Something that happened to a session. `sequence` rises; 0 before it is kept."""

    kind: EventKind
    phase: Phase
    progress: float
    post_ids: tuple[str, ...] = ()
    sequence: int = 0


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

    def queries(self, session_id: str) -> list[QueryState]:
        """Its queries, by ordinal."""
        ...

    def posts(self, session_id: str) -> list[FoundPost]:
        """What was found so far, best first; before there are scores, newest first."""
        ...

    def forget(self, session_id: str | None, owner: str | None) -> int:
        """Delete one session of that owner, or all, with every post no other session uses; how many went. For None the
        sessions of everybody are meant."""
        ...

    def sweep(self) -> int:
        """Delete what has expired, of everybody; how many sessions went."""
        ...


class SessionEvents(Protocol):
    """What several tabs follow."""

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
        """It goes on."""
        ...

    def fail(self, reason: str) -> None:
        """It ends without a result; what was found stays and it can be resumed."""
        ...

    def finish(self, answer: Sequence[AnswerSentence]) -> None:
        """It is done."""
        ...


class KnownPosts(Protocol):
    """Posts that are kept, and whether X still has them. Those of the current UTC day were seen today."""

    def due(self, source: PostSource, session_id: str | None, owner: str | None) -> list[str]:
        """Posts X returned last before today, of a session or of all; of anybody for None; the best first."""
        ...

    def unpaid(self, post_ids: Sequence[str]) -> int:
        """How many of them X would bill, because they were not bought today."""
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


class SpendMeter(Protocol):
    """What posts cost."""

    def this_month(self) -> float:
        """US dollars since the first of this month, UTC, over all sessions."""
        ...

    def of_session(self, session_id: str) -> float:
        """US dollars of one session."""
        ...


OpenWork = Callable[[str], SessionWork]
"""The work on the session of that id, under a name of its own."""
