"""`DriveSearch`: performs what the flow asks for, through the index, the models and the source.

search = open_locator().drive_search
run = search.start("先月の売上のPDF")
outcome = run.advance()
if outcome.outcome == "needs_answer":
    outcome = run.answer("営業部")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from locator_search.config.synonyms import read_dictionary
from locator_search.core.clock import deadline
from locator_search.core.errors import ConfigurationError
from locator_search.core.model_results import TOGETHER, ModelResult
from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.drive_search import policy
from locator_search.drive_search.effects import (
    AskPerson,
    BeginAnew,
    ExtractKeywords,
    Record,
    RelaxKeywords,
    Rerank,
    Retrieve,
    Rewrite,
    Verify,
    WordQuestion,
)
from locator_search.drive_search.flow import Effect, Handlers, Run, drive
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.questions import (
    Condition,
    SearchInputs,
    SearchOptions,
    check_options,
    checked_question,
)
from locator_search.drive_search.reports import remarks_on, told_step
from locator_search.drive_search.search_flow import DRIVE_SEARCH, reading_of
from locator_search.drive_search.steps import IndexSteps, ModelSteps
from locator_search.llm.question_models import QuestionChatModel
from locator_search.locales import Language
from locator_search.model import Evidence, Facet, Matching, RetrievalQuery, SearchFilters, SearchOutcome
from locator_search.ports import OnProgress
from locator_search.text.variants.rules import checked_rules

if TYPE_CHECKING:
    from locator_search.config.settings import Settings
    from locator_search.ports import (
        AccessChecker,
        ChatModel,
        Clock,
        Embedder,
        IndexStore,
        SearchLog,
        UnreadReader,
        VersionReader,
    )
    from locator_search.ports.search import AuditLog


class DriveSearch:
    """The Drive search over one index. Holds no state of its own: every search is a `SearchRun`.

    `stand_in` answers where the chat model cannot.
    """

    def __init__(
        self,
        index: IndexStore,
        versions: VersionReader,
        unread: UnreadReader,
        embedder: Embedder,
        chat_model: ChatModel,
        access_checker: AccessChecker,
        search_log: SearchLog,
        clock: Clock,
        settings: Settings,
        stand_in: ChatModel | None = None,
        audit: AuditLog | None = None,
    ) -> None:
        self.index = index
        self.versions = versions
        self.unread = unread
        self.embedder = embedder
        self.chat_model = chat_model
        self.stand_in = stand_in
        self.access_checker = access_checker
        self.search_log = search_log
        self.audit = audit
        self.clock = clock
        self.settings = settings

    def start(
        self, question: str, *, filters: SearchFilters | None = None, options: SearchOptions | None = None
    ) -> SearchRun:
        """A new search, noted in the audit log where one is kept; nothing else is performed before `advance`.

        Raises ConfigurationError for an empty or over-long question or an option out of range.
        """
        options = options or SearchOptions()
        language: Language = options.language or self.settings.locator_language
        check_options(options, language)
        off = options.matching_off
        inputs = SearchInputs(
            question=checked_question(question, language),
            today=self.clock.now().astimezone(ZoneInfo(self.settings.locator_time_zone)).date(),
            filters=filters or SearchFilters(),
            threshold=options.threshold,
            limit=options.limit,
            show=options.show,
            max_rounds=options.max_rounds or self.settings.search_max_loop_count,
            language=language,
            interactive=options.interactive,
            mode=options.mode,
            surface=options.surface,
            fiscal_year_start=self.settings.locator_fiscal_year_start,
            ignored=options.ignored,
            matching_off=self.settings.locator_matching_off if off is None else checked_rules(off),
            remarks=remarks_on(read_dictionary(self.settings), Sentences.of(language)),
            permissions=self.settings.locator_permissions,
        )
        if self.audit is not None:
            self.audit.asked(inputs.question, inputs.surface)
        return SearchRun(self, Run(DRIVE_SEARCH, inputs))

    def resume(self, log: str) -> SearchRun:
        """The search that wrote `log`, where it stood. Raises FlowLogRefused when another version wrote it."""
        return SearchRun(self, Run.replay(DRIVE_SEARCH, log))

    def handlers(self, language: Language) -> Handlers:
        """The functions that perform the effects of the flow, for one question."""
        return {
            **ModelSteps(QuestionChatModel(self.chat_model, self.stand_in), language).handlers(),
            **self.index_steps(language).handlers(),
            Record: self.record,
        }

    def index_steps(self, language: Language) -> IndexSteps:
        """The steps of one question that the index and the source take."""
        return IndexSteps(
            self.index,
            self.versions,
            self.unread,
            self.embedder,
            self.access_checker,
            self.settings,
            language,
            self.clock,
        )

    def record(
        self,
        effect: Record,
        usage: Usage = NOTHING_USED,
        seconds: float = 0.0,
        steps: Mapping[str, float] | None = None,
    ) -> int:
        """Store how a search ended and what it took; returns its id in the search log."""
        outcome = replace(effect.outcome, usage=usage)
        return self.search_log.record(effect.question, outcome, effect.surface, seconds, steps)


_CHAT_STEPS: tuple[type[Effect[ModelResult[Any]]], ...] = (
    ExtractKeywords,
    RelaxKeywords,
    Rewrite,
    WordQuestion,
    Rerank,
)


def _joined(models: list[str]) -> str:
    return TOGETHER.join(dict.fromkeys(model for model in models if model))


class SearchRun:
    """One search in progress. `log` is all a page has to keep of it."""

    def __init__(self, search: DriveSearch, run: Run[SearchInputs, SearchOutcome]) -> None:
        self._search = search
        self._run = run

    @property
    def inputs(self) -> SearchInputs:
        """The question and everything else the search was started with."""
        return self._run.inputs

    @property
    def log(self) -> str:
        """The inputs and every result so far, as JSON."""
        return self._run.log

    @property
    def waiting(self) -> bool:
        """Whether a narrowing question waits for `answer`."""
        return isinstance(self._run.pending, AskPerson)

    @property
    def outcome(self) -> SearchOutcome | None:
        """How the search ended, or the narrowing question that waits; None before `advance`."""
        waiting = self._run.pending
        outcome = waiting.so_far if isinstance(waiting, AskPerson) else self._run.outcome
        return outcome and replace(outcome, usage=self._run.usage)

    @property
    def told(self) -> tuple[str, ...]:
        """The lines of the steps that were performed so far, as `advance` said them."""
        say = Sentences.of(self.inputs.language)
        lines = [told_step(step, say) for step in self._run.performed if not isinstance(step, (AskPerson, BeginAnew))]
        return tuple(dict.fromkeys(lines) if self.inputs.permissions else lines)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The filters that were read from the question and limit the search now."""
        inputs, say = self.inputs, Sentences.of(self.inputs.language)
        read = reading_of(inputs)
        dropped = say.conditions_dropped.format(conditions=say.comma.join(one.label for one in read.conditions))
        return () if self.outcome and dropped in self.outcome.notes else read.conditions

    @property
    def facets(self) -> tuple[tuple[Facet, ...], int]:
        """The facets of the hits before anything was narrowed, and the number of these hits: a count is that of
        the same search with one filter more."""
        found = (result.value for result in self._run.results(Retrieve, since=BeginAnew))
        return next(((retrieval.facets, retrieval.hit_count) for retrieval in found if retrieval.hit_count), ((), 0))

    @property
    def search_id(self) -> int | None:
        """The id in the search log once the search has ended, for feedback."""
        return self._run.last_result(Record)

    @property
    def models(self) -> dict[str, str]:
        """Who answered, several joined with " + ": `chat`, a stand-in perhaps, and `embedding`, `keywords-only` where
        words alone were compared. Who was not asked is named as who would be."""
        chat = [result.model for step in _CHAT_STEPS for result in self._run.results(step)]
        embedding = [result.model for result in self._run.results(Retrieve)]
        return {
            "chat": _joined(chat) or self._search.chat_model.model_name,
            "embedding": _joined(embedding) or self._search.embedder.model_name,
        }

    def by_words(self) -> tuple[Evidence, ...]:
        """The few documents that the words of the question alone put first and that are similar enough, to be looked at
        while `advance` is under way. No model and no vector is asked; of what somebody may not read, the source is.

        Raises StoreError.
        """
        reading, search = reading_of(self.inputs), self._search
        if not reading.text:
            return ()
        steps = search.index_steps(self.inputs.language)
        query = RetrievalQuery(
            reading.text,
            filters=reading.filters,
            threshold=0.0,
            limit=policy.SHOWN,
            mode="keyword",
            with_facets=False,
            matching=Matching(off=self.inputs.matching_off),
            also_marked=self.inputs.question if self.inputs.question != reading.text else "",
        )
        found = steps.retrieve(Retrieve(query)).value.evidence
        near = tuple(item for item in found if item.similarity >= self.inputs.threshold)
        return steps.verify(Verify(near)) if search.settings.locator_permissions else near

    def advance(self, on_progress: OnProgress | None = None) -> SearchOutcome:
        """Run until the search ends or a narrowing question waits (outcome `needs_answer`), within
        `LOCATOR_SEARCH_SECONDS`: where a model does not answer, a stand-in or words alone do.

        Raises StoreError; advancing again tries again.
        """
        language, began = self.inputs.language, monotonic()
        begun: list[tuple[str, float]] = []

        def announce(effect: Effect[Any]) -> None:
            begun.append((type(effect).__name__, monotonic()))
            if on_progress is None or isinstance(effect, BeginAnew):
                return
            line = told_step(effect, Sentences.of(language))
            if not self.inputs.permissions or line not in self.told:
                on_progress(line)

        def record(effect: Record) -> int:
            steps: dict[str, float] = {}
            for (step, at), (_, ended) in pairwise(begun):
                steps[step] = steps.get(step, 0.0) + ended - at
            return self._search.record(effect, self._run.usage, monotonic() - began, steps)

        handlers = {**self._search.handlers(language), Record: record}
        with deadline(self._search.settings.locator_search_seconds):
            drive(self._run, handlers, announce=announce)
        outcome = self.outcome
        if outcome is None:
            raise RuntimeError("the flow ended without an outcome")
        return outcome

    def answer(self, text: str, on_progress: OnProgress | None = None) -> SearchOutcome:
        """Answer the narrowing question with a choice's label, its number, or free text; blank skips it.

        Raises ConfigurationError when no question waits or the answer is too long.
        """
        say = Sentences.of(self.inputs.language)
        if not self.waiting:
            raise ConfigurationError(say.nothing_asked)
        self._run.feed(checked_question(text, self.inputs.language) if text.strip() else "")
        return self.advance(on_progress)
