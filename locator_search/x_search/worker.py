"""Carries one session out: performs what the flow asks for, and writes every result down before the next step."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from locator_search.core.clock import deadline
from locator_search.core.errors import LeaseLost, LocatorError, StoreError
from locator_search.core.flow import Handlers, Run, drive
from locator_search.core.model_results import without_chat_model
from locator_search.ports.x.work import LEASE_SECONDS
from locator_search.x_search import effects, prompts
from locator_search.x_search.buying import PageBuyer
from locator_search.x_search.judging import WHOLE_STEP, PostJudge
from locator_search.x_search.messages import sentences
from locator_search.x_search.reporting import Reporter
from locator_search.x_search.x_flow import X_SEARCH, XSearchInputs

if TYPE_CHECKING:
    from locator_search.ports.x.sessions import Session
    from locator_search.ports.x.work import SessionWork
    from locator_search.x_search.work_parts import OnSession, Parts

RENEWED_EVERY = LEASE_SECONDS / 3
MOST_PAUSES = 8
"""Of one worker; then the session stays paused."""


class Paused(LocatorError):  # noqa: N818 - a state of the session
    """X asked for a pause that this worker does not wait out."""


class SessionWorker:
    """One worker on one session it has claimed."""

    def __init__(self, parts: Parts, session: Session, work: SessionWork, on_session: OnSession, *, wait: bool) -> None:
        self._parts = parts
        self._session = session
        self._work = work
        self._wait = wait
        self._reporter = Reporter(parts, session, work, on_session)
        self._say = sentences(session.language)
        self._pauses = 0

    def run(self) -> None:
        """To the end of the session. Raises LocatorError when it fails, Paused for a pause that nobody waits out."""
        inputs = XSearchInputs(self._session.question, self._session.page_size)
        with self._heartbeat(), self._reporter:
            self._wait_out_an_earlier_pause()
            self._work.resume()
            run = Run(X_SEARCH, inputs)
            reported = 0.0

            def report(_log: str) -> None:
                nonlocal reported
                self._reporter.write_down(run.usage.cost_usd - reported)
                reported = run.usage.cost_usd

            drive(run, self._handlers(), checkpoint=report)

    def _handlers(self) -> Handlers:
        buyer = PageBuyer(self._parts, self._session, self._work, self._reporter, self._pause)
        judge = PostJudge(self._parts, self._session, self._work, self._reporter)
        return {
            effects.Enter: self._enter,
            effects.LookAtQueries: buyer.look_at_queries,
            effects.WriteQueries: self._bounded(self._write_queries),
            effects.KeepQueries: buyer.keep_queries,
            effects.FetchPage: buyer.fetch_page,
            effects.CloseQueries: buyer.close_queries,
            effects.EmbedPosts: self._bounded(judge.embed_posts),
            effects.RankPosts: self._bounded(judge.rank_posts),
            effects.RerankPosts: self._bounded(judge.rerank_posts),
            effects.SaveScores: judge.save_scores,
            effects.WriteAnswer: self._bounded(judge.write_answer),
        }

    def _enter(self, effect: effects.Enter) -> None:
        self._reporter.enter(effect.phase)

    def _write_queries(self, effect: effects.WriteQueries) -> tuple[str, ...]:
        today = self._parts.clock.now().date()
        prompt = prompts.queries_prompt(effect.question, today, effect.problem, self._session.language)
        result = self._parts.chat_model.ask(prompt, WHOLE_STEP)
        if result.failure is not None:
            self._work.warn(without_chat_model(result.failure, self._session.language))
        return () if result.value is None else tuple(result.value.queries)

    def _bounded(self, step: Callable[[Any], object]) -> Callable[[Any], object]:
        """A step of a model, within its time."""

        def bounded(effect: Any) -> object:
            with deadline(self._parts.step_seconds):
                return step(effect)

        return bounded

    # Pauses

    def _wait_out_an_earlier_pause(self) -> None:
        until = self._session.resume_after
        left = (until - self._parts.clock.now()).total_seconds() if until else 0.0
        if left > 0:
            self._pause(left)

    def _pause(self, seconds: float) -> None:
        """Say so, then wait until X serves us again. Raises Paused where nobody waits."""
        self._pauses += 1
        until = self._parts.clock.now() + timedelta(seconds=seconds)
        reason = self._say.paused_until.format(until=f"{until.astimezone(self._parts.zone):%H:%M:%S}")
        self._reporter.write_down(0.0)
        self._work.pause(reason, seconds)
        self._reporter.tell()
        if not self._wait or self._pauses > MOST_PAUSES:
            raise Paused(reason)
        while (left := (until - self._parts.clock.now()).total_seconds()) > 0:
            self._work.renew()
            self._parts.clock.sleep(min(left, RENEWED_EVERY))
        self._reporter.forget_the_time()
        self._work.resume()
        self._reporter.tell()

    @contextmanager
    def _heartbeat(self) -> Iterator[None]:
        """Hold the session through steps that take longer than a lease. A lost lease stops the next write by itself."""
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(RENEWED_EVERY):
                try:
                    self._work.renew()
                except LeaseLost:
                    return
                except StoreError:
                    continue

        thread = threading.Thread(target=beat, name="x-search-heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
