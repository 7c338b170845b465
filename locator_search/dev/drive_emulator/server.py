"""The HTTP server: one thread per connection, on the loopback interface only."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from locator_search.dev.drive_emulator.errors import ApiError
from locator_search.dev.drive_emulator.faults import Faults, Hit
from locator_search.dev.drive_emulator.oauth import OAuthError
from locator_search.dev.drive_emulator.request_log import Request, RequestLog
from locator_search.dev.drive_emulator.responses import (
    Response,
    json_response,
    proxy_page,
    reset,
    send_truncated,
    send_whole,
)
from locator_search.dev.drive_emulator.routes import Router, Target, refusal

LOOPBACK = "127.0.0.1"
_OUR_NAMES = (LOOPBACK, "localhost", "[::1]")


@dataclass(frozen=True)
class Service:
    """The answers a server gives. `before_each` is called with the method's name before each."""

    router: Router
    faults: Faults
    log: RequestLog
    before_each: Callable[[str], None]


class EmulatorServer(ThreadingHTTPServer):
    """Listens from the moment it is made. Raises OSError where the port is taken."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port: int) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.service: Service | None = None
        self._connections: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember the connection, so that it can be ended with the server."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget the connection."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def end(self) -> None:
        """Stop listening and end the connections that clients keep open."""
        self.shutdown()
        self.server_close()
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: EmulatorServer

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - the names http.server looks for

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are in the request log."""

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        service = self.server.service
        if service is None or headers.get("host", "").rsplit(":", 1)[0] not in _OUR_NAMES:
            # A page of another site that reaches us under its own name must not read the folder.
            return self._send(json_response({"error": "This emulator answers on loopback only."}, 403))
        try:
            target = service.router.find(self.command, self.path, body, headers)
        except ApiError as error:
            return self._send(refusal(error))
        with service.log.recording(
            target.method, self.command, self.path.partition("?")[0], target.parameters, target.file_id
        ) as request:
            hits = service.faults.hits(
                target.method, request.path, target.file_id, has_token="pageToken" in target.parameters
            )
            request.faults = tuple(hit.fault for hit in hits)
            self._answer(service, target, request, hits)
        return None

    def _answer(self, service: Service, target: Target, request: Request, hits: list[Hit]) -> None:
        def ended() -> None:
            service.log.end(request)

        for hit in hits:
            if hit.fault == "slow":
                time.sleep(hit.rule.seconds)
        fault = next((hit for hit in hits if hit.fault != "slow"), None)
        if fault is not None and fault.fault == "reset_before_headers":
            ended()
            return self._reset()
        response = _faulty(fault) or _right(service, target)
        request.status = response.status
        if fault is not None and fault.fault in ("reset_after_headers", "truncated_body"):
            ended()
            return self._break_off(response, fault)
        return self._send(response, ended)

    def _send(self, response: Response, before_last: Callable[[], None] = lambda: None) -> None:
        if not send_whole(self.connection, response, before_last):
            self.close_connection = True

    def _break_off(self, response: Response, fault: Hit) -> None:
        if fault.fault == "truncated_body":
            send_truncated(self.connection, response)
            self.close_connection = True
        else:
            self.connection.sendall(response.head(last=True))
            self._reset()

    def _reset(self) -> None:
        self.close_connection = True
        reset(self.connection)


def _faulty(hit: Hit | None) -> Response | None:
    if hit is None:
        return None
    if hit.fault == "html":
        return proxy_page()
    error = hit.error()
    return None if error is None else refusal(error)


def _right(service: Service, target: Target) -> Response:
    service.before_each(target.method)
    try:
        return target.answer()
    except (ApiError, OAuthError, OSError) as error:
        return refusal(error)
