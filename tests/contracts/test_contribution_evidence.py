"""One contract for every provider of evidence on contributions: PostgreSQL, memory, Dify, Elasticsearch, one's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from locator_search.adapters.evidence_services import DifyEvidenceProvider, ElasticEvidenceProvider
from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import Database
from locator_search.core.errors import AccessDenied, ConfigurationError, SourceError, SourceUnavailable
from locator_search.model import Evidence, SearchFilters
from locator_search.ports import EvidenceProvider
from locator_search.retrieval.evidence import AsyncEvidenceProvider, provider_of
from locator_search.retrieval.evidence_filters import filters_as_mapping
from tests.builders.contributions import chunks_in, fill_index, sample_evidence
from tests.fakes.clock import HeldClock
from tests.fakes.evidence_in_memory import InMemoryEvidenceProvider
from tests.fakes.evidence_services import DIFY_KEY, ELASTIC_KEY, dify_server, elastic_server, serving

QUERY = "slice identifier in the registration request"
KINDS = ("pgvector", "memory", "dify", "elastic", "custom")
TYPED_CHANGES = ("pgvector", "memory", "elastic")


FILTERS = {
    "meeting": "meetings",
    "contribution_number": "contribution_numbers",
    "clause_number": "clauses",
    "document_id": "file_ids",
}


class OurStore(AsyncEvidenceProvider):
    """A provider as a user writes it."""

    def __init__(self) -> None:
        self.inner = InMemoryEvidenceProvider(OfflineEmbedder(), sample_evidence())

    async def search(
        self, query: str, filters: Mapping[str, Sequence[str]] | None = None, top_k: int = 10
    ) -> list[Evidence]:
        ours: dict[str, Any] = {FILTERS[name]: tuple(values) for name, values in (filters or {}).items()}
        return await self.inner.asearch(query, replace(SearchFilters(), **ours), top_k)


@pytest.fixture
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[str], EvidenceProvider]]:
    """Each provider over the same contributions; only what is asked for is started."""
    embedder, clock = OfflineEmbedder(), HeldClock()
    with ExitStack() as running:

        def made(kind: str) -> EvidenceProvider:
            if kind == "pgvector":
                database: Database = request.getfixturevalue("database")
                fill_index(database, sample_evidence())
                return chunks_in(database, embedder)
            if kind == "memory":
                return InMemoryEvidenceProvider(embedder, sample_evidence())
            if kind == "dify":
                url = running.enter_context(dify_server(sample_evidence())).url
                return DifyEvidenceProvider(f"{url}/v1", DIFY_KEY, "contributions", clock)
            if kind == "elastic":
                url = running.enter_context(elastic_server(sample_evidence())).url
                return ElasticEvidenceProvider(url, "contributions", embedder, clock, ELASTIC_KEY)
            return provider_of(OurStore())

        yield made


@pytest.mark.parametrize("kind", KINDS)
def test_evidence_names_document_contribution_meeting_clause_page_and_source(
    make: Callable[[str], EvidenceProvider], kind: str
) -> None:
    found = make(kind).search(QUERY, SearchFilters(), top_k=3)
    best = found[0]
    assert (best.contribution_number, best.meeting, best.clause_number, best.page_number) == (
        "S1-254001", "SA1#111", "5.2.1", 2,
    )  # fmt: skip
    assert best.document_id == "SA1#111/S1-254001/S1-254001.zip!S1-254001.docx"
    assert best.source_file == "S1-254001.zip!S1-254001.docx"
    assert "slice identifier in the registration request" in best.text
    assert len(found) == 3
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert all(0 <= item.score <= 1 and 0 <= item.similarity <= 1 for item in found)
    assert len({item.chunk_id for item in found}) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_filters_hold_exactly_alone_and_together(make: Callable[[str], EvidenceProvider], kind: str) -> None:
    provider = make(kind)

    def found(**filters: tuple[str, ...]) -> set[tuple[str | None, str | None]]:
        hits = provider.search("UE registration", SearchFilters(**filters), top_k=50)  # type: ignore[arg-type]
        return {(item.contribution_number, item.clause_number) for item in hits}

    assert found(meetings=("SA1#110",)) == {("S1-253100", "5.2.1"), ("S1-253100", "A.1")}
    assert found(contribution_numbers=("S1-254002", "S1-253100"), clauses=("5",)) == {
        ("S1-254002", "5.2.1"), ("S1-253100", "5.2.1"),
    }  # fmt: skip
    assert found(meetings=("SA1#111",), clauses=("5.2",)) == {
        ("S1-254001", "5.2.1"), ("S1-254001", "5.2.2"), ("S1-254002", "5.2.1"),
    }  # fmt: skip
    assert found(clauses=("Annex A",)) == {("S1-253100", "A.1")}
    assert found(meetings=("SA1#999",)) == set()


def test_postgresql_and_memory_are_one_search(make: Callable[[str], EvidenceProvider]) -> None:
    """The same chunks in the same order, with the same scores for the same reasons."""
    for query, filters in (
        (QUERY, SearchFilters()),
        ("UE", SearchFilters(clauses=("5.2",))),
        ("network shall reject", SearchFilters(meetings=("SA1#111",))),
    ):
        kept, held = (make(kind).search(query, filters) for kind in ("pgvector", "memory"))
        assert [one.chunk_id for one in kept] == [one.chunk_id for one in held] != []
        for one, other in zip(kept, held, strict=True):
            assert (one.score, one.similarity) == pytest.approx((other.score, other.similarity), rel=1e-4)
            assert one.explain.keys() == other.explain.keys()
            for way in {"vector", "keyword"} & one.explain.keys():
                assert one.explain[way] == pytest.approx(other.explain[way], rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_blank_query_finds_nothing(make: Callable[[str], EvidenceProvider], kind: str) -> None:
    assert make(kind).search(" \u3000\n", SearchFilters()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_searching_inside_an_event_loop_finds_the_same(make: Callable[[str], EvidenceProvider], kind: str) -> None:
    provider = make(kind)

    async def both() -> tuple[list[Evidence], list[Evidence]]:
        return await provider.asearch(QUERY, SearchFilters(), 2), provider.search(QUERY, SearchFilters(), 2)

    awaited, called = asyncio.run(both())
    assert awaited == called != []


@pytest.mark.parametrize("kind", TYPED_CHANGES)
def test_only_changed_passages_with_what_was_inserted_and_deleted(
    make: Callable[[str], EvidenceProvider], kind: str
) -> None:
    (changed,) = make(kind).search("UE", SearchFilters(changed=True), top_k=50)
    assert [(change.kind, change.text) for change in changed.changes] == [
        ("insert", " The network shall reject the request with a cause value."),
        ("delete", " The network may reject the request."),
    ]
    first = changed.changes[0]
    assert changed.text[first.offset : first.offset + len(first.text)] == first.text


def test_filters_reach_a_store_of_ones_own_by_the_names_of_the_fields_of_evidence() -> None:
    filters = SearchFilters(meetings=("SA1#111",), clauses=("5.2", "6"), file_ids=("a",))
    assert filters_as_mapping(filters) == {"meeting": ["SA1#111"], "clause_number": ["5.2", "6"], "document_id": ["a"]}


def test_a_long_query_is_cut_to_what_dify_accepts(make: Callable[[str], EvidenceProvider]) -> None:
    assert make("dify").search("registration " * 100, SearchFilters()) != []


def test_a_service_that_asks_to_wait_is_asked_again() -> None:
    clock = HeldClock()
    with dify_server(sample_evidence()) as server:
        server.refusals = [(429, {"Retry-After": "7"}), (503, {})]
        provider = DifyEvidenceProvider(f"{server.url}/v1", DIFY_KEY, "contributions", clock)
        assert provider.search(QUERY, SearchFilters()) != []
        assert len(server.requests) == 3
        assert clock.slept == [7.0, 2.0]


def test_what_a_service_does_wrong_is_one_clear_sentence() -> None:
    clock = HeldClock()
    with dify_server(sample_evidence()) as server, pytest.raises(AccessDenied, match="Dify refuses the key"):
        DifyEvidenceProvider(f"{server.url}/v1", "wrong", "contributions", clock).search(QUERY, SearchFilters())
    with serving("/i/_search", "ApiKey k", lambda body: "<html>") as server:
        provider = ElasticEvidenceProvider(server.url, "i", OfflineEmbedder(), clock, "k")
        with pytest.raises(SourceError, match="no JSON object"):
            provider.search(QUERY, SearchFilters())
        server.refusals = [(302, {"Location": "http://127.0.0.1:9/elsewhere"})]
        with pytest.raises(SourceError, match="302"):
            provider.search(QUERY, SearchFilters())
    with pytest.raises(SourceUnavailable, match="did not answer: Connection refused"):
        ElasticEvidenceProvider("http://127.0.0.1:9", "i", OfflineEmbedder(), clock).search(QUERY, SearchFilters())
    with pytest.raises(ConfigurationError, match="http"):
        DifyEvidenceProvider("file:///etc", "k", "d", clock)
