"""What a live search needs done."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.core.flow import Effect
from locator_search.core.model_results import ModelFailure, ModelResult
from locator_search.model import Evidence, FetchReply, SearchReply, Service, ServiceHit, ServiceQuery


@dataclass(frozen=True, slots=True)
class Target:
    """One search of one service, as a model is told about it. `name` is its field in the model's answer."""

    name: str
    service: str
    label: str
    kind: str
    understands_or: bool
    syntax: str


@dataclass(frozen=True, slots=True)
class DraftQuery:
    """What a model proposes for one target."""

    name: str
    query: str
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """One piece of evidence, as a model is told about it."""

    number: int
    service: str
    kind: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """What all services answered, in the order of the queries, and what our own index holds on the question."""

    replies: tuple[SearchReply, ...]
    indexed: tuple[Evidence, ...] = ()
    index_failure: str = ""
    without_embeddings: ModelFailure | None = None
    """Why the index was searched by words alone."""


@dataclass(frozen=True)
class LookAtServices(Effect[tuple[Service, ...]]):
    """Which services there are, and which of them can be asked now."""


@dataclass(frozen=True)
class DraftQueries(Effect[ModelResult[tuple[DraftQuery, ...] | None]]):
    """The queries of all services, in one call. `today` is an ISO date."""

    question: str
    today: str
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class SearchServices(Effect[Found]):
    """Put all queries at the same time, and look into the index meanwhile where that is wanted."""

    queries: tuple[ServiceQuery, ...]
    question: str
    with_index: bool


@dataclass(frozen=True)
class FetchBodies(Effect[tuple[FetchReply, ...]]):
    """Read the bodies of all hits at the same time."""

    hits: tuple[ServiceHit, ...]


@dataclass(frozen=True)
class WriteAnswer(Effect[ModelResult[str | None]]):
    """An answer in Markdown out of these cards, as the model wrote it: not yet to be trusted."""

    question: str
    cards: tuple[EvidenceCard, ...]
