"""Carries one session out: performs what the flow asks for, and writes every result down before the next step."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from typing import TYPE_CHECKING

from locator_search.errors import (
    CursorExpired,
    LeaseLost,
    LocatorError,
    ModelError,
    QueryRefused,
    QuotaUsedUp,
    RateLimited,
    StoreError,
)
from locator_search.flow import Handlers, Run, drive
from locator_search.ports.x_search import LEASE_SECONDS, AnswerSentence, Phase, PostPage, QueryState, SessionEvent
from locator_search.retrieval.calibration import shipped_calibration
from locator_search.retry import with_retries
from locator_search.x_search import effects, prompts
from locator_search.x_search.answering import grounded, to_read
from locator_search.x_search.batcher import Batcher
from locator_search.x_search.budget import is_last_page, pages_left, searching_share
from locator_search.x_search.effects import Searching
from locator_search.x_search.folding import near_copies, without_links_and_handles
from locator_search.x_search.messages import sentences
from locator_search.x_search.phases import total_progress
from locator_search.x_search.scoring import scored, to_rerank
from locator_search.x_search.x_flow import X_SEARCH, XSearchInputs

if TYPE_CHECKING:
    from locator_search.model import Vector
    from locator_search.ports import ChatModel, Clock, Embedder
    from locator_search.ports.x_search import (
        PostSearch,
        Reranker,
        Session,
        SessionEvents,
        SessionStore,
        SessionWork,
        SpendMeter,
    )

EMBEDDED_AT_ONCE = 96
"""Posts of one request and one transaction."""
RENEWED_EVERY = LEASE_SECONDS / 3
USUAL_PAUSE = 900.0
"""Seconds; X counts in windows of fifteen minutes."""
MOST_PAUSES = 8
"""Of one worker; then the session stays paused."""

OnSession = Callable[["Session"], None]
"""Receives the session whenever it has changed."""


class Paused(LocatorError):  # noqa: N818 - a state of the session
    """X asked for a pause that this worker does not wait out."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a worker works with. `chat_model` and `reranker` are those of the session's model."""

    posts: PostSearch
    chat_model: ChatModel
    reranker: Reranker
    embedder: Embedder
    store: SessionStore
    events: SessionEvents
    meter: SpendMeter
    clock: Clock
    monthly_cap: float
    zone: tzinfo


class SessionWorker:
    """One worker on one session it has claimed."""

    def __init__(self, parts: Parts, session: Session, work: SessionWork, on_session: OnSession, *, wait: bool) -> None:
        self._parts = parts
        self._session = session
        self._work = work
        self._on_session = on_session
        self._wait = wait
        self._say = sentences(session.language)
        self._phase: Phase = session.phase
        self._progress = session.progress
        self._pauses = 0
        self._since = parts.clock.now()
        self._question: Vector | None = None

    def run(self) -> None:
        """To the end of the session. Raises LocatorError when it fails, Paused for a pause that nobody waits out."""
        inputs = XSearchInputs(self._session.question, self._session.page_size)
        append = self._parts.events.append
        with self._heartbeat(), Batcher[SessionEvent](lambda batch: append(self._session.session_id, batch)) as events:
            self._events = events
            self._wait_out_an_earlier_pause()
            self._work.resume()
            run = Run(X_SEARCH, inputs)
            reported = 0.0

            def report(_log: str) -> None:
                nonlocal reported
                self._report(run.usage.cost_usd - reported)
                reported = run.usage.cost_usd

            drive(run, self._handlers(), checkpoint=report)

    def _handlers(self) -> Handlers:
        return {
            effects.Enter: self._enter,
            effects.LookAtQueries: self._look_at_queries,
            effects.WriteQueries: self._write_queries,
            effects.KeepQueries: self._keep_queries,
            effects.FetchPage: self._fetch_page,
            effects.CloseQueries: self._close_queries,
            effects.EmbedPosts: self._embed_posts,
            effects.RankPosts: self._rank_posts,
            effects.RerankPosts: self._rerank_posts,
            effects.SaveScores: self._save_scores,
            effects.WriteAnswer: self._write_answer,
        }

    # Queries

    def _enter(self, effect: effects.Enter) -> None:
        self._phase = effect.phase
        self._raise_progress(0.0)
        self._events.flush()
        self._work.enter(effect.phase, self._progress)

    def _look_at_queries(self, _effect: effects.LookAtQueries) -> Searching:
        return self._searching()

    def _write_queries(self, effect: effects.WriteQueries) -> tuple[str, ...]:
        today = self._parts.clock.now().date()
        prompt = prompts.queries_prompt(effect.question, today, effect.problem, self._session.language)
        return tuple(self._parts.chat_model.answer(prompt).queries)

    def _keep_queries(self, effect: effects.KeepQueries) -> Searching:
        self._work.save_queries(effect.queries)
        return self._searching()

    # Searching

    def _fetch_page(self, effect: effects.FetchPage) -> Searching:
        wanted = effect.wanted
        query = self._query(wanted.ordinal)
        if not self._work.reserve(self._parts.posts.prices.of(wanted.limit), self._parts.monthly_cap):
            return replace(self._searching(), affordable=0)
        try:
            page = self._asked(query, wanted.limit)
        except QueryRefused as error:
            self._work.end_query(query.ordinal, "failed", error.message)
            self._work.warn(self._say.query_refused.format(ordinal=query.ordinal, message=error.message))
        except CursorExpired as error:
            self._lost_its_place(query, error)
        except QuotaUsedUp as error:
            self._work.warn(self._say.credits_used.format(message=error.message))
            return replace(self._searching(), affordable=0)
        else:
            self._commit(query, wanted.number, page)
        return self._searching()

    def _asked(self, query: QueryState, limit: int) -> PostPage:
        def once() -> PostPage | RateLimited:
            try:
                return self._parts.posts.search(query.text, limit, query.next_token)
            except RateLimited as error:  # not worth a retry before the reset, which may be a quarter of an hour away
                return error

        while isinstance(answer := with_retries(once, self._parts.clock), RateLimited):
            self._pause(USUAL_PAUSE if answer.retry_after is None else answer.retry_after)
        return answer

    def _lost_its_place(self, query: QueryState, error: CursorExpired) -> None:
        """Once, a query begins anew: its posts are known and, within the day, free."""
        if query.restarted:
            self._work.end_query(query.ordinal, "done", error.message)
        else:
            self._work.restart_query(query.ordinal)

    def _commit(self, query: QueryState, number: int, page: PostPage) -> None:
        if is_last_page(number, self._session.page_size):
            page = replace(page, next_token=None)
        after = [
            replace(one, pages=number, status="pending" if page.next_token else "done") if one == query else one
            for one in self._parts.store.queries(self._session.session_id)
        ]
        self._raise_progress(searching_share(after, self._session.page_size, self._affordable(after)))
        self._work.commit_page(query.ordinal, number, page, self._parts.posts.prices, self._progress)

    def _close_queries(self, _effect: effects.CloseQueries) -> None:
        queries = self._queries()
        cut_short = [query for query in queries if query.status == "pending"]
        why, warning = self._say.budget_of_query, self._say.budget_used
        if not self._pages_left(queries):
            why, warning = self._say.requests_of_query, self._say.requests_used
        for query in cut_short:
            self._work.end_query(query.ordinal, "done" if query.pages else "skipped", why)
        if cut_short:
            self._work.warn(warning.format(budget=f"{self._session.budget_usd:.2f}", skipped=len(cut_short)))

    def _searching(self) -> Searching:
        queries = self._queries()
        return Searching(tuple(queries), self._affordable(queries))

    def _queries(self) -> list[QueryState]:
        return self._parts.store.queries(self._session.session_id)

    def _query(self, ordinal: int) -> QueryState:
        return next(query for query in self._queries() if query.ordinal == ordinal)

    def _affordable(self, queries: Sequence[QueryState]) -> int:
        """How many posts can still be asked for: what the money buys, within the requests of a session."""
        meter = self._parts.meter
        of_session = self._session.budget_usd - meter.of_session(self._session.session_id)
        left = max(0.0, min(of_session, self._parts.monthly_cap - meter.this_month()))
        return min(self._parts.posts.prices.affordable(left), self._pages_left(queries) * self._session.page_size)

    def _pages_left(self, queries: Sequence[QueryState]) -> int:
        session = self._session
        return pages_left(queries, session.page_size, session.budget_usd, self._parts.posts.prices)

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
        self._report(0.0)
        self._work.pause(reason, seconds)
        self._tell()
        if not self._wait or self._pauses > MOST_PAUSES:
            raise Paused(reason)
        while (left := (until - self._parts.clock.now()).total_seconds()) > 0:
            self._work.renew()
            self._parts.clock.sleep(min(left, RENEWED_EVERY))
        self._since = self._parts.clock.now()
        self._work.resume()
        self._tell()

    # Scores

    def _embed_posts(self, _effect: effects.EmbedPosts) -> int:
        embedder = self._parts.embedder
        texts = self._work.without_embedding(embedder.model_name, EMBEDDED_AT_ONCE)
        if not texts:
            return 0
        vectors = embedder.embed([_said(text) for text in texts.values()], "document")
        self._work.save_embeddings(embedder.model_name, dict(zip(texts, vectors, strict=True)))
        posts = self._parts.store.get(self._session.session_id, None).posts
        left = self._work.count_without_embedding(embedder.model_name)
        self._raise_progress(1 - left / max(posts, 1))
        self._announce(tuple(texts))
        return len(texts)

    def _rank_posts(self, effect: effects.RankPosts) -> int:
        question = self._parts.embedder.embed([effect.question], "query")[0]
        calibration = shipped_calibration(self._parts.embedder.model_name)
        similar = {post_id: calibration.similarity(raw) for post_id, raw in self._work.cosines(question).items()}
        texts = {one.post.post_id: one.post.text for one in self._parts.store.posts(self._session.session_id)}
        best_first = sorted(texts, key=lambda post_id: (-similar.get(post_id, 0.0), post_id))
        self._work.save_ranking(similar, near_copies({post_id: texts[post_id] for post_id in best_first}))
        self._raise_progress(1.0)
        self._announce(tuple(best_first))
        return len(texts)

    def _rerank_posts(self, effect: effects.RerankPosts) -> None:
        """Once per session: what an earlier worker has scored stays, so that one list has scores of one reranker."""
        if self._parts.store.get(self._session.session_id, None).reranker:
            return
        found = to_rerank(self._parts.store.posts(self._session.session_id))
        reranker, warning = self._parts.reranker, ""
        scores: Sequence[float] = ()
        try:
            scores = reranker.score(effect.question, [_said(one.post.text) for one in found])
        except StoreError:
            raise
        except LocatorError as error:
            warning = self._say.reranker_failed.format(message=error.message)
        by_id = {one.post.post_id: score for one, score in zip(found, scores, strict=False)}
        self._work.save_reranking(reranker.name if by_id else "-", by_id, warning)
        self._raise_progress(1.0)
        self._announce(tuple(by_id))

    def _save_scores(self, _effect: effects.SaveScores) -> None:
        self._work.save_scores(scored(self._parts.store.posts(self._session.session_id)))
        self._raise_progress(0.5)
        self._announce(())

    def _write_answer(self, effect: effects.WriteAnswer) -> None:
        read = to_read(self._parts.store.posts(self._session.session_id))
        answer: tuple[AnswerSentence, ...] = (AnswerSentence(self._say.nothing_found),)
        if read:
            try:
                prompt = prompts.answer_prompt(effect.question, read, self._session.language)
                answer = grounded(self._parts.chat_model.answer(prompt), read)
            except ModelError as error:
                answer = ()
                self._work.warn(self._say.model_silent.format(message=error.message))
        uncited = sum(not sentence.post_ids for sentence in answer) if read else 0
        if uncited:
            self._work.warn(self._say.uncited.format(count=uncited))
        self._raise_progress(1.0)
        self._events.flush()
        self._work.finish(answer)

    # Reports

    def _raise_progress(self, share: float) -> None:
        self._progress = max(self._progress, total_progress(self._phase, share))

    def _announce(self, post_ids: tuple[str, ...]) -> None:
        self._events.add(SessionEvent("progress", self._phase, self._progress, post_ids))

    def _report(self, model_cost: float) -> None:
        now = self._parts.clock.now()
        seconds, self._since = (now - self._since).total_seconds(), now
        self._work.advance(self._progress, self._phase, seconds, model_cost)
        self._tell()

    def _tell(self) -> None:
        self._on_session(self._parts.store.get(self._session.session_id, None))

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


def _said(text: str) -> str:
    return without_links_and_handles(text) or text
