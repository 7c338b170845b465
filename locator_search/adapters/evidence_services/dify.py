"""Dify's knowledge retrieval: `POST /datasets/{dataset_id}/retrieve` of its Knowledge API.

What it knows of a contribution stands in the metadata of a document (`document_id`, `contribution_number`, `meeting`,
`source_file`); filters on these are its own. A segment has no metadata, only keywords: `clause:5.2.1` and `page:12` are
read there, and a clause also off the first line of the text. So the filter by clause is applied here, to as many
segments as the service returns at most. Tracked changes it knows none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from locator_search.adapters.http.service import HttpService
from locator_search.core.retry import with_retries
from locator_search.model import Evidence, SearchFilters
from locator_search.ports import Clock
from locator_search.retrieval.evidence import cited_evidence
from locator_search.retrieval.evidence_filters import accepts, filters_as_mapping
from locator_search.text.clauses import clause_number

LONGEST_QUERY = 250
"""Characters; the service refuses longer ones."""
MOST_SEGMENTS = 100


class DifyEvidenceProvider:
    """An EvidenceProvider over one Dify knowledge base."""

    name = "dify"
    typed_changes = False

    def __init__(self, base_url: str, api_key: str, dataset_id: str, clock: Clock) -> None:
        self._service = HttpService("Dify", base_url, clock, f"Bearer {api_key}")
        self._clock = clock
        self._path = f"datasets/{dataset_id}/retrieve"

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first. A blank query finds nothing. Raises SourceError."""
        if not query.strip() or top_k < 1 or filters.changed:
            return []
        model: dict[str, object] = {
            "search_method": "hybrid_search",
            "reranking_enable": False,
            "top_k": MOST_SEGMENTS if filters.clauses else min(top_k, MOST_SEGMENTS),
            "score_threshold_enabled": False,
        }
        conditions = [
            {"name": name, "comparison_operator": "in", "value": values}
            for name, values in filters_as_mapping(filters).items()
            if name != "clause_number"
        ]
        if conditions:
            model["metadata_filtering_conditions"] = {"logical_operator": "and", "conditions": conditions}
        body = {"query": query[:LONGEST_QUERY], "retrieval_model": model}
        answer = self._service.as_object(with_retries(lambda: self._service.post_json(self._path, body), self._clock))
        found = [item for item in _evidence(answer, query) if accepts(filters, item)]
        return sorted(found, key=lambda item: -item.score)[:top_k]

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.search, query, filters, top_k)


def _evidence(answer: Mapping[str, Any], query: str) -> Iterator[Evidence]:
    for record in _objects(answer.get("records")):
        segment = record.get("segment")
        if not isinstance(segment, Mapping) or not str(segment.get("content") or "").strip():
            continue
        document: Mapping[str, Any] = segment.get("document") or {}
        metadata: Mapping[str, Any] = document.get("doc_metadata") or {}
        text = str(segment["content"])
        marks = dict(_marks(segment.get("keywords")))
        yield cited_evidence(
            text=text,
            document_id=str(metadata.get("document_id") or document.get("id") or segment.get("document_id")),
            contribution_number=str(metadata.get("contribution_number") or ""),
            meeting=str(metadata.get("meeting") or ""),
            clause_number=marks.get("clause") or clause_number(text.partition("\n")[0]),
            page_number=int(marks["page"]) if marks.get("page", "").isdecimal() else None,
            score=float(record.get("score") or 0.0),
            source_file=str(metadata.get("source_file") or document.get("name") or ""),
            chunk_id=str(segment.get("id") or "") or None,
            query=query,
        )


def _marks(keywords: object) -> Iterator[tuple[str, str]]:
    """`clause:5.2.1` as (clause, 5.2.1)."""
    for keyword in keywords if isinstance(keywords, list) else ():
        name, colon, value = str(keyword).partition(":")
        if colon:
            yield name.strip(), value.strip()


def _objects(value: object) -> Sequence[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
