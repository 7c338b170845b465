"""The summary of one file: remembered, written by the model, or an extract that stands in for it."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Semaphore

from locator_search.core.errors import BadModelOutput, LocatorError, ModelUnavailable
from locator_search.indexing.memo import MemoisedChatModel
from locator_search.indexing.model_outages import CircuitBreaker, after_refusal, is_about_one_file, unavailable
from locator_search.indexing.prompts import SUMMARY_VERSION, summary_prompt, why_implausible
from locator_search.llm.answers import SummaryAnswer
from locator_search.locales import Language
from locator_search.model import FileSummary, StandIn
from locator_search.ports import ChatModel, Clock, Prompt, Refusal
from locator_search.text.cutting import truncate_at_sentence

MOST_KEYWORDS = 5
LONGEST_KEYWORD = 100


@dataclass(frozen=True, slots=True)
class Summarised:
    """A summary, who wrote it, and under which key its answer is remembered.

    With `stand_in` it is an extract: `problem` says in a sentence why, and `stand_in` when the model is asked again.
    """

    summary: FileSummary
    model_name: str
    key: str
    remembered: bool = False
    problem: str = ""
    stand_in: StandIn | None = None


class Summariser:
    """Never costs a file: whatever the model does with it, there is a summary. Thread-safe."""

    def __init__(
        self,
        chat_model: MemoisedChatModel,
        stand_in: ChatModel,
        clock: Clock,
        *,
        request_slots: int = 5,
        max_length: int = 400,
        language: Language = "ja",
    ) -> None:
        self._chat_model = chat_model
        self._stand_in = stand_in
        self._clock = clock
        self._max_length = max_length
        self._language: Language = language
        # One more than there are slots: none is idle, also while other workers are between two batches, and what else
        # needs one does not wait long.
        self._at_once = Semaphore(request_slots + 1)
        self._breaker = CircuitBreaker(clock)

    @property
    def version(self) -> str:
        """Of the prompt and the model: changes when the same text would be summarised differently."""
        return f"summary-{SUMMARY_VERSION}/{self._max_length}/{self._language}"

    @property
    def model_name(self) -> str:
        """Of the model that is asked."""
        return self._chat_model.model_name

    @property
    def is_out(self) -> bool:
        """Whether the model is not asked at present, because it kept failing."""
        return self._breaker.is_open

    def question(self, text: str) -> Prompt[SummaryAnswer] | None:
        """The question that is open; None where the model has answered, or refused and is not asked again yet."""
        prompt = self._prompt(text)
        return prompt if self._recall(prompt, text) is None else None

    def summarise(self, text: str, *, attempts: int = 0, again: bool = False) -> Summarised:
        """The summary of a text. `attempts`: vain ones so far; `again`: a refused question is asked before its time.

        Raises BudgetExhausted, ConfigurationError and StoreError: those are about every file.
        """
        prompt = self._prompt(text)
        remembered = self._recall(prompt, text)
        if isinstance(remembered, SummaryAnswer):
            return self._written(prompt, remembered, remembered=True)
        if remembered is not None and not again:
            return self._refused(prompt, remembered)
        try:
            with self._at_once:
                answer = self._breaker.ask(lambda: self._asked(prompt, text))
        except ModelUnavailable as error:
            return self._extracted(prompt, error.message, unavailable(attempts, self._clock.now()))
        except (LocatorError, UnicodeError) as error:
            if isinstance(error, LocatorError) and not is_about_one_file(error):
                raise
            return self._refused(prompt, self._refuse(prompt, error))
        return self._written(prompt, answer)

    def _prompt(self, text: str) -> Prompt[SummaryAnswer]:
        return summary_prompt(text, self._max_length, self._language)

    def _recall(self, prompt: Prompt[SummaryAnswer], text: str) -> SummaryAnswer | Refusal | None:
        """A usable answer or a refusal that stands; None where the model is to be asked."""
        remembered = self._chat_model.recall(prompt)
        if isinstance(remembered, Refusal):
            is_over = remembered.next_try_at is not None and remembered.next_try_at <= self._clock.now()
            return None if is_over else remembered
        return None if remembered is None or why_implausible(remembered.summary, text) else remembered

    def _asked(self, prompt: Prompt[SummaryAnswer], text: str) -> SummaryAnswer:
        answer = self._chat_model.answer(prompt)
        flaw = why_implausible(answer.summary, text)
        if flaw:
            raise BadModelOutput(f"{self.model_name} gave no usable answer to `{prompt.task}`: it {flaw}.")
        return answer

    def _refuse(self, prompt: Prompt[SummaryAnswer], error: Exception) -> Refusal:
        before = self._chat_model.recall(prompt)
        attempts = (before.attempts if isinstance(before, Refusal) else 0) + 1
        words = error.message if isinstance(error, LocatorError) else type(error).__name__
        refusal = Refusal(words, attempts, after_refusal(attempts, self._clock.now()))
        self._chat_model.refuse(prompt, refusal)
        return refusal

    def _written(self, prompt: Prompt[SummaryAnswer], answer: SummaryAnswer, *, remembered: bool = False) -> Summarised:
        return Summarised(self._tidied(answer), self.model_name, self._chat_model.key_of(prompt), remembered)

    def _refused(self, prompt: Prompt[SummaryAnswer], refusal: Refusal) -> Summarised:
        stand_in = StandIn("refused", refusal.attempts, refusal.next_try_at)
        return self._extracted(prompt, refusal.reason, stand_in)

    def _extracted(self, prompt: Prompt[SummaryAnswer], problem: str, stand_in: StandIn) -> Summarised:
        summary = self._tidied(self._stand_in.answer(prompt))
        key = self._chat_model.key_of(prompt)
        return Summarised(summary, self._stand_in.model_name, key, problem=problem, stand_in=stand_in)

    def _tidied(self, answer: SummaryAnswer) -> FileSummary:
        keywords = dict.fromkeys(keyword.strip()[:LONGEST_KEYWORD] for keyword in answer.keywords if keyword.strip())
        return FileSummary(truncate_at_sentence(answer.summary, self._max_length), tuple(keywords)[:MOST_KEYWORDS])
