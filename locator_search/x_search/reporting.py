"""Where a session is: kept in its row, told to tabs as events, and to whoever carries it out."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from locator_search.ports.x.sessions import Phase
from locator_search.ports.x.work import SessionEvent
from locator_search.x_search.batcher import Batcher
from locator_search.x_search.phases import total_progress

if TYPE_CHECKING:
    from locator_search.ports.x.sessions import Session
    from locator_search.ports.x.work import SessionWork
    from locator_search.x_search.work_parts import OnSession, Parts


class Reporter:
    """Progress that never goes back. A context manager; leaving it hands on the events that wait."""

    def __init__(self, parts: Parts, session: Session, work: SessionWork, on_session: OnSession) -> None:
        self.progress = session.progress
        self._parts = parts
        self._session_id = session.session_id
        self._work = work
        self._on_session = on_session
        self._phase: Phase = session.phase
        self._since = parts.clock.now()
        self._events = Batcher[SessionEvent](lambda batch: parts.events.append(self._session_id, batch))

    def __enter__(self) -> Self:
        self._events.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._events.__exit__(kind, error, trace)

    def enter(self, phase: Phase) -> None:
        """A phase begins."""
        self._phase = phase
        self.come_to(0.0)
        self.flush()
        self._work.enter(phase, self.progress)

    def come_to(self, share: float) -> None:
        """So much of the phase is done."""
        self.progress = max(self.progress, total_progress(self._phase, share))

    def announce(self, post_ids: tuple[str, ...]) -> None:
        """Something has become of these posts."""
        self._events.add(SessionEvent("progress", self._phase, self.progress, post_ids))

    def flush(self) -> None:
        """Hand on the events that wait."""
        self._events.flush()

    def write_down(self, model_cost: float) -> None:
        """Progress, the seconds since the last time, and what models cost since."""
        now = self._parts.clock.now()
        seconds, self._since = (now - self._since).total_seconds(), now
        self._work.advance(self.progress, self._phase, seconds, model_cost)
        self.tell()

    def forget_the_time(self) -> None:
        """What has passed was no work."""
        self._since = self._parts.clock.now()

    def tell(self) -> None:
        """The session as it stands, to whoever carries it out."""
        self._on_session(self._parts.store.get(self._session_id, None))
