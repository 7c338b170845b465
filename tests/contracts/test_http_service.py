"""One HTTP service, asked over loopback: what it is sent, and the errors its failures become."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic

import pytest

from locator_search.adapters.http.service import HttpService
from locator_search.core.clock import SystemClock, deadline
from locator_search.core.errors import (
    AccessDenied,
    ConfigurationError,
    FileGone,
    RateLimited,
    SourceError,
    SourceUnavailable,
)
from tests.fakes.faulty_server import FAULTS, closed_port, faulty_server

KEY = "Bearer very-secret-key"
Reply = tuple[int, dict[str, str], bytes]
Asked = list[tuple[str, str, str | None]]


@contextmanager
def server(replies: Callable[[str], Reply]) -> Iterator[tuple[str, Asked]]:
    """One that answers by path, and keeps the method, the path and the key of every request."""
    asked: Asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.command, self.path, self.headers["Authorization"]))
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            status, headers, content = replies(self.path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{listening.server_address[1]}", asked
        listening.shutdown()


def service(url: str, key: str | None = KEY, *, seconds: float = 5.0, largest: int = 1 << 20) -> HttpService:
    return HttpService("The archive", url, SystemClock(), key, seconds=seconds, largest=largest)


def test_json_is_sent_and_read_with_the_key_and_the_parameters() -> None:
    with server(lambda path: (200, {}, json.dumps({"path": path}).encode())) as (url, asked):
        made = service(f"{url}/v1/")
        assert made.get_json("a b/#1", {"q": "在宅 勤務"}) == {
            "path": "/v1/a%20b/%231?q=%E5%9C%A8%E5%AE%85+%E5%8B%A4%E5%8B%99"
        }
        assert made.post_json("rerank", {"q": 1}) == {"path": "/v1/rerank"}
    assert [(method, key) for method, _, key in asked] == [("GET", KEY), ("POST", KEY)]


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, SourceError), (401, AccessDenied), (403, AccessDenied), (404, FileGone), (429, RateLimited),
        (302, SourceError), (503, SourceUnavailable),
    ],
)  # fmt: skip
def test_what_is_refused_is_told_apart(status: int, error: type[SourceError]) -> None:
    with server(lambda _path: (status, {"Retry-After": "7"}, b"no")) as (url, asked):
        with pytest.raises(SourceError, match=rf"^The archive .*{status}") as caught:
            service(url).get("x")
        assert type(caught.value) is error
        assert len(asked) == 1, "nothing is tried twice"
        assert caught.value.retry_after == (7.0 if status in (429, 503) else None)


def test_a_service_words_its_own_refusals() -> None:
    with server(lambda _path: (402, {}, b"pay")) as (url, _):
        made = HttpService("X", url, SystemClock(), refusal=lambda response: SourceError(f"{response.text}, please"))
        with pytest.raises(SourceError, match="pay, please"):
            made.post_json("x", {})


@pytest.mark.parametrize("fault", ["hangs", "dribbles headers", "dribbles the body", "sends without end"])
def test_a_request_ends_in_time_as_a_whole(fault: str) -> None:
    with faulty_server() as faulty:
        faulty.faults = {"": FAULTS[fault]}
        began = monotonic()
        with deadline(1.0), pytest.raises(SourceError, match=r"did not answer|more than 1 MiB"):
            service(faulty.url).get("x")
        assert monotonic() - began < 4


@pytest.mark.parametrize("fault", ["drops the connection", "closes midway"])
def test_a_connection_that_breaks_is_worth_another_try(fault: str) -> None:
    with faulty_server() as faulty:
        faulty.faults = {"": FAULTS[fault]}
        with pytest.raises(SourceUnavailable, match=r"^The archive did not answer: "):
            service(faulty.url).get("x")
        with pytest.raises(SourceUnavailable), service(faulty.url).stream("x") as response:
            list(response.iter_raw())


def test_too_much_is_not_read_even_when_it_comes_packed() -> None:
    packed = gzip.compress(bytes(8 << 20))
    with server(lambda _path: (200, {"Content-Encoding": "gzip"}, packed)) as (url, _):
        with pytest.raises(SourceError, match="more than 1 MiB"):
            service(url).get("x")
        with service(url).stream("x") as response:
            assert b"".join(response.iter_raw()) == packed, "a stream is as it lies there, of any size"


@pytest.mark.parametrize("content", [b"<html>", b"", b"\xff"])
def test_what_is_no_json_is_said(content: bytes) -> None:
    with server(lambda _path: (200, {}, content)) as (url, _), pytest.raises(SourceError, match="no JSON"):
        service(url).get_json("x")


def test_a_key_stays_on_its_host() -> None:
    with server(lambda _path: (200, {}, b"[]")) as (elsewhere, strangers_asked):

        def replies(path: str) -> Reply:
            target = {"/moved": "/new", "/away": f"{elsewhere}/new", "/round": "/round"}.get(path)
            return (302, {"Location": target}, b"") if target else (200, {}, b"[1]")

        with server(replies) as (url, asked):
            assert service(url).get_json("moved") == [1]
            assert asked[-1] == ("GET", "/new", KEY)
            with pytest.raises(SourceError, match="302"):
                service(url).get("away")
            with pytest.raises(SourceError, match="302"):
                service(url).post_json("moved", {})
            with pytest.raises(SourceError, match="without end"):
                service(url).get("round")
            assert strangers_asked == []
            assert service(url, key=None).get_json("away") == []
            assert strangers_asked == [("GET", "/new", None)]


def test_whoever_is_not_there_is_said_in_words_of_the_system() -> None:
    with pytest.raises(SourceUnavailable, match=r"^The archive did not answer: Connection refused\."):
        service(closed_port()).get("x")


def test_a_server_that_is_not_who_it_says_is_not_sent_the_key() -> None:
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                received.append(connection.recv(1000))
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(SourceUnavailable, match=r"did not answer: \[SSL"):
            service(f"https://127.0.0.1:{listener.getsockname()[1]}").get("x")
    assert KEY.encode() not in received[0]


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(lambda path: (200, {}, json.dumps(path).encode())) as (proxy, _):
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert service("http://archive.invalid").get_json("x") == "http://archive.invalid/x"
        with service("http://archive.invalid").stream("y") as response:
            assert response.read() == b'"http://archive.invalid/y"'


@pytest.mark.parametrize("address", ["file:///etc", "ftp://h", "http://", "http://h:99999", "h"])
def test_an_address_of_no_web_service_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match="The address of The archive"):
        service(address)


@pytest.mark.parametrize("key", ["Bearer 鍵", "Bearer secret\nX-Other: 1"])
def test_a_key_that_is_none_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        service("http://127.0.0.1", key)
    assert "secret" not in str(caught.value)
    assert "鍵" not in str(caught.value)
