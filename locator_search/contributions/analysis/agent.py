"""`AnalysisAgent`: performs what the flow asks for, through any provider of evidence and any language model.

agent = AnalysisAgent(provider, chat_model)
analysis = agent.analyze("S1-254001")
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from locator_search.contributions.analysis import prompts
from locator_search.contributions.analysis.effects import (
    DraftCitation,
    DraftClaim,
    ProposeQueries,
    SearchEvidence,
    ToolCall,
    WriteClaims,
)
from locator_search.contributions.analysis.flow import ANALYSIS, AnalysisInputs
from locator_search.contributions.analysis.messages import sentences
from locator_search.contributions.analysis.subjects import subject_of
from locator_search.contributions.analysis.tool import LONGEST_QUERY
from locator_search.core.clock import deadline
from locator_search.core.errors import ConfigurationError
from locator_search.core.flow import Effect, Handlers, Run, drive
from locator_search.core.model_results import ModelResult
from locator_search.llm.question_models import QuestionChatModel
from locator_search.locales import Language
from locator_search.model import Evidence
from locator_search.ports import ChatModel, EvidenceProvider, NotedEvidenceProvider, OnProgress
from locator_search.ports.contributions.analyses import Analysis, AnalysisKind
from locator_search.retrieval.evidence import AsyncEvidenceProvider, provider_of

MOST_CONTRIBUTIONS = 10
"""Of one comparison."""
USUAL_SECONDS = 120.0
SHARE_OF_THE_CLAIMS = 0.9
"""Of the seconds that are left: nothing comes after them."""


class AnalysisAgent:
    """Analyses contributions on the evidence of one provider; knows nothing of what stands behind it.

    An analysis ends within `seconds`; `stand_in` answers where the chat model cannot.
    """

    def __init__(
        self,
        evidence_provider: EvidenceProvider | AsyncEvidenceProvider,
        chat_model: ChatModel,
        language: Language = "ja",
        stand_in: ChatModel | None = None,
        seconds: float = USUAL_SECONDS,
    ) -> None:
        self._provider = provider_of(evidence_provider)
        self._chat_model = chat_model
        self._stand_in = stand_in
        self.seconds = seconds
        self._language: Language = language

    def analyze(self, contribution_id: str, question: str = "") -> Analysis:
        """One contribution: its problem, its proposal, the clauses it affects, what it inserts and deletes; and the
        answer to a question, where one is asked.

        Raises SourceError, StoreError or ModelError where evidence cannot be searched, ConfigurationError for no id.
        """
        return self.start("single", [contribution_id], question=question).advance()

    async def aanalyze(self, contribution_id: str) -> Analysis:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.analyze, contribution_id)

    def compare(self, contribution_ids: Sequence[str]) -> Analysis:
        """Several contributions beside each other. Raises as `analyze`."""
        return self.start("comparison", contribution_ids).advance()

    def compare_revisions(self, older: str, newer: str) -> Analysis:
        """What the newer of two revisions says otherwise. Raises as `analyze`."""
        return self.start("revisions", [older, newer]).advance()

    def start(
        self,
        kind: AnalysisKind,
        contribution_ids: Sequence[str],
        language: Language | None = None,
        question: str = "",
    ) -> AnalysisRun:
        """A new analysis; nothing is performed before `advance`. Of a question, the first LONGEST_QUERY characters
        count. Raises ConfigurationError for too few or many ids."""
        language = language or self._language
        ids = tuple(dict.fromkeys(one.strip() for one in contribution_ids if one.strip()))
        _check_count(kind, ids, language)
        inputs = AnalysisInputs(
            kind=kind,
            subjects=tuple(subject_of(one) for one in ids),
            language=language,
            provider=str(getattr(self._provider, "name", type(self._provider).__name__)),
            chat_model=self._chat_model.model_name,
            typed_changes=bool(getattr(self._provider, "typed_changes", True)),
            question=" ".join(question.split())[:LONGEST_QUERY],
        )
        return AnalysisRun(self, Run(ANALYSIS, inputs))

    def resume(self, log: str) -> AnalysisRun:
        """The analysis that wrote `log`, where it stood. Raises FlowLogRefused when another version wrote it."""
        return AnalysisRun(self, Run.replay(ANALYSIS, log))

    def handlers(self, language: Language) -> Handlers:
        """What performs each effect of the flow."""
        steps = _ModelSteps(QuestionChatModel(self._chat_model, self._stand_in), language)
        return {
            SearchEvidence: self._search,
            ProposeQueries: steps.propose_queries,
            WriteClaims: steps.write_claims,
        }

    def _search(self, effect: SearchEvidence) -> ModelResult[tuple[Evidence, ...]]:
        asked = (effect.query, effect.filters, effect.top_k)
        if isinstance(self._provider, NotedEvidenceProvider):
            looked = self._provider.look(*asked)
            return ModelResult(tuple(looked.value), looked.model, looked.failure)
        return ModelResult(tuple(self._provider.search(*asked)), "")


class AnalysisRun:
    """One analysis in progress. `log` is all that has to be kept of it."""

    def __init__(self, agent: AnalysisAgent, run: Run[AnalysisInputs, Analysis]) -> None:
        self._agent = agent
        self._run = run

    @property
    def log(self) -> str:
        """JSON: the inputs plus every result so far."""
        return self._run.log

    @property
    def analysis(self) -> Analysis | None:
        """What it came to; None before it has ended."""
        outcome = self._run.outcome
        return outcome and replace(outcome, usage=self._run.usage)

    def advance(self, on_progress: OnProgress | None = None) -> Analysis:
        """Run to the end, announcing each step. After an error, advancing again goes on where it stood."""
        say = sentences(self._run.inputs.language)
        subjects = self._run.inputs.subjects

        def announce(effect: Effect[Any]) -> None:
            if on_progress is None:
                return
            key = effect.purpose if isinstance(effect, SearchEvidence) else type(effect).__name__
            labels = [
                one.label for one in subjects if isinstance(effect, SearchEvidence) and _is_of(effect, one.filters)
            ]
            on_progress(say.progress[key].format(subject=", ".join(labels)))

        with deadline(self._agent.seconds):
            drive(self._run, self._agent.handlers(self._run.inputs.language), announce=announce)
        analysis = self.analysis
        if analysis is None:
            raise RuntimeError("the flow ended without an analysis")
        return analysis


class _ModelSteps:
    """What the language model of one analysis does."""

    def __init__(self, chat_model: QuestionChatModel, language: Language) -> None:
        self._chat_model = chat_model
        self._language = language

    def propose_queries(self, effect: ProposeQueries) -> ModelResult[tuple[ToolCall, ...] | None]:
        result = self._chat_model.ask(prompts.more_evidence_prompt(effect, self._language))
        if result.value is None:
            return ModelResult(None, result.model, result.failure)
        calls = tuple(ToolCall(call.query, call.contribution_number or None) for call in result.value.calls)
        return ModelResult(calls, result.model, result.failure)

    def write_claims(self, effect: WriteClaims) -> ModelResult[tuple[DraftClaim, ...] | None]:
        result = self._chat_model.ask(prompts.claims_prompt(effect, self._language), SHARE_OF_THE_CLAIMS)
        if result.value is None:
            return ModelResult(None, result.model, result.failure)
        claims = tuple(
            DraftClaim(
                claim.aspect,
                claim.text,
                tuple(DraftCitation(one.evidence_id, one.quote) for one in claim.citations),
            )
            for claim in result.value.claims
        )
        return ModelResult(claims, result.model, result.failure)


def _is_of(effect: SearchEvidence, filters: object) -> bool:
    narrowed = replace(effect.filters, clauses=(), changed=False)
    return narrowed == filters


def _check_count(kind: AnalysisKind, ids: Sequence[str], language: Language) -> None:
    say = sentences(language)
    if not ids:
        raise ConfigurationError(say.no_contribution)
    if kind == "single" and len(ids) != 1:
        raise ConfigurationError(say.one_contribution)
    if kind == "comparison" and len(ids) < 2:
        raise ConfigurationError(say.several_contributions)
    if kind == "revisions" and len(ids) != 2:
        raise ConfigurationError(say.two_contributions)
    if len(ids) > MOST_CONTRIBUTIONS:
        raise ConfigurationError(say.too_many_contributions.format(limit=MOST_CONTRIBUTIONS))
