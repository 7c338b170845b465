"""`LiveSearch`: questions over live services, a language model and, where wanted, the index.

search = open_locator().live.search()
outcome = search.ask("Project Alpha の設計ドキュメントはどこ？")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from zoneinfo import ZoneInfo

from locator_search.core.clock import deadline
from locator_search.core.usage import metered
from locator_search.live_search.outcome import LiveOutcome
from locator_search.live_search.progress import OnStep, Progress
from locator_search.live_search.queries import checked_question
from locator_search.live_search.question import IndexLookup, LiveQuestion
from locator_search.llm.question_models import QuestionChatModel
from locator_search.locales import Language
from locator_search.model import ServiceQuery
from locator_search.ports import ChatModel, Clock
from locator_search.ports.search import AuditLog
from locator_search.ports.services import ServiceGateway

USUAL_SECONDS = 60.0


@dataclass(frozen=True, eq=False)
class LiveSearch:
    """The live search over one gateway. Keeps nothing of a question.

    `stand_in` answers where the chat model cannot; a question ends within `seconds`. With `audit`, each is noted there
    first, as asked on a `surface`.
    """

    gateway: ServiceGateway
    chat_model: ChatModel
    clock: Clock
    language: Language
    time_zone: str
    index: IndexLookup | None = None
    stand_in: ChatModel | None = None
    seconds: float = USUAL_SECONDS
    audit: AuditLog | None = None
    surface: str = "library"

    def ask(
        self,
        question: str,
        *,
        language: Language | None = None,
        queries: Sequence[ServiceQuery] = (),
        on_step: OnStep | None = None,
    ) -> LiveOutcome:
        """The outcome of one question; each step is told. What has not come in time is left out and named.

        With `queries`, these are put and no others. A KeyboardInterrupt ends this question and leaves the services
        running. Raises ConfigurationError for an empty or over-long question.
        """
        asked = self._question(question, language, on_step)
        return self._within_its_deadline(lambda: asked.answer(queries))

    def follow(
        self,
        outcome: LiveOutcome,
        question: str,
        *,
        language: Language | None = None,
        on_step: OnStep | None = None,
    ) -> LiveOutcome:
        """A question over the evidence of an outcome, which is read anew, as nothing of it was kept. Nothing else is
        searched for; the evidence keeps its numbers. Raises ConfigurationError for an empty or over-long question."""
        asked = self._question(question, language, on_step)
        earlier = {"question": outcome.question, "answer": outcome.answer}
        return self._within_its_deadline(lambda: asked.follow(outcome.hits, earlier))

    def _question(self, question: str, language: Language | None, on_step: OnStep | None) -> LiveQuestion:
        language = language or self.language
        question = checked_question(question, language)
        if self.audit is not None:
            self.audit.asked(question, self.surface)
        return LiveQuestion(
            question,
            today=self.clock.now().astimezone(ZoneInfo(self.time_zone)).date(),
            language=language,
            gateway=self.gateway,
            chat_model=QuestionChatModel(self.chat_model, self.stand_in),
            index=self.index,
            progress=Progress(language, on_step),
        )

    def _within_its_deadline(self, answer: Callable[[], LiveOutcome]) -> LiveOutcome:
        began = monotonic()
        with deadline(self.seconds), metered() as meter:
            outcome = answer()
        models = outcome.models or {"chat": self.chat_model.model_name}
        return replace(outcome, usage=meter.total, models=models, seconds=monotonic() - began)
