"""What an X search needs done. The tables of its session are its log: an effect whose result they hold already is
answered from them, so a search that was killed begins anew and repeats nothing."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.core.flow import Effect
from locator_search.ports.x.sessions import Phase, QueryState
from locator_search.x_search.budget import PageWanted


@dataclass(frozen=True, slots=True)
class Searching:
    """The queries as they stand, and how many posts can still be bought."""

    queries: tuple[QueryState, ...]
    affordable: int


@dataclass(frozen=True)
class Enter(Effect[None]):
    """A phase begins."""

    phase: Phase


@dataclass(frozen=True)
class WriteQueries(Effect[tuple[str, ...]]):
    """At least six distinct queries. `problem` says what was wrong with the last answer."""

    question: str
    problem: str = ""


@dataclass(frozen=True)
class KeepQueries(Effect[Searching]):
    """The queries of the session from now on."""

    queries: tuple[str, ...]


@dataclass(frozen=True)
class LookAtQueries(Effect[Searching]):
    """What an earlier worker left: no queries when there was none."""


@dataclass(frozen=True)
class FetchPage(Effect[Searching]):
    """Buy one page and keep it. A query that X refuses is out; a pause X asks for is waited for."""

    wanted: PageWanted


@dataclass(frozen=True)
class CloseQueries(Effect[None]):
    """No more pages: what was not asked is skipped, and the person is told why."""


@dataclass(frozen=True)
class EmbedPosts(Effect[int]):
    """One batch of posts without embedding; results in how many were embedded."""


@dataclass(frozen=True)
class RankPosts(Effect[int]):
    """Compare all posts with the question and fold near-copies; results in how many posts there are."""

    question: str


@dataclass(frozen=True)
class RerankPosts(Effect[None]):
    """Let the reranker judge the best ones. When it fails, the order by embedding stands."""

    question: str


@dataclass(frozen=True)
class SaveScores(Effect[None]):
    """Final scores and ranks."""


@dataclass(frozen=True)
class WriteAnswer(Effect[None]):
    """The answer from the best posts; the session is done."""

    question: str
