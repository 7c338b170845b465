"""Elasticsearch's hybrid search: `POST /{index}/_search` with a `match` query and a `knn` section, both filtered.

One document of the index is one chunk, with the fields of FIELDS; `embedding` is a `dense_vector` of the same model
that embeds the question, the names in EXACT are `keyword`s. The reciprocal rank retriever needs a paid licence, so the
scores of both parts are added, and divided by the best one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from locator_search.adapters.http.service import HttpService
from locator_search.core.retry import with_retries
from locator_search.model import Evidence, SearchFilters, TrackedChange
from locator_search.ports import Clock, Embedder
from locator_search.retrieval.evidence import cited_evidence
from locator_search.retrieval.evidence_filters import accepts, filters_as_mapping
from locator_search.text.clauses import clause_above

EXACT = ("document_id", "contribution_number", "meeting", "clause_number", "source_file")
FIELDS = (*EXACT, "text", "page_number", "page_is_estimated", "heading_path", "changes")
MOST_CANDIDATES = 1000


class ElasticEvidenceProvider:
    """An EvidenceProvider over one Elasticsearch index."""

    name = "elastic"

    def __init__(self, base_url: str, index: str, embedder: Embedder, clock: Clock, api_key: str | None = None) -> None:
        self._service = HttpService("Elasticsearch", base_url, clock, f"ApiKey {api_key}" if api_key else None)
        self._clock = clock
        self._path = f"{index}/_search"
        self._embedder = embedder

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first. A blank query finds nothing.

        Raises SourceError or ModelError.
        """
        if not query.strip() or top_k < 1:
            return []
        conditions = _conditions(filters)
        embedding = self._embedder.embed([query], "query")[0]
        body = {
            "size": top_k,
            "_source": list(FIELDS),
            "query": {"bool": {"should": [{"match": {"text": {"query": query}}}], "filter": conditions}},
            "knn": {
                "field": "embedding",
                "query_vector": [float(value) for value in embedding],
                "k": top_k,
                "num_candidates": min(MOST_CANDIDATES, max(100, 2 * top_k)),
                "filter": conditions,
            },
        }
        answer = self._service.as_object(with_retries(lambda: self._service.post_json(self._path, body), self._clock))
        found = _evidence(answer, query)
        return [item for item in found if accepts(filters, item)][:top_k]

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.search, query, filters, top_k)


def _conditions(filters: SearchFilters) -> list[Mapping[str, Any]]:
    exact = {name: values for name, values in filters_as_mapping(filters).items() if name != "clause_number"}
    found: list[Mapping[str, Any]] = [{"terms": {name: values}} for name, values in exact.items()]
    if filters.clauses:
        below = [{"prefix": {"clause_number": f"{clause_above(clause)}."}} for clause in filters.clauses]
        itself = {"terms": {"clause_number": list(filters.clauses)}}
        found.append({"bool": {"should": [itself, *below], "minimum_should_match": 1}})
    if filters.changed:
        found.append({"exists": {"field": "changes.kind"}})
    return found


def _evidence(answer: Mapping[str, Any], query: str) -> list[Evidence]:
    hits: Mapping[str, Any] = answer.get("hits") or {}
    rows = [hit for hit in hits.get("hits") or () if isinstance(hit, Mapping)]
    best = max((float(hit.get("_score") or 0.0) for hit in rows), default=0.0) or 1.0
    found = [_of_hit(hit, query, best) for hit in rows if (hit.get("_source") or {}).get("text")]
    return sorted(found, key=lambda item: -item.score)


def _of_hit(hit: Mapping[str, Any], query: str, best: float) -> Evidence:
    source: Mapping[str, Any] = hit["_source"]
    page = source.get("page_number")
    return cited_evidence(
        text=str(source["text"]),
        document_id=str(source.get("document_id") or hit.get("_id")),
        contribution_number=str(source.get("contribution_number") or ""),
        meeting=str(source.get("meeting") or ""),
        clause_number=source.get("clause_number") or None,
        page_number=page if isinstance(page, int) else None,
        score=float(hit.get("_score") or 0.0) / best,
        source_file=str(source.get("source_file") or ""),
        chunk_id=str(hit.get("_id") or "") or None,
        query=query,
        heading_path=tuple(str(title) for title in source.get("heading_path") or ()),
        page_is_estimated=bool(source.get("page_is_estimated")),
        changes=_changes(source.get("changes")),
    )


def _changes(stored: object) -> Sequence[TrackedChange]:
    rows = [row for row in stored if isinstance(row, Mapping)] if isinstance(stored, list) else []
    return [
        TrackedChange(row["kind"], str(row.get("text", "")), int(row.get("offset", 0)))
        for row in rows
        if row.get("kind") in ("insert", "delete")
    ]
