"""Answers on the wire: whole, cut short, or broken off."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import responses
from pathlib import Path
from typing import Any

from locator_search.dev.drive_emulator.calls import JSON_TYPE, Answer, JsonAnswer

_CHUNK = 1 << 20
_PROXY_PAGE = (
    b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"
)


@dataclass(frozen=True)
class Response:
    """Status, headers and body; the body is bytes, or a part of a file."""

    status: int
    mime_type: str
    body: bytes | Path
    headers: dict[str, str] = field(default_factory=dict)
    start: int = 0
    end: int | None = None

    @property
    def length(self) -> int:
        """Bytes of the body."""
        end = self.end
        if end is None:
            end = len(self.body) if isinstance(self.body, bytes) else self.body.stat().st_size
        return end - self.start

    def head(self, *, last: bool) -> bytes:
        """Status line and headers. `last` says that the connection closes after it."""
        headers = {"Content-Type": self.mime_type, "Content-Length": str(self.length), **self.headers}
        if last:
            headers["Connection"] = "close"
        lines = [
            f"HTTP/1.1 {self.status} {responses.get(self.status, '')}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")

    def chunks(self) -> Iterator[bytes]:
        """The body in pieces; fewer bytes than `length` where a real file shrank meanwhile."""
        if isinstance(self.body, bytes):
            yield self.body[self.start : self.end]
            return
        with self.body.open("rb") as file:
            file.seek(self.start)
            left = self.length
            while left > 0 and (chunk := file.read(min(_CHUNK, left))):
                left -= len(chunk)
                yield chunk


def json_response(document: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON document."""
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogateescape")
    return Response(status, JSON_TYPE, body, headers or {})


def response_of(answer: Answer) -> Response:
    """The response for an answer of the API."""
    if isinstance(answer, JsonAnswer):
        return json_response(answer.document, answer.status, answer.headers)
    headers = {"Accept-Ranges": "bytes", **answer.headers}
    return Response(answer.status, answer.mime_type, answer.content, headers, answer.start, answer.end)


def proxy_page() -> Response:
    """The answer of a network that wants a sign-in first: 200 with HTML."""
    return Response(200, "text/html; charset=UTF-8", _PROXY_PAGE)


def send_whole(connection: socket.socket, response: Response, before_last: Callable[[], None]) -> bool:
    """Send a response; `before_last` is called just before its last bytes. False where the body came out short."""
    waiting, sent = response.head(last=False), 0
    for chunk in response.chunks():
        sent += len(chunk)
        if sent >= response.length:
            before_last()
        connection.sendall(waiting + chunk)
        waiting = b""
    if waiting:
        before_last()
        connection.sendall(waiting)
    return sent == response.length


def send_truncated(connection: socket.socket, response: Response) -> None:
    """Send the headers and half of the body. The caller closes the connection in good order."""
    whole = b"".join(response.chunks()) or b" "
    promised = Response(response.status, response.mime_type, whole, response.headers)
    connection.sendall(promised.head(last=True) + whole[: len(whole) // 2])


def reset(connection: socket.socket) -> None:
    """Break the connection off, so that the other side sees ECONNRESET."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(connection.detach())
