"""A loopback model server that misbehaves in every way we could think of, path by path."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.builders.model_office import answer
from tests.fakes.openai_server import Body, Reply, completion, embeddings

DRIBBLE_SECONDS = 0.2
PIECE = b" " * 65_536

Exchange = tuple[socket.socket, str, Body, threading.Event]
Fault = Callable[[socket.socket, str, Body, threading.Event], None]


def sent(connection: socket.socket, reply: Reply, *, length: int | None = None) -> None:
    raw = (reply.body if isinstance(reply.body, str) else json.dumps(reply.body)).encode()
    kind = "text/html" if raw.startswith(b"<") else "application/json"
    headers = {"Content-Type": kind, "Content-Length": str(length or len(raw)), **reply.headers}
    lines = [f"HTTP/1.1 {reply.status} Whatever", *(f"{name}: {value}" for name, value in headers.items())]
    connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode() + raw)


def replies(reply: Reply) -> Fault:
    return lambda connection, path, body, stopped: sent(connection, reply)


def answers_with(content: object, numbers: list[float]) -> Fault:
    """Well-formed answers that say something useless."""

    def fault(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
        if path.endswith("/embeddings"):
            sent(connection, Reply(embeddings([numbers for _ in body["input"]])))
        else:
            sent(connection, Reply(completion(json.dumps(content))))

    return fault


def drops(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, no farewell


def hangs(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
    stopped.wait()


def dribbles_headers(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not stopped.wait(DRIBBLE_SECONDS):
        connection.sendall(b"a")


def dribbles_body(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
    while not stopped.wait(DRIBBLE_SECONDS):
        connection.sendall(b" ")


def never_ends(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{")
    while not stopped.wait(0.001):
        connection.sendall(PIECE)


def closes_midway(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
    sent(connection, Reply('{"object": '), length=1000)


def redirects(connection: socket.socket, path: str, body: Body, stopped: threading.Event) -> None:
    sent(connection, Reply("", 307, {"Location": path}))


def says_too_often(headers: dict[str, str]) -> Fault:
    return replies(Reply({"error": {"message": "slow down"}}, 429, headers))


HTML = "<html><body>Sign in to the network</body></html>"
NO_EMBEDDING = [0.0] * 1536

FAULTS: dict[str, Fault] = {
    "drops the connection": drops,
    "hangs": hangs,
    "dribbles headers": dribbles_headers,
    "dribbles the body": dribbles_body,
    "sends without end": never_ends,
    "closes midway": closes_midway,
    "HTML with 200": replies(Reply(HTML)),
    "500": replies(Reply({"error": {"message": "out of order"}}, 500)),
    "HTML with 502": replies(Reply(HTML, 502)),
    "a refused key": replies(Reply({"error": {"message": "bad key", "code": "invalid_api_key"}}, 401)),
    "an unknown model": replies(Reply({"error": {"message": "no such model"}}, 404)),
    "429": says_too_often({}),
    "429 for a minute": says_too_often({"Retry-After": "60"}),
    "broken JSON": replies(Reply('{"choices": [', headers={"Content-Type": "application/json"})),
    "JSON of another kind": replies(Reply("[1, 2]", headers={"Content-Type": "application/json"})),
    "JSON of another shape": replies(Reply({"choices": "none", "data": {"a": 1}, "usage": [3]})),
    "nothing in JSON": replies(Reply("null", headers={"Content-Type": "application/json"})),
    "empty choices": replies(Reply({"choices": [{"message": None}], "data": []})),
    "useless answers": answers_with({"somebody": "else"}, NO_EMBEDDING),
    "embeddings of another size": answers_with("text", [0.5] * 100),
    "redirects": redirects,
}


@dataclass
class FaultyServer:
    """`faults` by the end of the path, "" for every path; where none fits, the answers of `model_office`."""

    url: str = ""
    faults: dict[str, Fault] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def fault_of(self, path: str) -> Fault | None:
        return next((fault for end, fault in self.faults.items() if path.endswith(end)), None)


@contextmanager
def faulty_server() -> Iterator[FaultyServer]:
    state, stopped = FaultyServer(), threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    state.url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            path, body = read_request(connection)
            state.asked.append(path)
            fault = state.fault_of(path)
            if fault is None:
                sent(connection, answer(path, body))
            else:
                fault(connection, path, body, stopped)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield state
    finally:
        stopped.set()
        listener.close()


def read_request(connection: socket.socket) -> tuple[str, Any]:
    received = b""
    while b"\r\n\r\n" not in received:
        if not (piece := connection.recv(65_536)):
            raise OSError("the client left")
        received += piece
    head, _, content = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    while len(content) < int(headers.get("content-length", "0")):
        content += connection.recv(65_536)
    return lines[0].split()[1], json.loads(content or b"{}")


def closed_port() -> str:
    """The address of a server that is not there."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    return f"http://127.0.0.1:{port}/v1"
