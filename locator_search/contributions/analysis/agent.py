"""`AnalysisAgent`: analyses contributions, through any provider of evidence and any language model.

agent = AnalysisAgent(provider, chat_model)
analysis = agent.analyze("S1-254001")
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.analysis.run import AnalysisRun, WhyAbsent
from locator_search.contributions.analysis.subjects import subject_of
from locator_search.contributions.analysis.tool import LONGEST_QUERY
from locator_search.core.clock import deadline
from locator_search.core.errors import ConfigurationError
from locator_search.core.usage import metered
from locator_search.locales import Language
from locator_search.ports import ChatModel, EvidenceProvider, OnProgress
from locator_search.ports.contributions.analyses import Analysis, AnalysisKind
from locator_search.retrieval.evidence import AsyncEvidenceProvider, provider_of

MOST_CONTRIBUTIONS = 10
"""The most contributions in one comparison."""
USUAL_SECONDS = 120.0


def nothing_found(_contribution_id: str, language: Language) -> str:
    """The reason where no more is known: no evidence was found."""
    return Sentences.of(language).absences["indexed"]


class AnalysisAgent:
    """Analyses contributions on the evidence of one provider; knows nothing of what stands behind it.

    An analysis ends within `seconds`; `stand_in` answers where the chat model cannot; `why_absent` says of a
    contribution why nothing is found of it.
    """

    def __init__(
        self,
        evidence_provider: EvidenceProvider | AsyncEvidenceProvider,
        chat_model: ChatModel,
        language: Language = "ja",
        stand_in: ChatModel | None = None,
        seconds: float = USUAL_SECONDS,
        why_absent: WhyAbsent = nothing_found,
    ) -> None:
        self._provider = provider_of(evidence_provider)
        self._chat_model = chat_model
        self._stand_in = stand_in
        self._seconds = seconds
        self._why_absent = why_absent
        self._language: Language = language

    def analyze(self, contribution_id: str, question: str = "") -> Analysis:
        """One contribution: its problem, its proposal, the clauses it affects, what it inserts and deletes; and the
        answer to a question, where one is asked.

        Raises SourceError, StoreError or ModelError where evidence cannot be searched, ConfigurationError for no id.
        """
        return self.run("single", [contribution_id], question=question)

    async def aanalyze(self, contribution_id: str, question: str = "") -> Analysis:
        """`analyze` in a worker thread, for programs with an event loop."""
        return await asyncio.to_thread(self.analyze, contribution_id, question)

    def run(
        self,
        kind: AnalysisKind,
        contribution_ids: Sequence[str],
        language: Language | None = None,
        question: str = "",
        on_progress: OnProgress | None = None,
    ) -> Analysis:
        """An analysis of any kind, each step announced. Of a question, the first LONGEST_QUERY characters count.
        Contributions nothing is found of are left out and named; of two, the other one is then analysed by itself.

        Raises ConfigurationError for too few or many ids, and as `analyze`.
        """
        language = language or self._language
        ids = tuple(dict.fromkeys(one.strip() for one in contribution_ids if one.strip()))
        _check_count(kind, ids, language)
        run = AnalysisRun(
            kind=kind,
            subjects=[subject_of(one) for one in ids],
            question=" ".join(question.split())[:LONGEST_QUERY],
            language=language,
            provider=self._provider,
            chat_model=self._chat_model,
            stand_in=self._stand_in,
            on_progress=on_progress or (lambda _line: None),
            why_absent=self._why_absent,
        )
        with deadline(self._seconds), metered() as meter:
            analysis = run.perform()
        return replace(analysis, usage=meter.total)


def _check_count(kind: AnalysisKind, ids: Sequence[str], language: Language) -> None:
    say = Sentences.of(language)
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
