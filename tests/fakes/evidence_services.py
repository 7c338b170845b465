"""Loopback servers that speak the retrieval APIs of Dify and Elasticsearch as their public references describe them.

They rank with the provider in memory; what is tested is that a request is well-formed and an answer well understood.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.model import Evidence, SearchFilters
from tests.fakes.evidence_in_memory import InMemoryEvidenceProvider

Json = dict[str, Any]
DIFY_KEY, ELASTIC_KEY = "dataset-key", "elastic-key"


@dataclass
class Service:
    """One running server: its address, what it was asked, and refusals to send before it answers."""

    url: str = ""
    requests: list[Json] = field(default_factory=list)
    refusals: list[tuple[int, dict[str, str]]] = field(default_factory=list)


@contextmanager
def serving(path: str, authorization: str, answer: Callable[[Json], Json | str]) -> Iterator[Service]:
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.headers["Authorization"] != authorization:
                return self._send(401, {"code": "unauthorized"})
            if self.path != path:
                return self._send(404, {"code": "not_found"})
            service.requests.append(body)
            if service.refusals:
                return self._send(service.refusals[0][0], {}, service.refusals.pop(0)[1])
            try:
                return self._send(200, answer(body))
            except (AssertionError, KeyError, TypeError) as error:
                return self._send(400, {"code": "invalid_param", "message": repr(error)})

        def _send(self, status: int, body: Json | str, headers: dict[str, str] | None = None) -> None:
            raw = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def dify_server(evidence: Sequence[Evidence]) -> Any:
    """`POST /v1/datasets/{id}/retrieve`: segments with keywords, documents with metadata, conditions on metadata."""
    held = InMemoryEvidenceProvider(OfflineEmbedder(), evidence)

    def answer(body: Json) -> Json:
        assert 0 < len(body["query"]) <= 250
        model = body["retrieval_model"]
        assert model["search_method"] in ("hybrid_search", "semantic_search", "full_text_search", "keyword_search")
        assert {"reranking_enable", "score_threshold_enabled", "top_k"} <= set(model)
        found = held.search(body["query"], SearchFilters(), 1000)
        wanted = model.get("metadata_filtering_conditions") or {"logical_operator": "and", "conditions": []}
        assert wanted["logical_operator"] == "and"
        for condition in wanted["conditions"]:
            assert condition["comparison_operator"] in ("in", "is")
            found = [item for item in found if _metadata(item)[condition["name"]] in condition["value"]]
        return {"query": {"content": body["query"]}, "records": [_record(item) for item in found[: model["top_k"]]]}

    return serving("/v1/datasets/contributions/retrieve", f"Bearer {DIFY_KEY}", answer)


def _metadata(item: Evidence) -> dict[str, str]:
    return {
        "document_id": item.document_id,
        "contribution_number": str(item.contribution_number),
        "meeting": str(item.meeting),
        "source_file": item.source_file,
    }


def _record(item: Evidence) -> Json:
    return {
        "segment": {
            "id": item.chunk_id,
            "position": 1,
            "document_id": "a8e0e5b5",
            "content": item.text,
            "answer": "",
            "keywords": [f"clause:{item.clause_number}", f"page:{item.page_number}"],
            "enabled": True,
            "status": "completed",
            "document": {
                "id": "a8e0e5b5",
                "data_source_type": "upload_file",
                "name": item.file_name,
                "doc_metadata": _metadata(item),
            },
        },
        "child_chunks": [],
        "score": item.score,
        "tsne_position": None,
    }


def elastic_server(evidence: Sequence[Evidence]) -> Any:
    """`POST /{index}/_search` with `query.bool` and `knn`; understands `terms`, `prefix`, `exists` and `bool`."""
    held = InMemoryEvidenceProvider(OfflineEmbedder(), evidence)
    dimensions = OfflineEmbedder().dimensions

    def answer(body: Json) -> Json:
        boolean, knn = body["query"]["bool"], body["knn"]
        assert len(knn["query_vector"]) == dimensions
        assert knn["k"] <= knn["num_candidates"]
        assert boolean["filter"] == knn["filter"]
        query = boolean["should"][0]["match"]["text"]["query"]
        found = [item for item in held.search(query, SearchFilters(), 1000) if _passes(item, boolean["filter"])]
        hits = [
            {"_index": "contributions", "_id": item.chunk_id, "_score": 7.5 * item.score, "_source": _source(item)}
            for item in found[: body["size"]]
        ]
        return {"took": 1, "timed_out": False, "hits": {"total": {"value": len(found)}, "hits": hits}}

    return serving("/contributions/_search", f"ApiKey {ELASTIC_KEY}", answer)


def _source(item: Evidence) -> Json:
    return {
        **_metadata(item),
        "text": item.text,
        "clause_number": item.clause_number,
        "page_number": item.page_number,
        "changes": [{"kind": one.kind, "text": one.text, "offset": one.offset} for one in item.changes],
    }


def _passes(item: Evidence, conditions: list[Json]) -> bool:
    source = _source(item)

    def passes(condition: Json) -> bool:
        ((kind, inside),) = condition.items()
        if kind == "bool":
            assert inside["minimum_should_match"] == 1
            return any(passes(one) for one in inside["should"])
        if kind == "exists":
            assert inside == {"field": "changes.kind"}
            return bool(source["changes"])
        ((name, value),) = inside.items()
        return source[name] in value if kind == "terms" else str(source[name]).startswith(value)

    return all(passes(condition) for condition in conditions)
