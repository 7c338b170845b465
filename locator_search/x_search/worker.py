"""Carries one session out: read `SessionWorker.run` from top to bottom, it is the specification's six phases.

The tables of the session are its log. A step whose result they hold already does nothing, so a search that was killed
begins anew and repeats nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from locator_search.core.errors import LeaseLost, LocatorError, StoreError
from locator_search.locales.model_failures import without_chat_model
from locator_search.ports.x.work import LEASE_SECONDS
from locator_search.x_search import ranking
from locator_search.x_search.buying import PageBuyer
from locator_search.x_search.claimed import ClaimedSession
from locator_search.x_search.prompts import queries_prompt
from locator_search.x_search.queries import enough_queries

RENEWED_EVERY = LEASE_SECONDS / 3
MOST_PAUSES = 8
"""The most pauses of one worker; then the session stays paused."""


class Paused(LocatorError):  # noqa: N818 - a state of the session
    """X asked for a pause that this worker does not wait out."""


class SessionWorker:
    """One worker on one session it has claimed. `wait` says whether pauses X asks for are waited out."""

    def __init__(self, claimed: ClaimedSession, *, wait: bool) -> None:
        self._claimed = claimed
        self._parts = claimed.parts
        self._work = claimed.work
        self._wait = wait
        self._pauses = 0

    def run(self) -> None:
        """To the end of the session. Raises LocatorError when it fails, Paused for a pause that nobody waits out."""
        claimed = self._claimed
        with self._heartbeat(), claimed:
            self._wait_out_an_earlier_pause()
            self._work.resume()

            claimed.enter("query_generation")
            if not claimed.queries():
                self._work.save_queries(enough_queries(self._propose_queries))

            claimed.enter("searching")
            PageBuyer(claimed, self._pause).buy_pages()

            claimed.enter("embedding")
            ranking.embed_posts(claimed)

            claimed.enter("ranking")
            ranking.rank_posts(claimed)

            claimed.enter("reranking")
            ranking.rerank_posts(claimed)

            claimed.enter("saving")
            ranking.save_scores(claimed)
            ranking.write_answer(claimed)

    def _propose_queries(self, problem: str) -> list[str]:
        """The queries of the model; `problem` says what was wrong with those before."""
        session = self._claimed.session
        with self._claimed.step():
            prompt = queries_prompt(session.question, self._parts.clock.now().date(), problem, session.language)
            result = self._parts.chat_model.ask(prompt, ranking.WHOLE_STEP)
            if result.failure is not None:
                self._work.warn(without_chat_model(result.failure, session.language))
        return result.value.queries if result.value else []

    # Pauses

    def _wait_out_an_earlier_pause(self) -> None:
        until = self._claimed.session.resume_after
        left = (until - self._parts.clock.now()).total_seconds() if until else 0.0
        if left > 0:
            self._pause(left)

    def _pause(self, seconds: float) -> None:
        """Say so, then wait until X serves us again. Raises Paused where nobody waits."""
        self._pauses += 1
        until = self._parts.clock.now() + timedelta(seconds=seconds)
        reason = self._claimed.say.paused_until.format(until=f"{until.astimezone(self._parts.zone):%H:%M:%S %Z}")
        self._claimed.write_down()
        self._work.pause(reason, seconds)
        self._claimed.notify()
        if not self._wait or self._pauses > MOST_PAUSES:
            raise Paused(reason)
        while (left := (until - self._parts.clock.now()).total_seconds()) > 0:
            self._work.renew()
            self._parts.clock.sleep(min(left, RENEWED_EVERY))
        self._claimed.restart_timer()
        self._work.resume()
        self._claimed.notify()

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
