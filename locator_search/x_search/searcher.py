"""`XSearch`: sessions of X search, begun, carried out, followed and shown.

x = open_locator().x_search
session = x.start("インボイス制度の反応")
session = x.work(session.session_id)
for found in x.posts(session.session_id):
    print(found.final_score, found.post.text)
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from locator_search.core.errors import ConfigurationError, KeyRefused, LeaseLost, LocatorError, ModelError, UnknownModel
from locator_search.core.model_results import failure_of
from locator_search.llm.question_models import QuestionChatModel
from locator_search.locales import Language
from locator_search.locales.model_failures import failure_reason
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import QueryState, Session, SessionRequest
from locator_search.x_search.budget import Estimate, estimate, page_size
from locator_search.x_search.claimed import ClaimedSession, OnSession, Parts
from locator_search.x_search.failures import why_failed
from locator_search.x_search.messages import Sentences
from locator_search.x_search.rechecking import Recheck, Rechecked, rechecked
from locator_search.x_search.worker import Paused, SessionWorker

if TYPE_CHECKING:
    from locator_search.config.settings import Settings
    from locator_search.ports import ChatModel, Clock, Embedder
    from locator_search.ports.x.known_posts import KnownPosts
    from locator_search.ports.x.meter import SpendMeter
    from locator_search.ports.x.posts import PostSearch
    from locator_search.ports.x.rerankers import Reranker
    from locator_search.ports.x.sessions import SessionStore
    from locator_search.ports.x.work import OpenWork, SessionEvents, SessionWork


NOBODY = ""
"""The owner of sessions where nobody signs in."""
LONGEST_QUESTION = 1_000
LONGEST_MODEL_NAME = 64
LOOKS_EVERY_SECONDS = 1.0
"""A follower of a session looks at it so often, also without a notification."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, kw_only=True)
class XSearch:
    """The X search over one database. Holds no state of its own: every session is in its tables."""

    post_search: PostSearch
    models: tuple[str, ...]
    chat_model: Callable[[str], ChatModel]
    reranker: Callable[[str], Reranker]
    embedder: Embedder
    store: SessionStore
    events: SessionEvents
    meter: SpendMeter
    known_posts: KnownPosts
    open_work: OpenWork
    clock: Clock
    settings: Settings
    stand_in: ChatModel | None = None

    @property
    def usual_budget(self) -> float:
        """US dollars for posts of one session, where nobody says otherwise."""
        return self.settings.x_session_budget_usd

    @property
    def monthly_cap(self) -> float:
        """US dollars for posts of all sessions of a month."""
        return self.settings.x_monthly_cap_usd

    def estimate(self, budget: float | None = None) -> Estimate:
        """The most that a session will cost. Asks nobody."""
        left = max(0.0, self.monthly_cap - self.meter.this_month())
        return estimate(min(self.usual_budget if budget is None else budget, left), self.post_search.prices)

    def start(
        self,
        question: str,
        *,
        budget: float | None = None,
        model: str | None = None,
        language: Language | None = None,
        message_id: str | None = None,
        owner: str = NOBODY,
    ) -> Session:
        """A new session; nothing is bought before `work`. The same message again is the same session.

        Raises ConfigurationError for a blank or over-long question, an unknown model or a budget that is none.
        """
        language = language or self.settings.locator_language
        say = Sentences.of(language)
        asked = " ".join(question.replace("\0", "").split())
        budget = self.usual_budget if budget is None else budget
        model = model or self.models[0]
        if not asked:
            raise ConfigurationError(say.blank_question)
        if len(asked) > LONGEST_QUESTION:
            raise ConfigurationError(say.long_question.format(limit=LONGEST_QUESTION))
        if not 0 < budget < float("inf"):
            raise ConfigurationError(say.budget_below_zero)
        if len(model) > LONGEST_MODEL_NAME:
            raise ConfigurationError(say.long_model_name.format(limit=LONGEST_MODEL_NAME, model=model))
        if model not in self.models:
            raise ConfigurationError(say.unknown_model.format(model=model, models=", ".join(self.models)))
        self.store.sweep()
        request = SessionRequest(
            question=asked,
            model_id=model,
            budget_usd=budget,
            page_size=page_size(budget, self.post_search.prices),
            language=language,
            source=self.post_search.source,
            message_id=message_id or secrets.token_urlsafe(12),
            owner=owner,
        )
        return self.store.create(request, self.settings.x_session_hours)

    def work(
        self,
        session_id: str,
        *,
        on_session: OnSession = lambda _session: None,
        wait: bool = True,
        owner: str | None = None,
    ) -> Session:
        """Carry a session out to its end; while another worker has it, follow that one, and take over should it die.

        `wait` says whether a pause X asks for is waited out; if not, the session comes back paused. Raises AccessDenied
        for no such session, ConfigurationError when it belongs to another source of posts, and what made it fail.
        """
        session = self.store.get(session_id, owner)
        followed = paused = False
        while session.status != "done" and not paused and not (followed and _was_given_up(session)):
            work = self.open_work(session_id)
            if work.claim():
                session = self.store.get(session_id, owner)  # as whoever had it before has left it
                try:
                    self._carry_out(session, work, on_session, wait=wait)
                except Paused:
                    paused = True
                except LeaseLost:
                    pass  # somebody else goes on; follow them
                finally:
                    work.release()
            else:
                followed = True
                self.events.wait(session_id, LOOKS_EVERY_SECONDS)
            session = self.store.get(session_id, owner)
            on_session(session)
        return session

    def _carry_out(self, session: Session, work: SessionWork, on_session: OnSession, *, wait: bool) -> None:
        say = Sentences.of(session.language)
        if session.source != self.post_search.source:
            raise ConfigurationError(say.other_source[session.source])
        try:
            SessionWorker(ClaimedSession(self._parts(session), session, work, on_session), wait=wait).run()
        except (Paused, LeaseLost):
            raise
        except (ModelError, KeyRefused, UnknownModel) as error:
            logger.warning("Session %s of X search stopped: %s", session.session_id, error.message)
            reason = failure_reason(failure_of(error, session.model_id), session.language)
            stopped = type(error)(say.model_failed.format(reason=reason))
            work.fail(stopped.message)
            raise stopped from None
        except LocatorError as error:
            logger.warning("Session %s of X search stopped: %s", session.session_id, error.message)
            reason = say.stopped.format(reason=why_failed(error, "X", say))
            work.fail(reason)
            raise type(error)(reason) from error
        except BaseException:  # Ctrl-C, or a fault of the program: the session stands where it stood
            work.pause(say.interrupted)
            raise

    def _parts(self, session: Session) -> Parts:
        return Parts(
            posts=self.post_search,
            chat_model=QuestionChatModel(self.chat_model(session.model_id), self.stand_in),
            reranker=self.reranker(session.model_id),
            embedder=self.embedder,
            store=self.store,
            events=self.events,
            meter=self.meter,
            clock=self.clock,
            step_seconds=self.settings.locator_live_seconds,
            monthly_cap=self.monthly_cap,
            zone=ZoneInfo(self.settings.locator_time_zone),
        )

    # Whether posts are still there

    def to_recheck(self, session_id: str | None = None, owner: str | None = None) -> Recheck:
        """The posts of a session, or of all, that X returned last before today, and what asking for them costs."""
        if session_id is not None:
            self.store.get(session_id, owner)
        post_ids = self.known_posts.due(self.post_search.source, session_id, owner)
        return Recheck(tuple(post_ids), self.post_search.prices.of(self.known_posts.unpaid(post_ids)))

    def recheck(self, recheck: Recheck, budget: float | None = None) -> Rechecked:
        """Ask X for the posts again, the best first, within a budget and the monthly cap; what is gone goes.

        Raises what X refuses; a rate limit or a limit of money ends it with what was done.
        """
        budget = self.usual_budget if budget is None else budget
        if not 0 < budget < float("inf"):
            raise ConfigurationError(Sentences.of(self.settings.locator_language).budget_below_zero)
        return rechecked(recheck, self.post_search, self.known_posts, budget, self.monthly_cap, self.clock)

    # What is known of sessions

    def get(self, session_id: str, owner: str | None = None) -> Session:
        """A session. Raises AccessDenied when there is none of that owner."""
        return self.store.get(session_id, owner)

    def latest(self, owner: str = NOBODY, limit: int = 20) -> list[Session]:
        """The newest sessions of an owner; what has expired goes first."""
        self.store.sweep()
        return self.store.latest(owner, limit)

    def abandoned(self) -> list[tuple[str, int]]:
        """Ids and progress in percent of the sessions whose worker died and that can be taken up here."""
        return self.store.abandoned(self.post_search.source)

    def queries(self, session_id: str) -> list[QueryState]:
        """The queries of a session."""
        return self.store.queries(session_id)

    def posts(self, session_id: str) -> list[FoundPost]:
        """The posts of a session so far, best first."""
        return self.store.posts(session_id)

    def forget(self, session_id: str | None = None, owner: str | None = NOBODY) -> int:
        """Delete one session of an owner (of anybody for None), or all of them, with their posts; how many went."""
        return self.store.forget(session_id, owner)


def _was_given_up(session: Session) -> bool:
    """Whether its worker ended on purpose: it failed, or a person stopped it."""
    stopped = session.status == "paused" and session.resume_after is None
    return not session.worked_on and (session.status == "failed" or stopped)
