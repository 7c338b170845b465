"""Rerankers: one score in [0, 1] per text, in their order, whatever a service or a model answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import BaseModel

from locator_search.adapters.rerankers.http import HttpReranker, Kind
from locator_search.adapters.rerankers.lexical import LexicalReranker
from locator_search.adapters.rerankers.model import ModelReranker
from locator_search.core.errors import AccessDenied, SourceError, SourceUnavailable
from locator_search.llm.answers import RelevanceAnswer, RelevanceScore
from locator_search.ports import Prompt
from locator_search.ports.x.rerankers import Reranker
from tests.fakes.clock import HeldClock

QUESTION = "在宅勤務の椅子"
TEXTS = ["電車が遅れた", "在宅勤務の椅子を替えた", "在宅勤務は楽だ"]

Answering = Callable[[str, dict[str, Any]], tuple[int, object]]


@contextmanager
def service(answer: Answering) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, said = answer(self.path, body)
            content = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def reranker(kind: Kind, url: str) -> HttpReranker:
    return HttpReranker(kind, HeldClock(), base_url=url, api_key="k", model="m")


def in_the_shape_of(path: str, body: dict[str, Any]) -> tuple[int, object]:
    """As the three services answer, best first and by index; each refuses what it refuses."""
    known = {
        "/v2/rerank": {"model", "query", "documents", "top_n", "max_tokens_per_doc"},
        "/v1/rerank": {"model", "query", "documents", "top_n", "return_documents"},
        "/rerank": {"query", "texts", "truncate", "truncation_direction", "raw_scores", "return_text"},
    }[path]
    if not set(body) <= known or (path != "/rerank" and not body["model"]):
        return 422, {"message": "invalid request"}
    texts = body.get("documents") or body["texts"]
    if path == "/rerank" and (len(texts) > 32 or (max(map(len, texts)) > 512 and not body.get("truncate"))):
        return 413, {"error": "`inputs` must have less than 512 tokens", "error_type": "Validation"}
    scores = [sum(word in text for word in ("在宅勤務", "椅子")) / 2 for text in texts]
    order = sorted(range(len(texts)), key=lambda index: -scores[index])
    if path == "/rerank":
        return 200, [{"index": index, "score": scores[index]} for index in order]
    results: list[dict[str, Any]] = [{"index": index, "relevance_score": scores[index]} for index in order]
    if path == "/v1/rerank" and body.get("return_documents", True):
        results = [{**one, "document": {"text": texts[one["index"]]}} for one in results]
    usage = {"meta": {"billed_units": {"search_units": 1}}} if path == "/v2/rerank" else {"usage": {"total_tokens": 9}}
    return 200, {"id": "r", **usage, "results": results}


class ScriptedModel:
    """A chat model with one answer."""

    model_name = "scripted"

    def __init__(self, *scores: tuple[str, int]) -> None:
        self.scores = scores

    def answer(self, prompt: Prompt[Any]) -> Any:
        assert issubclass(prompt.output_model, BaseModel)
        return RelevanceAnswer(scores=[RelevanceScore(id=one, score=score) for one, score in self.scores])


@pytest.mark.parametrize("kind", ["cohere", "jina", "tei", "model", "lexical"])
def test_the_text_that_answers_scores_highest(kind: str) -> None:
    with service(in_the_shape_of) as url:
        of_kind: dict[str, Reranker] = {
            "cohere": reranker("cohere", url),
            "jina": reranker("jina", url),
            "tei": reranker("tei", url),
            "model": ModelReranker(ScriptedModel(("P2", 95), ("P3", 40), ("P1", 0))),
            "lexical": LexicalReranker(),
        }
        scores = of_kind[kind].score(QUESTION, TEXTS)
    assert len(scores) == 3
    assert all(0 <= score <= 1 for score in scores)
    assert scores[1] > scores[2] > scores[0]
    assert of_kind[kind].score(QUESTION, []) == []


def test_many_texts_go_to_text_embeddings_inference_in_groups() -> None:
    asked: list[int] = []

    def answer(path: str, body: dict[str, Any]) -> tuple[int, object]:
        asked.append(len(body["texts"]))
        return in_the_shape_of(path, body)

    with service(answer) as url:
        assert len(reranker("tei", url).score(QUESTION, TEXTS * 20)) == 60
    assert asked == [32, 28]


def test_services_are_sent_the_beginning_of_a_long_post_and_do_not_send_it_back() -> None:
    asked: list[dict[str, Any]] = []

    def answer(path: str, body: dict[str, Any]) -> tuple[int, object]:
        asked.append(body)
        return in_the_shape_of(path, body)

    kinds: tuple[Kind, ...] = ("cohere", "jina", "tei")
    with service(answer) as url:
        for kind in kinds:
            assert reranker(kind, url).score(QUESTION, ["在宅勤務の椅子" * 3_000, "電車"]) == [1.0, 0.0]
    assert [len((body.get("documents") or body["texts"])[0]) for body in asked] == [1_000] * 3
    assert (asked[1]["return_documents"], asked[2]["truncate"]) == (False, True)


def test_odd_answers_count_for_what_they_are_worth() -> None:
    odd = [
        {"index": 0, "relevance_score": 7.0},
        {"index": 0, "relevance_score": 0.1},
        {"index": 9, "relevance_score": 1.0},
        {"index": True, "relevance_score": 1.0},
        {"index": 2, "relevance_score": "high"},
        "nonsense",
    ]
    with service(lambda _path, _body: (200, {"results": odd})) as url:
        assert reranker("cohere", url).score(QUESTION, TEXTS) == [1.0, 0.0, 0.0]
    model = ModelReranker(ScriptedModel(("P1", 300), ("P1", 5), ("P7", 50), ("x", 50)))
    assert model.score(QUESTION, TEXTS) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("status", "error"), [(401, AccessDenied), (500, SourceUnavailable), (422, SourceError), (200, SourceError)]
)
def test_a_service_that_refuses_is_one_sentence_and_is_not_asked_twice(status: int, error: type[SourceError]) -> None:
    asked: list[str] = []

    def answer(path: str, _body: dict[str, Any]) -> tuple[int, object]:
        asked.append(path)
        return status, "no"

    with service(answer) as url, pytest.raises(error):
        reranker("jina", url).score(QUESTION, TEXTS)
    assert asked == ["/v1/rerank"]
