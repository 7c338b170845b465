"""`LiveSearch`: performs what the flow asks for, through the services, a language model and, where wanted, the index.

search = open_locator().live.search()
outcome = search.start("Project Alpha の設計ドキュメントはどこ？").advance()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

from locator_search.core.deadline import deadline, share_of_deadline
from locator_search.core.errors import LocatorError
from locator_search.core.flow import Effect, Handlers, Run, drive
from locator_search.core.model_results import TOGETHER, ModelResult
from locator_search.live_search import prompts
from locator_search.live_search.choosing import INDEX_LOOKED_AT, MOST_OF_A_SERVICE
from locator_search.live_search.effects import (
    DraftQueries,
    DraftQuery,
    FetchBodies,
    Found,
    LookAtServices,
    SearchServices,
    WriteAnswer,
)
from locator_search.live_search.flow import LIVE_SEARCH
from locator_search.live_search.inputs import LiveInputs, checked_question
from locator_search.live_search.messages import Language, sentences
from locator_search.live_search.outcome import LiveOutcome
from locator_search.llm.question_models import QuestionChatModel
from locator_search.model import Evidence, FetchReply, SearchReply, Service, ServiceQuery
from locator_search.ports import ChatModel, Clock
from locator_search.ports.services import ServiceGateway

USUAL_SECONDS = 60.0
SHARE_OF_SERVICES = 1 / 2
"""Of the seconds that are left: for starting them, for a search, and for reading what it found."""
SHARE_OF_THE_ANSWER = 0.9
"""Nothing comes after it but its stand-in, which needs no time."""


class IndexLookup(Protocol):
    """What our own index holds on a question."""

    def search(self, question: str, most: int) -> ModelResult[list[Evidence]]:
        """At most `most` files, best first, those that may be shown, and who embedded the question.

        Raises LocatorError.
        """
        ...


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """What happens now, in the language of the question. `row` names the service it is about, "" the search itself."""

    row: str
    line: str
    state: Literal["working", "done", "failed"] = "working"


OnStep = Callable[[ProgressStep], None]


class LiveSearch:
    """The live search over one gateway. Holds no state of its own: every search is a `LiveRun`.

    `stand_in` answers where the chat model cannot; a question ends within `seconds`.
    """

    def __init__(
        self,
        gateway: ServiceGateway,
        chat_model: ChatModel,
        clock: Clock,
        language: Language,
        time_zone: str,
        index: IndexLookup | None = None,
        stand_in: ChatModel | None = None,
        seconds: float = USUAL_SECONDS,
    ) -> None:
        self.gateway = gateway
        self.chat_model = chat_model
        self.stand_in = stand_in
        self.seconds = seconds
        self.clock = clock
        self.language = language
        self.time_zone = ZoneInfo(time_zone)
        self.index = index

    def start(
        self, question: str, *, language: Language | None = None, queries: Sequence[ServiceQuery] = ()
    ) -> LiveRun:
        """A new search; nothing is performed before `advance`. With `queries`, these are put and no others.

        Raises ConfigurationError for an empty or over-long question.
        """
        language = language or self.language
        now: datetime = self.clock.now()
        inputs = LiveInputs(
            question=checked_question(question, language),
            today=now.astimezone(self.time_zone).date(),
            language=language,
            with_index=self.index is not None,
            queries=tuple(queries),
        )
        return LiveRun(self, Run(LIVE_SEARCH, inputs))


class LiveRun:
    """One search in progress. It keeps what was read until it is dropped, and nothing of it is stored."""

    def __init__(self, search: LiveSearch, run: Run[LiveInputs, LiveOutcome]) -> None:
        self._search = search
        self._run = run

    @property
    def run(self) -> Run[LiveInputs, LiveOutcome]:
        """The flow in progress, with everything that was read."""
        return self._run

    @property
    def outcome(self) -> LiveOutcome | None:
        """What it came to; None before it has ended."""
        outcome = self._run.outcome
        answered: list[ModelResult[Any]] = [*self._run.results(DraftQueries), *self._run.results(WriteAnswer)]
        names = dict.fromkeys(result.model for result in answered if result.model)
        models = {"chat": TOGETHER.join(names) or self._search.chat_model.model_name}
        return outcome and replace(outcome, usage=self._run.usage, models=models)

    def advance(self, on_step: OnStep | None = None) -> LiveOutcome:
        """Run to the end, telling each step. What has not come in time is left out and named.

        A KeyboardInterrupt ends this question and leaves the services running.
        """
        steps = _Steps(self._search, self._run.inputs.language, on_step or _nobody)
        with deadline(self._search.seconds):
            drive(self._run, steps.handlers(), announce=steps.announce)
        outcome = self.outcome
        if outcome is None:
            raise RuntimeError("the flow ended without an outcome")
        return outcome


def _nobody(_step: ProgressStep) -> None:
    """Nobody watches."""


class _Steps:
    """Performs the effects of one run and tells of each service as it answers."""

    def __init__(self, search: LiveSearch, language: Language, tell: OnStep) -> None:
        self._search = search
        self._chat_model = QuestionChatModel(search.chat_model, search.stand_in)
        self._language = language
        self._say = sentences(language)
        self._tell = tell
        self._labels: dict[str, str] = {}

    def handlers(self) -> Handlers:
        return {
            LookAtServices: self._look,
            DraftQueries: self._draft,
            SearchServices: self._search_all,
            FetchBodies: self._fetch_all,
            WriteAnswer: self._write,
        }

    def announce(self, effect: Effect[Any]) -> None:
        lines = {
            LookAtServices: self._say.connecting,
            DraftQueries: self._say.drafting,
            WriteAnswer: self._say.writing,
        }
        if type(effect) in lines:
            self._tell(ProgressStep("", lines[type(effect)]))

    def _look(self, _effect: LookAtServices) -> tuple[Service, ...]:
        with share_of_deadline(SHARE_OF_SERVICES):
            services = self._search.gateway.services()
        self._labels = {service.name: service.label for service in services}
        for service in services:
            if service.failure is not None:
                reason = self._say.reasons[service.failure.reason]
                line = self._say.no_answer.format(label=service.label, reason=reason)
                self._tell(ProgressStep(service.name, line, "failed"))
        return services

    def _draft(self, effect: DraftQueries) -> ModelResult[tuple[DraftQuery, ...] | None]:
        result = self._chat_model.ask(prompts.queries_prompt(effect, self._language))
        if result.value is None:
            return ModelResult(None, result.model, result.failure)
        drafted = [(target.name, getattr(result.value, target.name)) for target in effect.targets]
        drafts = tuple(DraftQuery(name, one.query, tuple(one.alternatives)) for name, one in drafted)
        return ModelResult(drafts, result.model, result.failure)

    def _search_all(self, effect: SearchServices) -> Found:
        """All services at once, and the index beside them in a thread of its own."""
        if self._search.index is None or not effect.with_index:
            return Found(self._ask_services(effect.queries))
        with ThreadPoolExecutor(1) as beside:
            look = self._search.index.search
            looking = beside.submit(copy_context().run, look, effect.question, INDEX_LOOKED_AT)
            replies = self._ask_services(effect.queries)
        try:
            looked = looking.result()
            return Found(replies, tuple(looked.value), without_embeddings=looked.failure)
        except LocatorError as error:
            return Found(replies, index_failure=error.message)

    def _ask_services(self, queries: Sequence[ServiceQuery]) -> tuple[SearchReply, ...]:
        waiting = Counter(query.service for query in queries)
        replies: dict[str, list[SearchReply]] = {service: [] for service in waiting}
        for service in waiting:
            self._tell(ProgressStep(service, self._say.searching.format(label=self._labels[service])))

        def arrived(reply: SearchReply) -> None:
            service = reply.query.service
            replies[service].append(reply)
            if len(replies[service]) == waiting[service]:
                self._tell(self._searched(service, replies[service]))

        if not queries:
            return ()
        with share_of_deadline(SHARE_OF_SERVICES):
            return tuple(self._search.gateway.search(queries, MOST_OF_A_SERVICE, arrived))

    def _searched(self, service: str, replies: Sequence[SearchReply]) -> ProgressStep:
        label, answered = self._labels[service], [reply for reply in replies if reply.failure is None]
        if not answered:
            reason = next(self._say.reasons[reply.failure.reason] for reply in replies if reply.failure)
            return ProgressStep(service, self._say.no_answer.format(label=label, reason=reason), "failed")
        count = sum(len(reply.hits) for reply in answered)
        seconds = max(reply.seconds for reply in replies)
        return ProgressStep(service, self._say.found.format(label=label, count=count, seconds=seconds), "done")

    def _fetch_all(self, effect: FetchBodies) -> tuple[FetchReply, ...]:
        waiting = Counter(hit.service for hit in effect.hits)
        replies: dict[str, list[FetchReply]] = {service: [] for service in waiting}
        for service in waiting:
            self._tell(ProgressStep(service, self._say.reading.format(label=self._labels[service])))

        def arrived(reply: FetchReply) -> None:
            service = reply.hit.service
            replies[service].append(reply)
            if len(replies[service]) == waiting[service]:
                count = sum(reply.failure is None for reply in replies[service])
                line = self._say.read if count else self._say.not_read
                state: Literal["done", "failed"] = "done" if count else "failed"
                self._tell(ProgressStep(service, line.format(label=self._labels[service], count=count), state))

        with share_of_deadline(SHARE_OF_SERVICES):
            return tuple(self._search.gateway.fetch(effect.hits, arrived))

    def _write(self, effect: WriteAnswer) -> ModelResult[str | None]:
        result = self._chat_model.ask(prompts.answer_prompt(effect, self._language), SHARE_OF_THE_ANSWER)
        written = result.value.answer if result.value is not None else None
        return ModelResult(written, result.model, result.failure)
