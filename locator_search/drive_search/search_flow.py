"""The branching search over the index, as a flow: read `DriveSearchFlow.run` from top to bottom.

Decisions are functions of `policy`, `facets` and `questions`; what needs the outside world is an effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from locator_search.core.model_results import ModelResult, is_stand_in
from locator_search.drive_search import attempts, policy
from locator_search.drive_search.effects import (
    AskPerson,
    BeginAnew,
    CountHits,
    ExtractKeywords,
    FileCard,
    FindUnread,
    Record,
    RelaxKeywords,
    Rerank,
    Retrieve,
    Rewrite,
    RewrittenQuery,
    Verify,
    WordQuestion,
)
from locator_search.drive_search.facets import Split, best_split, narrowed_by, others
from locator_search.drive_search.flow import Flow, Steps, perform
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.policy import Attempt, Trail
from locator_search.drive_search.questions import Reading, SearchInputs, read_question
from locator_search.drive_search.reports import found_message, not_found_message, respelled_question, with_unread
from locator_search.locales.model_failures import without_chat_model, without_embedding_model
from locator_search.model import (
    Choice,
    Evidence,
    Matching,
    OutcomeKind,
    Retrieval,
    RetrievalQuery,
    SearchFilters,
    SearchOutcome,
)
from locator_search.retrieval.grouping import files_of

Value = TypeVar("Value")

SUMMARIES_SHOWN_TO_MODEL = 10
MOST_BEGUN_ANEW = 3
"""Times that a search begins anew without files that the source did not confirm."""
NO_FILE = ""
"""The id that no file has."""


def search_drive(inputs: SearchInputs) -> Steps[SearchOutcome]:
    """The whole search, recorded in the search log at its end."""
    flow, outcome = DriveSearchFlow(inputs), None
    while outcome is None:
        try:
            outcome = yield from flow.run()
        except _Closed as closed:
            yield from perform(BeginAnew(closed.file_ids))
            flow = flow.anew(closed.file_ids)
    if outcome.outcome != "needs_answer":
        outcome = yield from flow.with_unread(outcome)
    yield from perform(Record(inputs.question, outcome, inputs.surface))
    return outcome


DRIVE_SEARCH = Flow("drive_search", "12", SearchInputs, search_drive)


class _Closed(Exception):  # noqa: N818 - no error: the search begins anew
    """The source did not confirm that the person may read these files."""

    def __init__(self, file_ids: tuple[str, ...]) -> None:
        super().__init__()
        self.file_ids = file_ids


def reading_of(inputs: SearchInputs) -> Reading:
    """The question of a search as it was understood."""
    return read_question(
        inputs.question,
        inputs.filters,
        inputs.today,
        inputs.fiscal_year_start,
        Sentences.of(inputs.language),
        inputs.ignored,
    )


class DriveSearchFlow:
    """One search. Its only state is the trail of rounds and the notes for the person, and where permissions count, the
    files that were `closed` to the person before it began anew, and the answers that the person gave by then."""

    def __init__(self, inputs: SearchInputs) -> None:
        self.inputs = inputs
        self.closed: tuple[str, ...] = ()
        self.begun_anew = 0
        self.given: list[str] = []
        self.to_give: list[str] = []
        self.say = Sentences.of(inputs.language)
        self.reading = reading_of(inputs)
        self.trail = Trail(inputs.max_rounds)
        self.understood = self.say.together(*self.reading.notes)
        self.notes = [*inputs.remarks, *self.reading.notes]
        self.conditions_droppable = bool(self.reading.conditions)
        self.first: ModelResult[Retrieval] | None = None
        self.filters = self.reading.filters

    def anew(self, closed: tuple[str, ...]) -> DriveSearchFlow:
        """The same search from its beginning, as if there were no such files."""
        flow = DriveSearchFlow(self.inputs)
        flow.closed = (*self.closed, *closed)
        flow.begun_anew = self.begun_anew + 1
        flow.to_give = [*self.given, *self.to_give]
        return flow

    def run(self) -> Steps[SearchOutcome]:
        """Retrieve, branch on the exact hit count, and again, until something is shown or nothing is left to try."""
        attempt: Attempt | None = yield from self._first_attempt()
        while attempt is not None and self.trail.allows(attempt):
            self.notes.append(attempt.note)
            attempt, found = yield from self._retrieved_in_period(attempt)
            if policy.asks_for_an_absent_number(found):
                self.trail = self.trail.after(attempt, "relax", replace(found, hit_count=0))
                break
            if not found.hit_count and self._is_last_under_conditions(attempt):
                attempt = self._without_conditions(attempt)
                found = yield from self._retrieved(attempt)
            outstanding = policy.standing_out(attempt.query, found)
            branch = "show" if outstanding else policy.choose_branch(found.hit_count, found.top_similarity)
            self.trail = self.trail.after(attempt, branch, found)

            if branch in ("show", "rerank"):
                return (yield from self._show_best(found, outstanding or found.evidence))
            kept = policy.keep_best(found.evidence)
            if branch == "refine" and len(kept) <= policy.SHOWN:
                return (yield from self._show_best(found, kept))
            if self.trail.last_round:
                break

            if branch == "relax":
                attempt = yield from self._relaxed(attempt, found)
            elif branch == "refine" and len(kept) < len(found.evidence[: policy.KEPT]):
                attempt = yield from self._rewritten(attempt, kept)
            else:
                question = yield from self._narrowing_question(found, attempt)
                if not self.inputs.interactive:
                    return question
                answer = yield from self._asked(question)
                if attempts.wants_all(answer, question.choices):
                    return (yield from self._show_all(attempt))
                attempt = self._answered(attempt, answer, question.choices)
        return (yield from self._end())

    # Attempts

    def _first_attempt(self) -> Steps[Attempt]:
        subject = self.reading.text
        if not subject:
            self.notes.append(self.say.conditions_only)
            return Attempt(self.inputs.question, (), policy.ANY_SIMILARITY, self.reading.filters)
        keywords = yield from perform(ExtractKeywords(subject))
        chosen = self._of_model(keywords)
        words = tuple(dict.fromkeys(chosen or ()))
        return Attempt(subject, words, self.inputs.threshold, self.reading.filters)

    def _retrieved(self, attempt: Attempt, *, with_facets: bool = True) -> Steps[Retrieval]:
        self.filters = attempt.filters
        result = yield from perform(Retrieve(replace(self._query(attempt), with_facets=with_facets)))
        if result.failure is not None:
            self.notes.append(without_embedding_model(result.failure, self.inputs.language))
        if self.first is None:
            self.first = result
            self.notes.append(self._absent())
        return result.value

    def _retrieved_in_period(self, attempt: Attempt) -> Steps[tuple[Attempt, Retrieval]]:
        """Under a period of the question: the files that state it; where none is a hit, whatever may be of it."""
        strict = attempt
        if self.trail.hits is None:
            strict = replace(attempt, filters=self.reading.in_stated_period(attempt.filters))
        found = yield from self._retrieved(strict)
        if found.hit_count or strict == attempt:
            return strict, found
        found = yield from self._retrieved(attempt)
        if found.hit_count:
            self.notes.append(self.say.period_not_stated)
        return attempt, found

    def _query(self, attempt: Attempt) -> RetrievalQuery:
        return RetrievalQuery(
            query=attempt.query,
            keywords=attempt.keywords,
            filters=self._without_closed(attempt.filters),
            threshold=attempt.threshold,
            limit=policy.KEPT,
            mode=self.inputs.mode,
            matching=Matching(off=self.inputs.matching_off),
            also_marked=self.inputs.question if self.inputs.question != attempt.query else "",
        )

    def _without_closed(self, filters: SearchFilters) -> SearchFilters:
        """The filters for the index. Where a search began anew too often, it finds nothing: the source does not answer,
        or much was closed at once."""
        if self.begun_anew > MOST_BEGUN_ANEW:
            return replace(filters, file_ids=(NO_FILE,))
        if self.closed:
            return replace(filters, but_not=(*filters.but_not, SearchFilters(file_ids=self.closed)))
        return filters

    def _asked(self, question: SearchOutcome) -> Steps[str]:
        """The answer of the person, who is not asked again for one given before the search began anew."""
        answer = self.to_give.pop(0) if self.to_give else (yield from perform(AskPerson(question)))
        self.given.append(answer)
        return answer

    def _relaxed(self, attempt: Attempt, found: Retrieval) -> Steps[Attempt | None]:
        """After 0 hits. Where an earlier round had hits, only back towards it: never wider than it was. Beside the
        conditions of the question nothing else is given up."""
        if self.trail.hits is not None:
            return attempts.stepped_back(attempt, self.trail, self.say)
        if attempt.threshold > policy.RELAXED and self._all_conditions_hold:
            telling = policy.telling_of(attempt.keywords, found.telling)
            if not policy.has_one_to_spare(telling):
                return attempts.loosened(attempt, attempt.keywords, self.say)
            proposed = self._of_model((yield from perform(RelaxKeywords(attempt.query, attempt.keywords, telling))))
            return attempts.loosened(attempt, policy.fewer_keywords(attempt.keywords, proposed, telling), self.say)
        return None

    def _is_last_under_conditions(self, attempt: Attempt) -> bool:
        """Whether nothing but the conditions of the question can be given up any more: that is done within the round,
        so that one is left for an answer of the person."""
        return self.conditions_droppable and self.trail.hits is None and attempt.threshold <= policy.RELAXED

    def _without_conditions(self, attempt: Attempt) -> Attempt:
        """The question without its conditions, under the filters the person set explicitly."""
        self.conditions_droppable = False
        self.trail = self.trail.without_bounds()
        no_longer_true = {*self.reading.notes, attempt.note, *(done.note for done in self.trail.rounds)}
        self.notes = [note for note in self.notes if note not in no_longer_true]
        conditions = self.say.comma.join(condition.label for condition in self.reading.conditions)
        self.understood = self.say.conditions_dropped.format(conditions=conditions)
        self.notes.append(self.understood)
        return Attempt(
            self.reading.text or self.inputs.question,
            self.trail.rounds[0].keywords if self.trail.rounds else attempt.keywords,
            self.inputs.threshold,
            self.inputs.filters,
            self.understood,
        )

    def _rewritten(self, attempt: Attempt, kept: Sequence[Evidence]) -> Steps[Attempt | None]:
        better = yield from perform(Rewrite(attempt.query, attempt.keywords, self._summaries(kept)))
        unchanged = RewrittenQuery(attempt.query, attempt.keywords)
        return attempts.rewritten(attempt, self._of_model(better) or unchanged, self.trail, self.say)

    def _answered(self, attempt: Attempt, answer: str, choices: Sequence[Choice]) -> Attempt | None:
        """No answer ends the search with the best found so far."""
        answer = " ".join(answer.split())
        if not answer:
            self.notes.append(self.say.skipped)
            return None
        return attempts.answered(attempt, answer, choices, self._read_answer, self.trail, self.say)

    # Outcomes

    def _show_best(self, found: Retrieval, chosen: Sequence[Evidence]) -> Steps[SearchOutcome]:
        """Check the files at their source, let the model order them, show them."""
        shown = yield from self._verified(chosen, len(chosen))
        if not shown:
            return self._outcome("not_found", not_found_message(self.say, self.trail, self.inputs.filters), ())
        ranked = None
        if len(shown) >= policy.SEVERAL:
            cards = tuple(FileCard.of(item) for item in shown)
            ranked = self._of_model((yield from perform(Rerank(self.inputs.question, cards))))
        ordered = policy.in_ranked_order(shown, ranked or ())
        message = found_message(self.say, found, chosen, shown, self.trail, in_order=ranked is not None)
        return self._outcome("found", message, ordered[: self._shown_count()])

    def _narrowing_question(self, found: Retrieval, attempt: Attempt) -> Steps[SearchOutcome]:
        """One question about the facet that splits the hits best, its choices, and the best found so far."""
        split = best_split(found, attempt.filters, attempt.query, self.inputs.language)
        facet, choices = (split.facet, split.choices) if split else (None, ())
        worded = yield from perform(WordQuestion(self.inputs.question, facet, choices, self._summaries(found.evidence)))
        question = self._of_model(worded) or (self.say.questions[facet] if facet else self.say.open_question)
        shown = yield from self._best_verified(found.evidence)
        message = self.say.needs_answer.format(hits=found.hit_count)
        every = (*choices, *(yield from self._other_choices(split, found, attempt)))
        asking = replace(self._outcome("needs_answer", message, shown), narrowing_question=question, choices=every)
        return (yield from self.with_unread(asking))

    def _other_choices(self, split: Split | None, found: Retrieval, attempt: Attempt) -> Steps[tuple[Choice, ...]]:
        """The hits that no choice holds, counted, and all hits."""
        show_all = Choice(self.say.show_all, found.hit_count, None)
        if split is None:
            return (show_all,)
        rest = others(split, self.say.others, 0)
        left = yield from perform(CountHits(self._query(attempt), narrowed_by(attempt.filters, rest)))
        return (*((replace(rest, count=left),) if left else ()), show_all)

    def _show_all(self, attempt: Attempt) -> Steps[SearchOutcome]:
        """Every hit that may be returned, nearest first."""
        query = replace(self._query(attempt), limit=self.inputs.limit, with_facets=not attempt.threshold)
        found = (yield from perform(Retrieve(query))).value
        shown = yield from self._verified(found.evidence, len(found.evidence))
        if not shown:
            return self._outcome("not_found", not_found_message(self.say, self.trail, self.inputs.filters), ())
        return self._outcome("found", self.say.all_of_them.format(hits=found.hit_count, count=len(shown)), shown)

    def _end(self) -> Steps[SearchOutcome]:
        """End when nothing is left to try: with the last hits, said to be too many, or with none."""
        hits = self.trail.hits
        if hits is None:
            return (yield from self._nothing_found())
        if self.trail.rounds[-1].hit_count == 0:
            self.notes.append(self.say.answer_left_nothing.format(hits=hits.hit_count))
        if hits.hit_count <= policy.SHOWN:
            return (yield from self._show_best(hits, hits.evidence))
        shown = yield from self._best_verified(policy.keep_best(hits.evidence))
        message = self.say.too_many.format(hits=hits.hit_count, count=len(shown))
        return self._outcome("too_many", message, shown)

    def _nothing_found(self) -> Steps[SearchOutcome]:
        """End with the nearest files: shown where it is ahead of all others and breaks no condition of the
        question, else named as what it is."""
        nearest = yield from self._retrieved(self._any_similarity(), with_facets=False)
        least = max(policy.LEAST_CLOSE, self.inputs.threshold - policy.BELOW_USUAL)
        answers = self._all_conditions_hold and not (self.first and policy.asks_for_an_absent_number(self.first.value))
        if answers and (best := policy.ahead(nearest.evidence, least)):
            return (yield from self._show_best(replace(nearest, hit_count=1), best))
        # A stand-in compares letters: where no word is the same, what it finds near is chance.
        of_words = self.first is not None and is_stand_in(self.first.model)
        closest = yield from self._best_verified(policy.close(nearest.evidence, of_words_alone=of_words))
        message = not_found_message(self.say, self.trail, self.inputs.filters, len(closest))
        return replace(self._outcome("not_found", message, ()), closest=closest)

    def with_unread(self, outcome: SearchOutcome) -> Steps[SearchOutcome]:
        """The outcome with the files it could not look into, under the filters that hold in the end."""
        subject = self.reading.text or self.inputs.question
        query = self._query(Attempt(subject, (), min(self.inputs.threshold, policy.RELAXED), self.filters))
        matches = yield from perform(FindUnread(query, self.inputs.question, self.inputs.filters))
        return with_unread(outcome, matches, self.say)

    def _any_similarity(self) -> Attempt:
        """The subject under the conditions that still hold, however far the files are from it."""
        filters = self.reading.filters if self.conditions_droppable else self.inputs.filters
        return Attempt(self.reading.text or self.inputs.question, (), policy.ANY_SIMILARITY, filters)

    def _best_verified(self, evidence: Sequence[Evidence]) -> Steps[tuple[Evidence, ...]]:
        shown = yield from self._verified(evidence, self._shown_count())
        return shown[: self._shown_count()]

    def _verified(self, evidence: Sequence[Evidence], wanted: int) -> Steps[tuple[Evidence, ...]]:
        """The best `wanted` documents that may be shown; the next best take the places of those that are gone."""
        shown: tuple[Evidence, ...] = ()
        waiting = tuple(evidence)
        while waiting and len(shown) < wanted:
            size = len(waiting) if self.begun_anew else wanted - len(shown)
            batch, waiting = waiting[:size], waiting[size:]
            kept = yield from perform(Verify(batch))
            left = {item.file_id for item in files_of(kept)}
            gone = tuple(item.file_id for item in files_of(batch) if item.file_id not in left)
            if gone and self.inputs.permissions:
                raise _Closed(gone)
            if gone:
                self.notes.append(self.say.gone.format(count=len(gone)))
            shown += kept
        unverified = sum(item.verified is None for item in files_of(shown))
        if unverified:
            self.notes.append(self.say.unverified.format(count=unverified))
        return shown

    def _outcome(self, kind: OutcomeKind, message: str, evidence: Sequence[Evidence]) -> SearchOutcome:
        understood = "" if self.understood in message else self.understood
        folded = len(files_of(evidence)) - len(evidence)
        if folded:
            self.notes.append(self.say.folded.format(count=folded))
        return SearchOutcome(
            outcome=kind,
            message=self.say.together(message, self._absent(), understood),
            evidence=tuple(evidence),
            rounds=self.trail.rounds,
            notes=tuple(dict.fromkeys(note for note in self.notes if note)),
            did_you_mean=respelled_question(self.inputs.question, self.first.value) if self.first else (),
        )

    # Small helpers

    @property
    def _all_conditions_hold(self) -> bool:
        return self.conditions_droppable == bool(self.reading.conditions)

    def _absent(self) -> str:
        """That no file holds some names of the question."""
        absent = self.first.value.absent if self.first else ()
        return self.say.absent.format(words=self.say.comma.join(absent)) if absent else ""

    def _read_answer(self, text: str) -> Reading:
        return read_question(text, SearchFilters(), self.inputs.today, self.inputs.fiscal_year_start, self.say)

    def _shown_count(self) -> int:
        return min(self.inputs.show, self.inputs.limit)

    def _summaries(self, evidence: Sequence[Evidence]) -> tuple[str, ...]:
        return tuple(item.summary for item in evidence[:SUMMARIES_SHOWN_TO_MODEL])

    def _of_model(self, result: ModelResult[Value | None]) -> Value | None:
        """The value of a result of the chat model or its stand-in; a stand-in is noted."""
        if result.failure is not None and result.model:
            self.notes.append(without_chat_model(result.failure, self.inputs.language))
        elif result.value is None:
            self.notes.append(self.say.model_silent)
        return result.value
