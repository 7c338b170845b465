"""Rerank services that speak the shape of Cohere, Jina or text-embeddings-inference.

| kind   | request                                                    | answer                                |
|--------|------------------------------------------------------------|---------------------------------------|
| cohere | POST v2/rerank {model, query, documents}                   | {results: [{index, relevance_score}]} |
| jina   | POST v1/rerank {model, query, documents, return_documents} | {results: [{index, relevance_score}]} |
| tei    | POST rerank {query, texts, truncate}                       | [{index, score}]                      |

Jina sends the texts back unless told not to; text-embeddings-inference refuses a whole request for one text that is too
long for its model unless told to cut it.

Nothing is tried twice: a search whose reranker is away shows the order by embedding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from locator_search.adapters.http.service import HttpService
from locator_search.core.errors import SourceError
from locator_search.ports import Clock

Kind = Literal["cohere", "jina", "tei"]

ADDRESSES: Mapping[Kind, str] = {"cohere": "https://api.cohere.com", "jina": "https://api.jina.ai"}
MODELS: Mapping[Kind, str] = {"cohere": "rerank-v3.5", "jina": "jina-reranker-v2-base-multilingual", "tei": ""}
PATHS: Mapping[Kind, str] = {"cohere": "v2/rerank", "jina": "v1/rerank", "tei": "rerank"}
SENT_AT_ONCE: Mapping[Kind, int] = {"cohere": 1_000, "jina": 1_000, "tei": 32}
"""Texts of one request; 32 is what text-embeddings-inference takes unless told otherwise."""
LONGEST_TEXT = 1_000
"""Characters of a post that are sent: a text beyond 500 tokens counts as several at Cohere's."""


class HttpReranker:
    """A Reranker behind an HTTP service."""

    def __init__(
        self, kind: Kind, clock: Clock, *, base_url: str | None, api_key: str | None, model: str | None
    ) -> None:
        self.name = f"{kind}:{model or MODELS[kind]}".rstrip(":")
        self._kind = kind
        self._model = model or MODELS[kind]
        authorization = f"Bearer {api_key}" if api_key else None
        address = base_url or ADDRESSES.get(kind, "")
        self._service = HttpService(f"The reranker ({kind})", address, clock, authorization)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One value in [0, 1] per text. What the service does not score has 0. Raises SourceError."""
        at_once = SENT_AT_ONCE[self._kind]
        groups = [texts[start : start + at_once] for start in range(0, len(texts), at_once)]
        return [score for group in groups for score in self._score_group(question, group)]

    def _score_group(self, question: str, texts: Sequence[str]) -> list[float]:
        body = self._body(question, [text[:LONGEST_TEXT] for text in texts])
        answer = self._service.post_json(PATHS[self._kind], body)
        results = answer.get("results") if isinstance(answer, Mapping) else answer
        if not isinstance(results, list):
            raise SourceError("The reranker answered with something else than scores.")
        return scores_by_index([_pair(one) for one in results if isinstance(one, Mapping)], len(texts))

    def _body(self, question: str, texts: list[str]) -> dict[str, object]:
        if self._kind == "tei":
            return {"query": question, "texts": texts, "truncate": True}
        body: dict[str, object] = {"model": self._model, "query": question, "documents": texts}
        return body | {"return_documents": False} if self._kind == "jina" else body


def scores_by_index(pairs: Sequence[tuple[object, object]], count: int) -> list[float]:
    """One score per index: missing 0, the first of duplicates, nothing out of range, every value within [0, 1]."""
    scores: dict[int, float] = {}
    for index, score in pairs:
        known = type(index) is int and 0 <= index < count and isinstance(score, int | float)
        if known and math.isfinite(float(score)):  # type: ignore[arg-type]  # a number, as the line before checks
            scores.setdefault(index, min(max(float(score), 0.0), 1.0))  # type: ignore[arg-type]
    return [scores.get(index, 0.0) for index in range(count)]


def _pair(result: Mapping[str, Any]) -> tuple[object, object]:
    return result.get("index"), result.get("relevance_score", result.get("score"))
