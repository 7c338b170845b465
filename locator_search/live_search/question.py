"""One live question: read `LiveQuestion.answer` from top to bottom.

The host decides what is asked, how often and in which order; the model writes queries before, and an answer after. Of
what a service says, only numbers of documents and addresses of services lead to another search, once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from datetime import date
from typing import Protocol

from locator_search.core.clock import share_of_deadline
from locator_search.core.errors import LocatorError
from locator_search.core.model_results import TOGETHER, ModelResult, is_stand_in
from locator_search.live_search.answer_text import checked_answer
from locator_search.live_search.budget import LEAST_EVIDENCE_TOKENS, TOTAL_TOKENS, excerpts, tokens_of
from locator_search.live_search.choosing import (
    INDEX_LOOKED_AT,
    MOST_OF_A_SERVICE,
    Chosen,
    Found,
    choose,
    with_followed,
)
from locator_search.live_search.claims import Passage
from locator_search.live_search.messages import Sentences
from locator_search.live_search.outcome import INDEX, AskedQuery, AskedService, BodyRead, LiveOutcome
from locator_search.live_search.progress import Progress
from locator_search.live_search.prompts import EMPTY, EvidenceCard, answer_prompt, queries_prompt
from locator_search.live_search.queries import DraftQuery, Target, alternatives_of, checked_queries, targets_of
from locator_search.live_search.references import followed, what_was_meant
from locator_search.live_search.same_document import document_key
from locator_search.live_search.warnings import Warnings
from locator_search.live_search.written import Written, written
from locator_search.llm.question_models import SHARE_OF_A_MODEL, QuestionChatModel
from locator_search.locales import Language
from locator_search.locales.said import told
from locator_search.model import Evidence, SearchReply, Service, ServiceHit, ServiceQuery
from locator_search.ports import Answer, Prompt
from locator_search.ports.services import ServiceGateway
from locator_search.text.cutting import truncate

SHARE_OF_SERVICES = 1 / 2
"""The share of the remaining seconds for services: to start, to search, and to read bodies."""
SHARE_OF_THE_ANSWER = 0.9
"""The share of the remaining seconds for the answer: only its stand-in comes after it, which needs no time."""
LONGEST_TITLE = 120
"""Characters of a title that a model is shown."""


class IndexLookup(Protocol):
    """Searches our own index."""

    def search(self, question: str, most: int) -> ModelResult[list[Evidence]]:
        """At most `most` files, best first, those that may be shown, and who embedded the question.

        Raises LocatorError.
        """
        ...


class LiveQuestion:
    """One question: who is asked, what is missing from its answer so far, and the tokens it took.

    `today` is a day of the person's own time zone.
    """

    def __init__(
        self,
        question: str,
        today: date,
        language: Language,
        gateway: ServiceGateway,
        chat_model: QuestionChatModel,
        index: IndexLookup | None,
        progress: Progress,
    ) -> None:
        self._question = question
        self._today = today
        self._language = language
        self._gateway = gateway
        self._chat_model = chat_model
        self._index = index
        self._progress = progress
        self._say = Sentences.of(language)
        self._warnings = Warnings(language)
        self._services: tuple[Service, ...] = ()
        self._labels: dict[str, str] = {}
        self._models: dict[str, None] = {}
        self._followed: tuple[SearchReply, ...] = ()
        self._tokens = 0

    def answer(self, queries: Sequence[ServiceQuery] = ()) -> LiveOutcome:
        """Write all queries at once, put them at once, read what was found at once, answer.

        `queries` are put as they are, and no model is asked for others: the person chose them among alternatives.
        """
        self._look_at_services()
        targets = targets_of(self._services)
        drafts = () if queries else self._draft(targets)
        searched = [query for draft in drafts for query in draft.as_service_queries] or _possible(queries, targets)
        found = self._search(searched)
        failed = {service.name for service in self._services if service.failure} | found.failed
        alternatives = alternatives_of(drafts, self._labels, without=failed | found.with_hits)
        chosen = choose(found.replies, found.indexed, [service.name for service in self._services])
        if chosen:
            chosen = self._read(chosen, found)
            if not queries:
                chosen = self._follow(chosen, [one for one in targets if one.service not in failed])
            answer = self._write(chosen)
        elif found.is_answered:
            answer = Written(self._say.nothing_found + (self._say.nothing_found_alternatives if alternatives else ""))
        elif targets and not searched:
            answer = Written(self._say.not_for_any_service)
        else:
            answer = Written(self._say.nobody_asked)
        without = {one.service for one in searched} - failed - found.with_hits - {one.hit.service for one in chosen}
        if chosen and without:
            empty = self._say.comma.join(self._labels[one.name] for one in self._services if one.name in without)
            answer = _with(answer, self._say.found_nothing_in.format(labels=empty))
        absent = [service.label for service in self._services if service.name in failed and not service.missing]
        if absent and chosen:
            answer = _with(answer, self._say.without.format(labels=self._say.comma.join(absent)))
        return replace(
            self._outcome(answer, chosen),
            queries=tuple(AskedQuery.of(reply, self._labels) for reply in [*found.replies, *self._followed]),
            alternatives=alternatives,
        )

    def follow(self, hits: Sequence[ServiceHit], earlier: Mapping[str, str]) -> LiveOutcome:
        """Answer from the evidence of an `earlier` answer, read anew; nothing is searched for."""
        self._look_at_services()
        hits = self._gateway.readable([hit for hit in hits if hit.service in self._labels])
        if not hits:
            return self._outcome(Written(self._say.nothing_to_follow), [])
        found = self._search(())
        known = {document_key(one.link): one for one in found.indexed}
        chosen = self._read([Chosen(hit, known.get(document_key(hit.place))) for hit in hits], found)
        return self._outcome(self._write(chosen, earlier), chosen)

    def _outcome(self, answer: Written, chosen: Sequence[Chosen]) -> LiveOutcome:
        return LiveOutcome(
            question=self._question,
            answer=answer.markdown,
            services=tuple(AskedService.of(service) for service in self._services),
            evidence=tuple(
                one.as_evidence(number, self._labels, answer.markdown, mock=self._is_made_up)
                for number, one in enumerate(chosen, 1)
            ),
            claims=answer.claims,
            disagreements=answer.disagreements,
            hits=tuple(one.hit for one in chosen),
            bodies=tuple(BodyRead.of(one.reply) for one in chosen if one.reply),
            warnings=self._warnings.all,
            tokens=self._tokens,
            models={"chat": TOGETHER.join(self._models)} if self._models else {},
        )

    # Asking

    @property
    def _is_made_up(self) -> bool:
        """Whether mocks answer; then everybody who answers is one."""
        return any(service.mock for service in self._services)

    def _look_at_services(self) -> None:
        self._progress.say(self._say.connecting)
        with share_of_deadline(SHARE_OF_SERVICES):
            configured = self._gateway.services()
        self._warnings.of_scopes(configured)
        self._services = tuple(service for service in configured if service.scope != "nothing")
        self._labels = {service.name: service.label for service in self._services} | {INDEX: self._say.index}
        self._progress.services(self._services)
        self._warnings.of_services(self._services)

    def _draft(self, targets: Sequence[Target]) -> list[DraftQuery]:
        if not targets:
            return []
        self._progress.say(self._say.drafting)
        answer = self._ask_model(queries_prompt(self._question, self._today, targets, self._language))
        return checked_queries(answer, targets, self._question)

    def _search(self, queries: Sequence[ServiceQuery]) -> Found:
        """All services at once, and the index beside them in a thread of its own."""
        if self._index is not None and self._is_made_up:
            self._warnings.of_index_left_out()
        if self._index is None or self._is_made_up:
            found = Found(self._search_services(queries))
        else:
            with ThreadPoolExecutor(1) as beside:
                context = copy_context()
                looking = beside.submit(context.run, self._index.search, self._question, INDEX_LOOKED_AT)
                replies = self._search_services(queries)
            try:
                looked = looking.result()
                found = Found(replies, tuple(looked.value), without_embeddings=looked.failure)
            except LocatorError as error:
                found = Found(replies, index_failure=told(error.message, self._language))
        self._warnings.of_searches(found, self._services)
        return found

    def _search_services(self, queries: Sequence[ServiceQuery]) -> tuple[SearchReply, ...]:
        if not queries:
            return ()
        with share_of_deadline(SHARE_OF_SERVICES):
            return tuple(self._gateway.search(queries, MOST_OF_A_SERVICE, self._progress.searching(queries)))

    def _ask_model(
        self, prompt: Prompt[Answer], share: float = SHARE_OF_A_MODEL, *, made_up: bool = False
    ) -> Answer | None:
        """The answer of the model, or of its stand-in with a warning; None where neither can.

        No model is shown what is `made_up`.
        """
        self._tokens += tokens_of(prompt)
        result = self._chat_model.ask_stand_in(prompt) if made_up else self._chat_model.ask(prompt, share)
        if result.model:
            self._models[result.model] = None
        self._warnings.of_chat_model(result.failure)
        return result.value

    # Reading

    def _read(self, chosen: Sequence[Chosen], found: Found) -> list[Chosen]:
        """The hits with their bodies, but not those of services that said they are asked too often."""
        hits = [one.hit for one in chosen if one.hit.service not in found.rate_limited | {INDEX}]
        if not hits:
            return list(chosen)
        with share_of_deadline(SHARE_OF_SERVICES):
            replies = self._gateway.fetch(hits, self._progress.reading(hits))
        self._warnings.of_bodies(replies, self._services)
        reply_to = dict(zip((hit.place for hit in hits), replies, strict=True))
        return [replace(one, reply=reply_to.get(one.hit.place)) for one in chosen]

    def _follow(self, chosen: Sequence[Chosen], targets: Sequence[Target]) -> list[Chosen]:
        """The evidence with what it refers to by number or address, looked up once; what that refers to is not."""
        self._followed = self._search_services(followed(chosen, targets, self._question))
        found = Found(self._followed)
        self._warnings.of_searches(found, self._services)
        added = [Chosen(hit) for hit in what_was_meant(self._followed, chosen)]
        order = [service.name for service in self._services]
        kept = with_followed(chosen, added, order)
        read = {one.hit.place: one for one in self._read([one for one in kept if one in added], found)}
        return [read.get(one.hit.place, one) for one in kept]

    def _write(self, chosen: Sequence[Chosen], earlier: Mapping[str, str] = EMPTY) -> Written:
        """The answer of the model or its stand-in, made safe; without either, the word that evidence follows."""
        self._progress.say(self._say.writing)
        cards = self._cards(chosen, earlier)
        prompt = answer_prompt(self._question, cards, self._language, earlier)
        for model in self._models if self._is_made_up else ():
            if not is_stand_in(model):
                self._warnings.of_model(self._say.mock_evidence.format(model=model))
        answer = self._ask_model(prompt, SHARE_OF_THE_ANSWER, made_up=self._is_made_up)
        text = answer.answer if answer else ""
        if not text.strip():
            self._warnings.of_model(self._say.answer_without_model)
            return Written(self._say.here_is_what_was_found)
        checked = checked_answer(text, {card.number: one.hit.place for card, one in zip(cards, chosen, strict=True)})
        if checked.links:
            self._warnings.of_model(self._say.links_removed.format(count=checked.links))
        if checked.refused:
            refused = self._say.comma.join(str(number) for number in checked.refused)
            self._warnings.of_model(self._say.citations_refused.format(numbers=refused))
        passages = {card.number: Passage(card.service, card.title, card.text) for card in cards}
        return written(checked, self._question, passages, self._language)

    def _cards(self, chosen: Sequence[Chosen], earlier: Mapping[str, str]) -> list[EvidenceCard]:
        """The evidence as a model is shown it: of each body the part that answers best, while tokens are left."""
        cards = [
            EvidenceCard(
                number, self._labels[one.hit.service], one.hit.kind, truncate(one.hit.title, LONGEST_TITLE), ""
            )
            for number, one in enumerate(chosen, start=1)
        ]
        taken = self._tokens + tokens_of(answer_prompt(self._question, cards, self._language, earlier))
        texts = excerpts([one.text for one in chosen], self._question, max(LEAST_EVIDENCE_TOKENS, TOTAL_TOKENS - taken))
        return [replace(card, text=text) for card, text in zip(cards, texts, strict=True)]


def _with(answer: Written, sentence: str) -> Written:
    return replace(answer, markdown=f"{answer.markdown}\n\n{sentence}")


def _possible(queries: Sequence[ServiceQuery], targets: Sequence[Target]) -> list[ServiceQuery]:
    searches = {(target.service, target.kind) for target in targets}
    return [query for query in queries if (query.service, query.kind) in searches]
