"""An analysis as a flow: read `AnalysisFlow.run` from top to bottom.

The host searches first, with the same queries every time, because a model that may choose whether to search often does
not. Only then is the model asked, and only about what was found; what it says is held against the same evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from locator_search.contributions.analysis.effects import EvidenceCard, ProposeQueries, SearchEvidence, WriteClaims
from locator_search.contributions.analysis.grounding import grounded
from locator_search.contributions.analysis.messages import sentences
from locator_search.contributions.analysis.queries import PLANS, QUESTION, WHOLE, PlannedQuery
from locator_search.contributions.analysis.revisions import Numbered, compared, in_reading_order, tracked_changes
from locator_search.contributions.analysis.subjects import Subject
from locator_search.contributions.analysis.tool import MOST_CALLS, SEARCHED_PER_CALL, allowed_call
from locator_search.contributions.cover_page import CoverPage, affected_clauses, cover_page
from locator_search.core.flow import Flow, Steps, perform
from locator_search.core.model_results import ModelResult
from locator_search.locales import Language
from locator_search.locales.model_failures import without_chat_model, without_embedding_model
from locator_search.model import Evidence, SearchFilters
from locator_search.ports.contributions.analyses import Analysis, AnalysisKind, AskedQuery, ChangedClause, Claim
from locator_search.text.clauses import lies_within
from locator_search.text.cutting import estimate_tokens

Value = TypeVar("Value")

NO_COVERS: Mapping[str, CoverPage] = {}
MOST_TOKENS_SHOWN = 24_000
"""Of evidence a model is shown, about."""


@dataclass(frozen=True, slots=True)
class AnalysisInputs:
    """Everything one run of the flow depends on. Of two revisions the older one comes first. `provider` and
    `chat_model` are names, for the record; `typed_changes` is whether the provider tells tracked changes; `question`
    is what the person wants to know besides."""

    kind: AnalysisKind
    subjects: tuple[Subject, ...]
    language: Language
    provider: str
    chat_model: str
    typed_changes: bool = True
    question: str = ""


def analyse(inputs: AnalysisInputs) -> Steps[Analysis]:
    """The whole analysis."""
    return (yield from AnalysisFlow(inputs).run())


ANALYSIS = Flow("contribution_analysis", "3", AnalysisInputs, analyse)


class AnalysisFlow:
    """One analysis. Its state is the evidence found so far, in the order it was found, and how it was searched for."""

    def __init__(self, inputs: AnalysisInputs) -> None:
        self.inputs = inputs
        self.say = sentences(inputs.language)
        self.evidence: list[Evidence] = []
        self.queries: list[AskedQuery] = []
        self.notes: list[str] = []
        self.chat_model = inputs.chat_model

    def run(self) -> Steps[Analysis]:
        """Search, let the model search further, look what changed, ask for claims, hold them against the evidence."""
        yield from self._search_as_planned()
        if not self.evidence:
            labels = ", ".join(subject.label for subject in self.inputs.subjects)
            self.notes.append(self.say.nothing_found.format(contributions=labels))
            return self._analysis((), ())
        yield from self._search_for_the_model()
        changes = self._changes()
        cards = self._cards()
        if len(cards) < len(self.evidence):
            self.notes.append(self.say.many_found.format(count=len(cards), all=len(self.evidence)))
        covers = self._covers(changes)
        written = yield from perform(
            WriteClaims(self.inputs.kind, self._labels(), cards, changes, self.inputs.question)
        )
        drafts = self._of_model(written)
        if drafts is None:
            self.notes.append(self.say.model_silent)
            return self._analysis((), changes, covers)
        claims = grounded(drafts, self.evidence, [card.id for card in cards])
        if self.inputs.question and not any(claim.aspect == "answer" and claim.supported for claim in claims):
            self.notes.append(self.say.unanswered)
        return self._analysis(claims, changes, covers)

    # Searching

    def _search_as_planned(self) -> Steps[None]:
        asked = (replace(QUESTION, query=self.inputs.question),) if self.inputs.question else ()
        for subject in self.inputs.subjects:
            for planned in (*asked, *PLANS[self.inputs.kind]):
                if planned.only_changed and not self.inputs.typed_changes:
                    continue
                filters = subject.within(changed=planned.only_changed)
                yield from self._search(planned, filters, subject.label)
        if self.inputs.kind == "revisions":
            yield from self._search_the_other_revision()

    def _search_the_other_revision(self) -> Steps[None]:
        """A clause that was found in one revision only is looked for in the other: absence must be more than a rank."""
        found = [{item.clause_number for item in self._of(subject)} for subject in self.inputs.subjects]
        for subject, own, other in zip(self.inputs.subjects, found, reversed(found), strict=True):
            for clause in sorted(clause for clause in other - own if clause):
                yield from self._search(replace(WHOLE, purpose="clause"), subject.within(clause=clause), subject.label)

    def _search_for_the_model(self) -> Steps[None]:
        wanted = yield from perform(
            ProposeQueries(self.inputs.kind, self._labels(), self._cards(), self.inputs.question)
        )
        calls = [
            allowed for call in self._of_model(wanted) or () if (allowed := allowed_call(call, self.inputs.subjects))
        ]
        for query, filters in calls[:MOST_CALLS]:
            yield from self._search(PlannedQuery("model", query, SEARCHED_PER_CALL), filters, "")

    def _of_model(self, result: ModelResult[Value]) -> Value:
        """What the chat model or its stand-in wrote; that it was not the model is noted."""
        if result.model:
            self.chat_model = result.model
        if result.failure is not None and result.model:
            self.notes.append(without_chat_model(result.failure, self.inputs.language))
        return result.value

    def _search(self, planned: PlannedQuery, filters: SearchFilters, subject: str) -> Steps[None]:
        answer = yield from perform(SearchEvidence(planned.query, filters, planned.top_k, planned.purpose))
        if answer.failure is not None:
            self.notes.append(without_embedding_model(answer.failure, self.inputs.language))
        found = [item for item in answer.value if any(one.holds(item) for one in self.inputs.subjects)]
        purpose = self.say.progress[planned.purpose].format(subject=subject)
        self.queries.append(AskedQuery(planned.query, purpose, len(found)))
        known = {_identity(item) for item in self.evidence}
        self.evidence += [item for item in found if _identity(item) not in known and item.text.strip()]

    # What was found

    def _changes(self) -> tuple[ChangedClause, ...]:
        numbered = list(enumerate(self.evidence))
        if self.inputs.kind == "revisions":
            older, newer = (
                [piece for piece in numbered if subject.holds(piece[1])] for subject in self.inputs.subjects
            )
            return compared(older, newer)
        return self._tracked(numbered)

    def _tracked(self, numbered: Sequence[Numbered]) -> tuple[ChangedClause, ...]:
        changes = tracked_changes(numbered)
        if not self.inputs.typed_changes:
            self.notes.append(self.say.untyped_changes.format(provider=self.inputs.provider))
        elif not changes:
            self.notes.append(self.say.no_changes)
        return changes

    def _covers(self, changes: Sequence[ChangedClause]) -> Mapping[str, CoverPage]:
        """The cover pages in the evidence, with a note where one announces other clauses than are changed."""
        numbered = list(enumerate(self.evidence))
        found: dict[str, CoverPage] = {}
        for subject in self.inputs.subjects:
            pieces = [piece for piece in numbered if subject.holds(piece[1]) and not piece[1].clause_number]
            cover = cover_page(item.text for _, item in in_reading_order(pieces))
            if cover:
                found[subject.label] = cover
                self._compare_with_cover(subject.label, affected_clauses(cover), changes)
        return found

    def _compare_with_cover(self, label: str, announced: Sequence[str], changes: Sequence[ChangedClause]) -> None:
        changed = [one.clause_number for one in changes if one.contribution_number == label and one.clause_number]
        if self.inputs.kind == "revisions" or not announced or not changed:
            return
        silent = [clause for clause in changed if not any(lies_within(clause, one) for one in announced)]
        idle = [clause for clause in announced if not any(lies_within(one, clause) for one in changed)]
        for form, clauses in ((self.say.not_announced, silent), (self.say.not_changed, idle)):
            if clauses:
                self.notes.append(form.format(contribution=label, clauses=", ".join(dict.fromkeys(clauses))))

    def _of(self, subject: Subject) -> list[Evidence]:
        return [item for item in self.evidence if subject.holds(item)]

    def _cards(self) -> tuple[EvidenceCard, ...]:
        """What a model is shown: all evidence where it fits, else the first found of each contribution in turn, so that
        none crowds out another one."""
        numbered = list(enumerate(self.evidence))
        queues = [[piece for piece in numbered if subject.holds(piece[1])] for subject in self.inputs.subjects]
        chosen: dict[int, Evidence] = {}
        tokens = 0
        for number, item in _in_turn(queues):
            tokens += estimate_tokens(item.text)
            if tokens > MOST_TOKENS_SHOWN and chosen:
                break
            chosen[number] = item
        return tuple(EvidenceCard.of(number, chosen[number]) for number in sorted(chosen))

    def _labels(self) -> tuple[str, ...]:
        return tuple(subject.label for subject in self.inputs.subjects)

    def _analysis(
        self,
        claims: Sequence[Claim],
        changes: Sequence[ChangedClause],
        covers: Mapping[str, CoverPage] = NO_COVERS,
    ) -> Analysis:
        unsupported = sum(not claim.supported for claim in claims)
        refused = sum(len(claim.refused) for claim in claims)
        if unsupported:
            self.notes.append(self.say.unsupported.format(count=unsupported))
        if refused:
            self.notes.append(self.say.refused.format(count=refused))
        return Analysis(
            kind=self.inputs.kind,
            contribution_ids=tuple(subject.contribution_id for subject in self.inputs.subjects),
            language=self.inputs.language,
            claims=tuple(claims),
            changes=tuple(changes),
            evidence=tuple(self.evidence),
            queries=tuple(self.queries),
            provider=self.inputs.provider,
            chat_model=self.chat_model,
            notes=tuple(dict.fromkeys(self.notes)),
            question=self.inputs.question,
            covers=covers,
        )


def _identity(evidence: Evidence) -> tuple[str, str]:
    return evidence.document_id, evidence.chunk_id or evidence.text


def _in_turn(lists: Sequence[Sequence[Numbered]]) -> Iterable[Numbered]:
    """The first of each list, then the second of each, and so on."""
    longest = max((len(items) for items in lists), default=0)
    return (items[place] for place in range(longest) for items in lists if place < len(items))
