"""A session that a worker of this process holds: what it works with, what it writes, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Self

from locator_search.core.clock import deadline
from locator_search.core.usage import metered
from locator_search.ports.x.sessions import Phase, Session
from locator_search.ports.x.work import SessionEvent
from locator_search.x_search.batcher import Batcher
from locator_search.x_search.messages import Sentences
from locator_search.x_search.phases import total_progress

if TYPE_CHECKING:
    from datetime import tzinfo

    from locator_search.llm.question_models import QuestionChatModel
    from locator_search.ports import Clock, Embedder
    from locator_search.ports.x.found_posts import FoundPost
    from locator_search.ports.x.meter import SpendMeter
    from locator_search.ports.x.posts import PostSearch
    from locator_search.ports.x.rerankers import Reranker
    from locator_search.ports.x.sessions import QueryState, SessionStore
    from locator_search.ports.x.work import SessionEvents, SessionWork

OnSession = Callable[[Session], None]
"""Receives the session whenever it has changed."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts a worker works with. `chat_model` and `reranker` are those of the session's model; `chat_model` has a
    stand-in."""

    posts: PostSearch
    chat_model: QuestionChatModel
    reranker: Reranker
    embedder: Embedder
    store: SessionStore
    events: SessionEvents
    meter: SpendMeter
    clock: Clock
    step_seconds: float
    """How long one step of a model may take."""
    monthly_cap: float
    zone: tzinfo


class ClaimedSession:
    """A claimed session. Its progress never goes back; it is kept in the row and told to tabs as events.

    `session` is as it was when it was claimed. A context manager; leaving it stores the events that wait.
    """

    def __init__(self, parts: Parts, session: Session, work: SessionWork, on_session: OnSession) -> None:
        self.parts = parts
        self.session = session
        self.work = work
        self.say = Sentences.of(session.language)
        self.progress = session.progress
        self._on_session = on_session
        self._phase: Phase = session.phase
        self._since = parts.clock.now()
        self._events = Batcher[SessionEvent](lambda batch: parts.events.append(session.session_id, batch))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._events.__exit__(kind, error, trace)

    # What is stored of it

    def stored(self) -> Session:
        """The session as its row has it now."""
        return self.parts.store.get(self.session.session_id, None)

    def queries(self) -> list[QueryState]:
        """Its queries as they stand; none before they are written."""
        return self.parts.store.queries(self.session.session_id)

    def posts(self) -> list[FoundPost]:
        """Its posts so far, best first."""
        return self.parts.store.posts(self.session.session_id)

    # How far it is

    def enter(self, phase: Phase) -> None:
        """A phase begins."""
        self._phase = phase
        self.advance_to(0.0)
        self.flush()
        self.work.enter(phase, self.progress)
        self.write_down()

    def advance_to(self, share: float) -> None:
        """Record the share of the phase that is done, 0 to 1."""
        self.progress = max(self.progress, total_progress(self._phase, share))

    @contextmanager
    def step(self) -> Iterator[None]:
        """One step of a model, within its time; its cost is recorded at the end."""
        with deadline(self.parts.step_seconds), metered() as meter:
            yield
        self.write_down(meter.total.cost_usd)

    def write_down(self, model_cost: float = 0.0) -> None:
        """Progress, the seconds since the last time, and what models cost since."""
        now = self.parts.clock.now()
        seconds, self._since = (now - self._since).total_seconds(), now
        self.work.advance(self.progress, self._phase, seconds, model_cost)
        self.notify()

    def restart_timer(self) -> None:
        """Leave out the time since the last report: it was a pause, not work."""
        self._since = self.parts.clock.now()

    def publish(self, post_ids: tuple[str, ...] = ()) -> None:
        """Add an event about these posts."""
        self._events.add(SessionEvent("progress", self._phase, self.progress, post_ids))

    def flush(self) -> None:
        """Store the events that wait."""
        self._events.flush()

    def notify(self) -> None:
        """Hand the session as it stands to whoever carries it out."""
        self._on_session(self.stored())
