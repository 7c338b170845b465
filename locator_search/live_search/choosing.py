"""Which hits become evidence: at most three of a service and nine in all, none twice. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from locator_search.core.in_turn import in_turn
from locator_search.core.model_results import ModelFailure
from locator_search.live_search.outcome import INDEX, IndexedCopy, LiveEvidence, Read
from locator_search.live_search.same_document import document_key, drive_key
from locator_search.model import Age, Evidence, FetchReply, SearchReply, ServiceHit

MOST_OF_A_SERVICE = 3
MOST_IN_ALL = 9
INDEX_THRESHOLD = 0.70
"""The similarity from which what only the index knows is evidence: where the Drive search begins, too."""
INDEX_LOOKED_AT = 10
"""Files of the index that hits of services are compared with."""


@dataclass(frozen=True, slots=True)
class Found:
    """The replies of all services, in the order of the queries, and what our own index holds on the question.

    `without_embeddings` says why the index was searched by words alone.
    """

    replies: tuple[SearchReply, ...]
    indexed: tuple[Evidence, ...] = ()
    index_failure: str = ""
    without_embeddings: ModelFailure | None = None

    @property
    def is_answered(self) -> bool:
        """Whether at least one search worked."""
        return any(reply.failure is None for reply in self.replies)

    @property
    def with_hits(self) -> set[str]:
        """The services that found something."""
        return {reply.query.service for reply in self.replies if reply.hits}

    @property
    def failed(self) -> set[str]:
        """The services of which a search failed."""
        return {reply.query.service for reply in self.replies if reply.failure}

    @property
    def rate_limited(self) -> set[str]:
        """The services that said they are asked too often."""
        failures = [(reply.query.service, reply.failure) for reply in self.replies if reply.failure]
        return {service for service, failure in failures if failure.reason == "rate_limited"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A hit that becomes evidence. `known` is the evidence our index has of the same document, `reply` its body."""

    hit: ServiceHit
    known: Evidence | None = None
    reply: FetchReply | None = None

    @property
    def text(self) -> str:
        """The body, else the text in the index, else the snippet."""
        if self.reply is not None and self.reply.text.strip():
            return self.reply.text
        return (self.known.text if self.known else "") or self.hit.snippet

    def as_evidence(self, number: int, labels: Mapping[str, str], answer: str, *, mock: bool) -> LiveEvidence:
        """The evidence as it is shown beside the answer."""
        hit = self.hit
        return LiveEvidence(
            number=number,
            service=hit.service,
            label=labels[hit.service],
            kind=hit.kind,
            title=hit.title,
            uri=hit.uri,
            snippet=hit.snippet,
            mock=mock,
            read=self._read(),
            cited=f"[{number}]" in answer,
            indexed=self._indexed(),
            name=hit.name,
        )

    def _indexed(self) -> IndexedCopy | None:
        if (known := self.known) is None:
            return None
        return IndexedCopy(known.file_id, known.modified_at, known.similarity, _age(self.hit, known))

    def _read(self) -> Read:
        if self.reply is None:
            return "body" if self.hit.service == INDEX and self.known and self.known.text else "snippet"
        if self.reply.failure is not None:
            return "not_read"
        return "body" if self.reply.text.strip() else "snippet"


def choose(replies: Sequence[SearchReply], indexed: Sequence[Evidence], order: Sequence[str]) -> list[Chosen]:
    """The evidence, service by service in their `order`, what only the index knows last.

    A service that is searched for several kinds gives the best of each in turn; the services take the nine places in
    turn, too. Of several queries for one kind, what the first finds comes first, but for what all others find. Links
    that lead nowhere cannot be evidence.
    """
    known = {key: evidence for evidence in reversed(indexed) for key in _keys(evidence)}
    by_service = {name: in_turn(_best_first(replies, name)) for name in order}
    queues: list[list[Chosen]] = []
    seen: set[str] = set()
    for name in order:
        queue = [Chosen(hit, known.get(document_key(hit.place))) for hit in _new(by_service[name], seen)]
        queues.append(queue[:MOST_OF_A_SERVICE])
    alone = [one for one in indexed if one.similarity >= INDEX_THRESHOLD and not seen & _keys(one)]
    queues.append([Chosen(hit_of(one), one) for one in alone[:MOST_OF_A_SERVICE]])
    taken = list(in_turn(queues))[:MOST_IN_ALL]
    return [chosen for queue in queues for chosen in queue if chosen in taken]


def with_followed(chosen: Sequence[Chosen], added: Sequence[Chosen], order: Sequence[str]) -> list[Chosen]:
    """The evidence with what it refers to at the end of each service, in place of the last where there are three."""
    together: list[Chosen] = []
    for name in (*order, INDEX):
        new = [one for one in added if one.hit.service == name][: MOST_OF_A_SERVICE - 1]
        own = [one for one in chosen if one.hit.service == name]
        together += [*own[: MOST_OF_A_SERVICE - len(new)], *new]
    return together[:MOST_IN_ALL]


def hit_of(evidence: Evidence) -> ServiceHit:
    """Evidence of the index in the form of a hit of a service."""
    return ServiceHit(
        service=INDEX,
        kind="file",
        title=evidence.file_name,
        snippet=evidence.snippet or evidence.summary,
        uri=evidence.link,
        fetch={"id": evidence.file_id},
    )


def _best_first(replies: Sequence[SearchReply], service: str) -> list[list[ServiceHit]]:
    """The hits of a service by kind: those of the first query before those of one other, after those of all others."""
    by_kind: dict[str, list[SearchReply]] = {}
    for reply in replies:
        if reply.query.service == service:
            by_kind.setdefault(reply.query.kind, []).append(reply)
    return [_merged(of_kind) for of_kind in by_kind.values()]


def _merged(replies: Sequence[SearchReply]) -> list[ServiceHit]:
    weights: dict[str, float] = {}
    hits: dict[str, ServiceHit] = {}
    for place, reply in enumerate(replies, start=1):
        for hit in reply.hits:
            hits.setdefault(hit.place, hit)
            weights[hit.place] = weights.get(hit.place, 0.0) + 1 / place
    return sorted(hits.values(), key=lambda hit: -weights[hit.place])


def _new(hits: Iterable[ServiceHit], seen: set[str]) -> Iterator[ServiceHit]:
    for hit in hits:
        key = document_key(hit.place)
        if key and key not in seen:
            seen.add(key)
            yield hit


def _keys(evidence: Evidence) -> set[str]:
    return {document_key(evidence.link), drive_key(evidence.file_id)}


def _age(hit: ServiceHit, known: Evidence) -> Age:
    modified = _time(hit.modified)
    if modified is None:
        return "live_newer" if known.freshness == "changed" else "unknown"
    if abs((modified - known.modified_at).total_seconds()) < 1:
        return "same"
    return "live_newer" if modified > known.modified_at else "index_newer"


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
