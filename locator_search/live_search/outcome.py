"""The outcome of a live search. Nothing here holds the body of a file or message: only what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.model import Age, FetchReply, SearchReply, Service, ServiceHit, ServiceQuery
from locator_search.text.statements.doubts import Doubt

INDEX = "index"
"""The name under which hits out of our own index stand among the services."""
MODEL = "model"
"""The name under which warnings about the language model stand among those of services."""

Read = Literal["body", "snippet", "not_read"]
"""The part of a hit that the model was shown: its body, or the snippet where there is none or it was not read."""


@dataclass(frozen=True, slots=True)
class IndexedCopy:
    """The same document in our index. `age` compares the live document with it."""

    file_id: str
    modified_at: datetime
    similarity: float
    age: Age = "unknown"


@dataclass(frozen=True, slots=True)
class LiveEvidence:
    """One hit, numbered from 1 as the answer cites it. `label` is the service as a person calls it; with `mock` it is
    made up. Without a `uri` there is nothing to open, and `name` is what its service knows it by."""

    number: int
    service: str
    label: str
    kind: str
    title: str
    uri: str
    snippet: str
    mock: bool = False
    read: Read = "snippet"
    cited: bool = False
    indexed: IndexedCopy | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """One query as it was put, how many hits came back (None: it failed), and how long that took."""

    service: str
    label: str
    kind: str
    query: str
    found: int | None
    seconds: float

    @classmethod
    def of(cls, reply: SearchReply, labels: Mapping[str, str]) -> AskedQuery:
        """The query of this reply."""
        query, found = reply.query, None if reply.failure else len(reply.hits)
        return cls(query.service, labels[query.service], query.kind, query.query, found, reply.seconds)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A query to try of a service that found nothing, for one or several kinds of things. It was not tried."""

    service: str
    label: str
    query: str
    kinds: tuple[str, ...]

    @property
    def queries(self) -> tuple[ServiceQuery, ...]:
        """The queries of a search that tries it."""
        return tuple(ServiceQuery(self.service, kind, self.query) for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class LiveWarning:
    """Something that is missing from an answer, and why, in the language of the question."""

    service: str
    message: str


@dataclass(frozen=True, slots=True)
class AskedService:
    """A service as it stood: `mock` where made-up data answered, for want of the settings `missing`."""

    name: str
    label: str
    mock: bool
    failed: bool
    missing: tuple[str, ...] = ()

    @classmethod
    def of(cls, service: Service) -> AskedService:
        """The service as it stands."""
        return cls(service.name, service.label, service.mock, service.failure is not None, service.missing)


@dataclass(frozen=True, slots=True)
class BodyRead:
    """How much of a body was read, 0 characters where that failed or there is none."""

    service: str
    kind: str
    characters: int
    seconds: float

    @classmethod
    def of(cls, reply: FetchReply) -> BodyRead:
        """The body of this reply."""
        return cls(reply.hit.service, reply.hit.kind, len(reply.text), reply.seconds)


@dataclass(frozen=True, slots=True)
class LiveCitation:
    """A sentence of the evidence of this number: the one that states a claim, or comes nearest to it."""

    number: int
    quote: str


@dataclass(frozen=True, slots=True)
class LiveClaim:
    """A statement of the answer, with the evidence it cites and what that does not say of it."""

    text: str
    citations: tuple[LiveCitation, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether the evidence it cites states it."""
        return bool(self.citations) and not self.doubts


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two services that say different things about what was asked."""

    said: tuple[LiveCitation, LiveCitation]


@dataclass(frozen=True, slots=True)
class LiveOutcome:
    """A live search that has ended.

    `answer` is Markdown without a single link; it cites evidence as [1]. `claims` are its statements. `hits` are what
    the evidence was, in its order, to be read again for a question that follows. `alternatives` are to be tried by hand
    where nothing was found. `tokens` is what the two calls to a model may have taken at most, as
    estimated before (`text.cutting`). `seconds` is how long the whole question took.
    """

    question: str
    answer: str
    services: tuple[AskedService, ...] = ()
    queries: tuple[AskedQuery, ...] = ()
    evidence: tuple[LiveEvidence, ...] = ()
    claims: tuple[LiveClaim, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    hits: tuple[ServiceHit, ...] = ()
    bodies: tuple[BodyRead, ...] = ()
    warnings: tuple[LiveWarning, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    tokens: int = 0
    models: Mapping[str, str] = field(default_factory=dict)
    usage: Usage = NOTHING_USED
    seconds: float = field(default=0.0, compare=False)

    @property
    def all_failed(self) -> bool:
        """Whether not a single service could be asked."""
        return bool(self.services) and not any(query.found is not None for query in self.queries)
