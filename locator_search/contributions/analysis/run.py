"""One analysis: read `AnalysisRun.perform` from top to bottom.

The host searches first, with the same queries every time, because a model that may choose whether to search often does
not. Only then is the model asked, and only about what was found; what it says is held against the same evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from locator_search.contributions.analysis.gathering import EvidenceGathering
from locator_search.contributions.analysis.grounding import grounded
from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.analysis.prompts import claims_prompt, more_evidence_prompt
from locator_search.contributions.analysis.revisions import compared, in_reading_order, tracked_changes
from locator_search.contributions.analysis.subjects import Subject
from locator_search.contributions.cover_page import CoverPage, affected_clauses, cover_page
from locator_search.llm.question_models import SHARE_OF_A_MODEL, QuestionChatModel
from locator_search.locales import Language
from locator_search.locales.model_failures import without_chat_model
from locator_search.ports import Answer, ChatModel, EvidenceProvider, OnProgress, Prompt
from locator_search.ports.contributions.analyses import Analysis, AnalysisKind, ChangedClause, Claim, LeftOut
from locator_search.ports.contributions.documents import CONVERTIBLE
from locator_search.text.clauses import lies_within

NO_COVERS: Mapping[str, CoverPage] = {}
WhyAbsent = Callable[[str, Language], str]
"""Why nothing is found of the contribution of that id, in words."""
SHARE_OF_THE_CLAIMS = 0.9
"""The share of the remaining seconds for the claims, which are the last step."""


class AnalysisRun:
    """One analysis in progress. Of two revisions the older one comes first among the subjects; `question` is what the
    person wants to know besides."""

    def __init__(
        self,
        kind: AnalysisKind,
        subjects: Sequence[Subject],
        question: str,
        language: Language,
        provider: EvidenceProvider,
        chat_model: ChatModel,
        stand_in: ChatModel | None,
        on_progress: OnProgress,
        why_absent: WhyAbsent,
    ) -> None:
        self._kind = kind
        self._subjects = subjects
        self._question = question
        self._language = language
        self._say = Sentences.of(language)
        self._provider = str(getattr(provider, "name", type(provider).__name__))
        self._typed_changes = bool(getattr(provider, "typed_changes", True))
        self._gathering = EvidenceGathering(provider, subjects, language, on_progress)
        self._chat_model = QuestionChatModel(chat_model, stand_in)
        self._answered_by = chat_model.model_name
        self._on_progress = on_progress
        self._why_absent = why_absent
        self._left_out: tuple[LeftOut, ...] = ()
        self._notes = self._gathering.notes

    def perform(self) -> Analysis:
        """Search, let the model search further, look what changed, ask for claims, hold them against the evidence."""
        gathering = self._gathering
        gathering.search_as_planned(self._kind, self._question, typed_changes=self._typed_changes)
        if not gathering.evidence:
            labels = ", ".join(subject.label for subject in self._subjects)
            self._notes.append(self._say.no_evidence_found.format(contributions=labels))
            self._left_out = self._absent(self._subjects)
            return self._analysis((), ())
        self._leave_out_the_absent()
        self._let_the_model_search()
        changes = self._changes()
        cards = gathering.cards()
        if len(cards) < len(gathering.evidence):
            self._notes.append(self._say.many_found.format(count=len(cards), all=len(gathering.evidence)))
        covers = self._covers(changes)
        self._on_progress(self._say.progress["WriteClaims"])
        prompt = claims_prompt(self._kind, self._labels(), cards, changes, covers, self._question, self._language)
        answer = self._ask(prompt, SHARE_OF_THE_CLAIMS)
        if answer is None:
            self._notes.append(self._say.model_silent)
            return self._analysis((), changes, covers)
        claims = grounded(answer.claims, gathering.evidence, [card.id for card in cards], changes)
        if self._question and not any(claim.aspect == "answer" and claim.supported for claim in claims):
            self._notes.append(self._say.unanswered)
        return self._analysis(claims, changes, covers)

    def _leave_out_the_absent(self) -> None:
        """Go on with the contributions something was found of; one that is left alone is not compared but analysed."""
        absent = [subject for subject in self._subjects if not self._gathering.of(subject)]
        self._left_out = self._absent(absent)
        self._subjects = [subject for subject in self._subjects if subject not in absent]
        self._gathering.subjects = self._subjects
        if absent and len(self._subjects) == 1:
            self._kind = "single"
            self._gathering.evidence.clear()
            self._gathering.search_as_planned("single", self._question, typed_changes=self._typed_changes)

    def _absent(self, subjects: Sequence[Subject]) -> tuple[LeftOut, ...]:
        failures = self._gathering.failures
        reasons = (failures.get(one.label) or self._why_absent(one.contribution_id, self._language) for one in subjects)
        return tuple(LeftOut(one.contribution_id, reason) for one, reason in zip(subjects, reasons, strict=True))

    def _labels(self) -> list[str]:
        return [subject.label for subject in self._subjects]

    def _let_the_model_search(self) -> None:
        self._on_progress(self._say.progress["ProposeQueries"])
        cards = self._gathering.cards()
        answer = self._ask(more_evidence_prompt(self._kind, self._labels(), cards, self._question, self._language))
        if answer is not None:
            self._gathering.search_as_called(answer.calls)

    def _ask(self, prompt: Prompt[Answer], share: float = SHARE_OF_A_MODEL) -> Answer | None:
        """The answer of the chat model, or of its stand-in, which is noted; None where neither can."""
        result = self._chat_model.ask(prompt, share)
        if result.model:
            self._answered_by = result.model
        if result.failure is not None and result.model:
            self._notes.append(without_chat_model(result.failure, self._language))
        return result.value

    # What changed

    def _changes(self) -> tuple[ChangedClause, ...]:
        if self._kind == "revisions":
            older, newer = (self._gathering.of(subject) for subject in self._subjects)
            return compared(older, newer)
        changes = tracked_changes(list(enumerate(self._gathering.evidence)))
        if not self._typed_changes:
            self._notes.append(self._say.untyped_changes.format(provider=self._provider))
        elif unread := self._without_tracked_changes():
            self._notes.append(self._say.changes_unread.format(documents=", ".join(unread)))
        elif not changes:
            self._notes.append(self._say.no_changes)
        return changes

    def _without_tracked_changes(self) -> list[str]:
        """The documents whose tracked changes could not be read: nobody knows whether there are any."""
        unread = (one for one in self._gathering.evidence if one.mime_type in CONVERTIBLE)
        return list(dict.fromkeys(one.source_file or one.file_name for one in unread))

    def _covers(self, changes: Sequence[ChangedClause]) -> Mapping[str, CoverPage]:
        """The cover pages in the evidence, with a note where one announces other clauses than are changed."""
        found: dict[str, CoverPage] = {}
        for subject in self._subjects:
            pieces = [piece for piece in self._gathering.of(subject) if not piece[1].clause_number]
            cover = cover_page(item.text for _, item in in_reading_order(pieces))
            if cover:
                found[subject.label] = cover
                self._compare_with_cover(subject.label, affected_clauses(cover), changes)
        return found

    def _compare_with_cover(self, label: str, announced: Sequence[str], changes: Sequence[ChangedClause]) -> None:
        changed = [one.clause_number for one in changes if one.contribution_number == label and one.clause_number]
        if self._kind == "revisions" or not announced or not changed:
            return
        unannounced = [clause for clause in changed if not any(lies_within(clause, one) for one in announced)]
        unchanged = [clause for clause in announced if not any(lies_within(one, clause) for one in changed)]
        for form, clauses in ((self._say.not_announced, unannounced), (self._say.not_changed, unchanged)):
            if clauses:
                self._notes.append(form.format(contribution=label, clauses=", ".join(dict.fromkeys(clauses))))

    def _analysis(
        self, claims: Sequence[Claim], changes: Sequence[ChangedClause], covers: Mapping[str, CoverPage] = NO_COVERS
    ) -> Analysis:
        if unsupported := sum(not claim.supported for claim in claims):
            self._notes.append(self._say.unsupported.format(count=unsupported))
        if refused := sum(len(claim.refused) for claim in claims):
            self._notes.append(self._say.refused.format(count=refused))
        return Analysis(
            kind=self._kind,
            contribution_ids=tuple(subject.contribution_id for subject in self._subjects),
            language=self._language,
            claims=tuple(claims),
            changes=tuple(changes),
            evidence=tuple(self._gathering.evidence),
            queries=tuple(self._gathering.queries),
            provider=self._provider,
            chat_model=self._answered_by,
            notes=tuple(dict.fromkeys(self._notes)),
            question=self._question,
            covers=covers,
            left_out=self._left_out,
        )
