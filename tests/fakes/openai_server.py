"""A loopback server that speaks the OpenAI endpoints we use, scripted per test."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """A reply of the server: a JSON body, or raw text where a proxy speaks. `hangs_up`: nothing, and ends."""

    body: Body | str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hangs_up: bool = False


@dataclass
class OpenAiServer:
    """Requests received, and the handler that answers them."""

    url: str = ""
    requests: list[tuple[str, Body]] = field(default_factory=list)
    bill: list[Body] = field(default_factory=list)
    """The usage of every answer that was sent: what the service would charge for."""
    most_in_flight: int = 0
    handler: Callable[[str, Body], Reply] = lambda path, body: Reply(error("no script", 500), 500)
    _in_flight: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, path: str, body: Body) -> Reply:
        with self._lock:
            self.requests.append((path, body))
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            reply = self.handler(path, body)
            time.sleep(reply.delay)
            if reply.status == 200 and isinstance(reply.body, dict) and "usage" in reply.body:
                with self._lock:
                    self.bill.append(reply.body["usage"])
            return reply
        finally:
            with self._lock:
                self._in_flight -= 1

    @property
    def billed(self) -> tuple[int, int]:
        """Requests that were paid, and their tokens, by the server's own count."""
        return len(self.bill), sum(usage["total_tokens"] for usage in self.bill)


def completion(content: str, *, finish_reason: str = "stop", refusal: str | None = None) -> Body:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "some-model",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, "refusal": refusal},
                "logprobs": None,
            }
        ],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    }


def embeddings(vectors: list[list[float]], *, tokens: int = 10) -> Body:
    data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    # The order of the answer is not promised; the index is.
    return {"object": "list", "model": "some-model", "data": data[::-1], "usage": usage}


def model(name: str, shutdown_date: str | None = None) -> Body:
    return {"id": name, "object": "model", "created": 1, "owned_by": "somebody", "shutdown_date": shutdown_date}


def error(message: str, status: int, *, code: str | None = None, param: str | None = None) -> Body:
    return {"error": {"message": message, "type": f"status_{status}", "code": code, "param": param}}


def form(content_type: str, raw: bytes) -> Body:
    """The fields of an uploaded form as text."""
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + raw)
    fields: Body = {}
    for part in message.iter_parts():
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        fields[str(part.get_param("name", header="content-disposition"))] = content.decode()
    return fields


@contextmanager
def openai_server() -> Iterator[OpenAiServer]:
    state = OpenAiServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(state.answer(self.path, {}))

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            raw = self.rfile.read(length)
            kind = self.headers["Content-Type"]
            body = form(kind, raw) if kind.startswith("multipart/") else json.loads(raw)
            self._send(state.answer(self.path, body))

        def do_DELETE(self) -> None:
            self._send(state.answer(f"DELETE {self.path}", {}))

        def _send(self, reply: Reply) -> None:
            self.close_connection = self.close_connection or reply.hangs_up
            if not reply.hangs_up:
                with suppress(ConnectionError):  # whoever asked was killed
                    self._write(reply)

        def _write(self, reply: Reply) -> None:
            raw = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
            self.send_response(reply.status)
            kind = "text/html" if raw.startswith("<") else "application/json"
            for name, value in {"Content-Type": kind, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw.encode())))
            self.end_headers()
            self.wfile.write(raw.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
