"""A live search as a flow: read `LiveFlow.run` from top to bottom.

The host decides what is asked, how often and in which order; the model writes queries before, and an answer after. What
a service says never leads to another call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from locator_search.core.flow import Flow, Steps, perform
from locator_search.live_search import prompts
from locator_search.live_search.answer_text import checked_answer
from locator_search.live_search.budget import LEAST_EVIDENCE_TOKENS, TOTAL_TOKENS, excerpts, tokens_of
from locator_search.live_search.choosing import Chosen, choose
from locator_search.live_search.effects import (
    DraftQueries,
    DraftQuery,
    EvidenceCard,
    FetchBodies,
    Found,
    LookAtServices,
    SearchServices,
    Target,
    WriteAnswer,
)
from locator_search.live_search.inputs import LiveInputs
from locator_search.live_search.messages import sentences
from locator_search.live_search.outcome import (
    INDEX,
    Alternative,
    AskedQuery,
    AskedService,
    LiveEvidence,
    LiveOutcome,
    Read,
)
from locator_search.live_search.queries import (
    as_service_queries,
    checked_queries,
    targets_of,
)
from locator_search.live_search.warnings import Warnings
from locator_search.model import FetchReply, SearchReply, Service, ServiceQuery
from locator_search.text.truncate import truncate

LONGEST_TITLE = 120
"""Characters of a title that a model is shown."""


Bodies = Mapping[int, FetchReply]
"""What became of reading, by the number of the evidence."""


def search_live(inputs: LiveInputs) -> Steps[LiveOutcome]:
    """The whole search."""
    return (yield from LiveFlow(inputs).run())


LIVE_SEARCH = Flow("live_search", "2", LiveInputs, search_live)


class LiveFlow:
    """One search. Its state is what was asked, what is missing, and the tokens that are left."""

    def __init__(self, inputs: LiveInputs) -> None:
        self.inputs = inputs
        self.say = sentences(inputs.language)
        self.warnings = Warnings(inputs.language)
        self.services: tuple[Service, ...] = ()
        self.drafts: list[DraftQuery] = []
        self.tokens = 0

    def run(self) -> Steps[LiveOutcome]:
        """Write all queries at once, put them at once, read what was found at once, answer."""
        self.services = yield from perform(LookAtServices())
        self.warnings.of_services(self.services)
        targets = targets_of(self.services)
        queries = yield from self._queries(targets)
        found = yield from self._search(queries)
        chosen = choose(found.replies, found.indexed, [service.name for service in self.services])
        if not chosen:
            return self._nothing(queries, found, targets)
        bodies = yield from self._read(chosen, found.replies)
        answer = yield from self._answer(chosen, bodies)
        return self._outcome(answer, found, chosen, bodies, targets)

    # Asking

    def _queries(self, targets: tuple[Target, ...]) -> Steps[tuple[ServiceQuery, ...]]:
        if self.inputs.queries:
            known = {(target.service, target.kind) for target in targets}
            return tuple(query for query in self.inputs.queries if (query.service, query.kind) in known)
        if not targets:
            return ()
        effect = DraftQueries(self.inputs.question, self.inputs.today.isoformat(), targets)
        self.tokens += tokens_of(prompts.queries_prompt(effect, self.inputs.language))
        drafts = yield from perform(effect)
        self.warnings.of_chat_model(drafts.failure)
        self.drafts = checked_queries(drafts.value or (), targets, self.inputs.question)
        return as_service_queries(self.drafts, targets)

    def _search(self, queries: tuple[ServiceQuery, ...]) -> Steps[Found]:
        if not queries and not self.inputs.with_index:
            return Found(())
        found = yield from perform(SearchServices(queries, self.inputs.question, self.inputs.with_index))
        self.warnings.of_searches(found, self.services)
        return found

    # Reading

    def _read(self, chosen: Sequence[Chosen], replies: Sequence[SearchReply]) -> Steps[Bodies]:
        """The bodies of the hits, but not of services that said they are asked too often."""
        limited = {reply.query.service for reply in replies if _is_limited(reply)}
        asked = [number for number, one in enumerate(chosen, 1) if one.hit.service not in limited | {INDEX}]
        if not asked:
            return {}
        replied = yield from perform(FetchBodies(tuple(chosen[number - 1].hit for number in asked)))
        self.warnings.of_bodies(replied, self.services)
        return dict(zip(asked, replied, strict=True))

    def _answer(self, chosen: Sequence[Chosen], bodies: Bodies) -> Steps[str]:
        """What the model or its stand-in wrote, made safe; without either, the word that evidence follows."""
        numbers = {number: one.hit.uri for number, one in enumerate(chosen, start=1)}
        draft = yield from perform(WriteAnswer(self.inputs.question, self._cards(chosen, bodies)))
        self.warnings.of_chat_model(draft.failure)
        written = draft.value or ""
        if not written.strip():
            self.warnings.of_model(self.say.answer_without_model)
            return self.say.here_is_what_was_found
        checked = checked_answer(written, numbers)
        if checked.links:
            self.warnings.of_model(self.say.links_removed.format(count=checked.links))
        if checked.refused:
            refused = self.say.comma.join(str(number) for number in checked.refused)
            self.warnings.of_model(self.say.citations_refused.format(numbers=refused))
        return checked.markdown or self.say.here_is_what_was_found

    def _cards(self, chosen: Sequence[Chosen], bodies: Bodies) -> tuple[EvidenceCard, ...]:
        """What the model is shown: of each body the part that answers best, as long as tokens are left for it."""
        labels = self._labels()
        bare = [
            EvidenceCard(number, labels[one.hit.service], one.hit.kind, truncate(one.hit.title, LONGEST_TITLE), "")
            for number, one in enumerate(chosen, start=1)
        ]
        self.tokens += tokens_of(
            prompts.answer_prompt(WriteAnswer(self.inputs.question, tuple(bare)), self.inputs.language)
        )
        room = max(LEAST_EVIDENCE_TOKENS, TOTAL_TOKENS - self.tokens)
        texts = excerpts(
            [_text(one, bodies.get(number)) for number, one in enumerate(chosen, 1)], self.inputs.question, room
        )
        cards = tuple(replace(card, text=text) for card, text in zip(bare, texts, strict=True))
        self.tokens += tokens_of(prompts.answer_prompt(WriteAnswer("", cards), self.inputs.language)) - tokens_of(
            prompts.answer_prompt(WriteAnswer("", tuple(bare)), self.inputs.language)
        )
        return cards

    # Telling

    def _nothing(self, queries: Sequence[ServiceQuery], found: Found, targets: tuple[Target, ...]) -> LiveOutcome:
        if any(reply.failure is None for reply in found.replies):
            alternatives = self._alternatives(found, targets)
            answer = self.say.nothing_found + (self.say.nothing_found_alternatives if alternatives else "")
        elif targets and not queries:
            answer = self.say.not_for_any_service
        else:
            answer = self.say.nobody_asked
        return self._outcome(answer, found, (), {}, targets)

    def _outcome(
        self,
        answer: str,
        found: Found,
        chosen: Sequence[Chosen],
        bodies: Bodies,
        targets: tuple[Target, ...],
    ) -> LiveOutcome:
        labels = self._labels()
        absent = [service.label for service in self.services if service.name in _failed(self.services, found)]
        if absent and chosen:
            answer = f"{answer}\n\n{self.say.without.format(labels=self.say.comma.join(absent))}"
        return LiveOutcome(
            question=self.inputs.question,
            answer=answer,
            services=tuple(
                AskedService(one.name, one.label, one.mock, one.failure is not None, one.missing)
                for one in self.services
            ),
            queries=tuple(_asked(reply, labels) for reply in found.replies),
            evidence=tuple(
                LiveEvidence(
                    number=number,
                    service=one.hit.service,
                    label=labels[one.hit.service],
                    kind=one.hit.kind,
                    title=one.hit.title,
                    uri=one.hit.uri,
                    snippet=one.hit.snippet,
                    read=_read(one, bodies.get(number)),
                    cited=f"[{number}]" in answer,
                    indexed=one.indexed,
                )
                for number, one in enumerate(chosen, start=1)
            ),
            warnings=self.warnings.all,
            alternatives=self._alternatives(found, targets),
            tokens=self.tokens,
        )

    def _alternatives(self, found: Found, targets: tuple[Target, ...]) -> tuple[Alternative, ...]:
        """What to try of services in which not one query found anything, and none failed. Nothing of it was tried."""
        asked = {reply.query.service for reply in found.replies}
        with_hits = {reply.query.service for reply in found.replies if reply.hits}
        empty = asked - with_hits - _failed(self.services, found)
        places, labels = {target.name: target for target in targets}, self._labels()
        kinds: dict[tuple[str, str], list[str]] = {}
        for draft in self.drafts:
            for query in draft.alternatives if places[draft.name].service in empty else ():
                kinds.setdefault((places[draft.name].service, query), []).append(places[draft.name].kind)
        return tuple(Alternative(name, labels[name], query, tuple(of)) for (name, query), of in kinds.items())

    def _labels(self) -> dict[str, str]:
        return {**{service.name: service.label for service in self.services}, INDEX: self.say.index}


def _failed(services: Sequence[Service], found: Found) -> set[str]:
    """Services that could not be asked, or of which a query failed."""
    return {service.name for service in services if service.failure} | {
        reply.query.service for reply in found.replies if reply.failure
    }


def _is_limited(reply: SearchReply) -> bool:
    return reply.failure is not None and reply.failure.reason == "rate_limited"


def _asked(reply: SearchReply, labels: dict[str, str]) -> AskedQuery:
    query, found = reply.query, None if reply.failure else len(reply.hits)
    return AskedQuery(query.service, labels[query.service], query.kind, query.query, found, reply.seconds)


def _text(chosen: Chosen, reply: FetchReply | None) -> str:
    """What there is to read: the body, what the index holds of it, or else the snippet."""
    if reply is not None and reply.text.strip():
        return reply.text
    return (chosen.known.text if chosen.known else "") or chosen.hit.snippet


def _read(chosen: Chosen, reply: FetchReply | None) -> Read:
    if reply is None:
        return "body" if chosen.hit.service == INDEX and chosen.known and chosen.known.text else "snippet"
    if reply.failure is not None:
        return "not_read"
    return "body" if reply.text.strip() else "snippet"
