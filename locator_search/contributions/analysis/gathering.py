"""The evidence of one analysis: searched for with the same queries every time, and kept in the order it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from locator_search.contributions.analysis.cards import EvidenceCard
from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.analysis.queries import PLANS, QUESTION, WHOLE, PlannedQuery
from locator_search.contributions.analysis.revisions import Numbered
from locator_search.contributions.analysis.subjects import Subject
from locator_search.contributions.analysis.tool import MOST_CALLS, SEARCHED_PER_CALL, allowed_call
from locator_search.core.errors import SourceError
from locator_search.core.in_turn import in_turn
from locator_search.llm.answers import EvidenceCallAnswer
from locator_search.locales import Language
from locator_search.locales.model_failures import without_embedding_model
from locator_search.locales.said import told
from locator_search.model import Evidence, SearchFilters
from locator_search.ports import EvidenceProvider, NotedEvidenceProvider, OnProgress
from locator_search.ports.contributions.analyses import AnalysisKind, AskedQuery
from locator_search.text.cutting import estimate_tokens

MOST_TOKENS_SHOWN = 24_000
"""The tokens of evidence that a model is shown, about."""


class EvidenceGathering:
    """The evidence about some contributions so far, its queries, notes on what was missing, and failures by label."""

    def __init__(
        self, provider: EvidenceProvider, subjects: Sequence[Subject], language: Language, on_progress: OnProgress
    ) -> None:
        self.evidence: list[Evidence] = []
        self.queries: list[AskedQuery] = []
        self.notes: list[str] = []
        self.failures: dict[str, str] = {}
        self.subjects = subjects
        self._provider = provider
        self._language = language
        self._say = Sentences.of(language)
        self._on_progress = on_progress

    def search_as_planned(self, kind: AnalysisKind, question: str, *, typed_changes: bool) -> None:
        """The searches that are always made; for tracked changes where the provider tells them.

        Where the provider fails for some contributions, `failures` says why by label; raises SourceError for all.
        """
        asked = (replace(QUESTION, query=question),) if question else ()
        plan = [one for one in (*asked, *PLANS[kind]) if typed_changes or not one.only_changed]
        for subject in self.subjects:
            try:
                for planned in plan:
                    self._search(planned, subject.within(changed=planned.only_changed), subject.label)
            except SourceError as error:
                self.failures[subject.label] = told(error.message, self._language)
                if len(self.failures) == len(self.subjects):
                    raise
        if kind == "revisions":
            self._search_the_other_revision()

    def search_as_called(self, calls: Sequence[EvidenceCallAnswer]) -> None:
        """The searches a model asks for, within the contributions it was asked about."""
        allowed = [found for call in calls if (found := allowed_call(call, self.subjects))]
        for query, filters in allowed[:MOST_CALLS]:
            self._search(PlannedQuery("model", query, SEARCHED_PER_CALL), filters, "")

    def _search_the_other_revision(self) -> None:
        """A clause that was found in one revision only is looked for in the other: absence must be more than a rank."""
        found = [{item.clause_number for _, item in self.of(subject)} for subject in self.subjects]
        for subject, own, other in zip(self.subjects, found, reversed(found), strict=True):
            for clause in sorted(clause for clause in other - own if clause):
                self._search(replace(WHOLE, purpose="clause"), subject.within(clause=clause), subject.label)

    def _search(self, planned: PlannedQuery, filters: SearchFilters, label: str) -> None:
        purpose = self._say.progress[planned.purpose].format(subject=label)
        self._on_progress(purpose)
        found = [item for item in self._found(planned, filters) if any(one.holds(item) for one in self.subjects)]
        self.queries.append(AskedQuery(planned.query, purpose, len(found)))
        known = {_identity(item) for item in self.evidence}
        self.evidence += [item for item in found if _identity(item) not in known and item.text.strip()]

    def _found(self, planned: PlannedQuery, filters: SearchFilters) -> list[Evidence]:
        if not isinstance(self._provider, NotedEvidenceProvider):
            return self._provider.search(planned.query, filters, planned.top_k)
        looked = self._provider.look(planned.query, filters, planned.top_k)
        if looked.failure is not None:
            self.notes.append(without_embedding_model(looked.failure, self._language))
        return looked.value

    def of(self, subject: Subject) -> list[Numbered]:
        """The evidence of one contribution, with its place in the analysis."""
        return [piece for piece in enumerate(self.evidence) if subject.holds(piece[1])]

    def cards(self) -> list[EvidenceCard]:
        """The evidence a model is shown: all where it fits, else the first found of each contribution in turn, so that
        none crowds out another one."""
        chosen: dict[int, Evidence] = {}
        tokens = 0
        for number, item in in_turn([self.of(subject) for subject in self.subjects]):
            tokens += estimate_tokens(item.text)
            if tokens > MOST_TOKENS_SHOWN and chosen:
                break
            chosen[number] = item
        return [EvidenceCard.of(number, chosen[number]) for number in sorted(chosen)]


def _identity(evidence: Evidence) -> tuple[str, str]:
    return evidence.document_id, evidence.chunk_id or evidence.text
