"""`/healthz`, `/readyz` and `/metrics`: whether a server lives, whether it can do its work, and figures. Asked under
any name.

Probes of proxies and schedulers know an address and no name of ours, and do not sign in. So the answers tell two states
and nothing else: no version, address, name or message. Figures are for whoever knows the token.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import Callable, Mapping

from locator_search.core.errors import SchemaOutOfDate
from locator_search.guard.middleware import Application, Receive, Scope, Send

ALIVE, READY, METRICS = "/healthz", "/readyz", "/metrics"
CHECK_SECONDS = 5.0
REMEMBERED_SECONDS = 1.0
"""However often somebody asks, the database is asked once in that time."""


class Health:
    """An ASGI application in front of another one. `check` raises where the database is out of reach or its tables are
    not those of this program; `metrics` are shown to whoever sends the `token`, and without one they are not there."""

    def __init__(
        self,
        app: Application,
        check: Callable[[], None],
        metrics: Callable[[], str] = str,
        token: str | None = None,
    ) -> None:
        self._app, self._check = app, check
        self._metrics, self._token = metrics, token
        self._turn = asyncio.Lock()
        self._remembered: tuple[float, Mapping[str, str]] = (0.0, {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a probe: 200, or 503 where the server is not ready. Everything else goes through."""
        path = scope["path"] if scope["type"] == "http" else ""
        if path == ALIVE:
            await _answer(send, 200, {"status": "alive"})
        elif path == READY:
            state = await self._state()
            await _answer(send, 200 if state["status"] == "ready" else 503, state)
        elif path == METRICS and self._token:
            await self._show_figures(scope, send, f"Bearer {self._token}")
        else:
            await self._app(scope, receive, send)

    async def _show_figures(self, scope: Scope, send: Send, wanted: str) -> None:
        sent = [value for name, value in scope["headers"] if name.lower() == b"authorization"]
        if len(sent) != 1 or not hmac.compare_digest(sent[0], wanted.encode()):
            await _answer(send, 401, {"status": "not for you"})
            return
        async with self._turn:
            try:
                figures = await asyncio.wait_for(asyncio.to_thread(self._metrics), CHECK_SECONDS)
            except Exception:
                await _answer(send, 503, {"status": "not ready"})
                return
        await _send(send, 200, b"text/plain; version=0.0.4; charset=utf-8", figures.encode())

    async def _state(self) -> Mapping[str, str]:
        async with self._turn:
            until, state = self._remembered
            if time.monotonic() > until:
                state = await self._looked()
                self._remembered = time.monotonic() + REMEMBERED_SECONDS, state
            return state

    async def _looked(self) -> Mapping[str, str]:
        try:
            await asyncio.wait_for(asyncio.to_thread(self._check), CHECK_SECONDS)
        except SchemaOutOfDate:
            return {"status": "not ready", "database": "reachable", "schema": "not of this program"}
        except Exception:  # whatever it is, a stranger is told no more
            return {"status": "not ready", "database": "out of reach"}
        return {"status": "ready", "database": "reachable", "schema": "current"}


async def _answer(send: Send, status: int, document: Mapping[str, str]) -> None:
    await _send(send, status, b"application/json", json.dumps(document).encode())


async def _send(send: Send, status: int, kind: bytes, body: bytes) -> None:
    headers = [(b"content-type", kind), (b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
