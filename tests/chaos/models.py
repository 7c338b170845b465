"""A model service on loopback that keeps account of what it was paid for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import Condition

from tests.builders.model_office import ANSWERS, task_of, vector_of
from tests.chaos.documents import QUESTION
from tests.fakes.openai_server import Body, OpenAiServer, Reply, completion, embeddings, openai_server

USUAL_SECONDS = 0.05
Disturbance = Callable[[int, str, Body, Random], Reply | None]
"""From the number of a request, its path and its body: what is sent instead of an answer, or None for the answer."""


@dataclass(eq=False)
class Request:
    """One request for text that is indexed. `paid` when a right answer was made for it."""

    inputs: tuple[str, ...]
    began: float
    ended: float | None = None
    paid: bool = False


@dataclass
class ModelService:
    """Answers depend on the text alone, so every crawl of a folder gets the same. `seconds` is how long one takes."""

    server: OpenAiServer
    seconds: float = USUAL_SECONDS
    disturb: Disturbance | None = None
    chance: Random = field(default_factory=Random)
    requests: list[Request] = field(default_factory=list)
    _changed: Condition = field(default_factory=Condition)

    @property
    def url(self) -> str:
        return self.server.url

    def begin(self, seed: int) -> None:
        """A new account, without disturbances."""
        with self._changed:
            self.disturb, self.seconds, self.requests = None, USUAL_SECONDS, []
            self.chance = Random(f"models {seed}")

    def wait_for(self, count: int, gives_up: Callable[[], bool]) -> bool:
        """Until `count` requests have come, the last of them not answered yet; False when that is given up before."""
        with self._changed:
            while len(self.requests) < count:
                if gives_up():
                    return False
                self._changed.wait(0.02)
            return True

    def answer(self, path: str, body: Body) -> Reply:
        """As the service does, unless it is disturbed."""
        request = Request(_inputs_of(path, body), time.monotonic())
        with self._changed:
            number = len(self.requests)
            if request.inputs:
                self.requests.append(request)
            disturbed = self.disturb(number, path, body, self.chance) if self.disturb else None
            self._changed.notify_all()
        try:
            if disturbed is not None:
                time.sleep(disturbed.delay)
                return disturbed
            time.sleep(self.seconds)
            reply = _right_answer(path, body)
            request.paid = reply.status == 200
            return reply
        finally:
            request.ended = time.monotonic()


@contextmanager
def model_service() -> Iterator[ModelService]:
    """One that runs while the block does."""
    with openai_server() as server:
        service = ModelService(server)
        server.handler = service.answer
        yield service


def _inputs_of(path: str, body: Body) -> tuple[str, ...]:
    """Inputs that are paid once and for all: texts to embed, and texts to summarise. A question is paid each time."""
    if path.endswith("/embeddings"):
        return tuple(f"embed {text}" for text in body["input"] if QUESTION not in text)
    if path.endswith("/chat/completions") and task_of(body) == "summarise":
        return (f"summarise {body['messages'][1]['content']}",)
    return ()


def _right_answer(path: str, body: Body) -> Reply:
    if path.endswith("/embeddings"):
        return Reply(embeddings([[round(part, 4) for part in vector_of(text)] for text in body["input"]]))
    if path.endswith("/chat/completions"):
        asked = json.loads(body["messages"][1]["content"])
        return Reply(completion(json.dumps(ANSWERS[task_of(body)](asked))))
    return Reply({"error": {"message": "not here"}}, 404)
