"""Refuses what a foreign page makes a browser ask of us, and tells browsers what pages of ours may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Literal

from locator_search.guard.hosts import Names
from locator_search.guard.texts import Sentences

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

ONLY_OURS = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' data: blob:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Nothing is loaded from, or sent to, anybody else, whatever stands in a page. The pages of Streamlit and Dagster hold
scripts and styles, and charts compile theirs."""

_HEADERS = {
    b"content-security-policy": ONLY_OURS.encode(),
    b"x-frame-options": b"DENY",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}
_REPLACED = frozenset(_HEADERS) - {b"content-security-policy"}  # several policies all hold

Refusal = Literal["host", "origin"]
_STATUS: dict[Refusal, int] = {"host": 421, "origin": 403}


class Guard:
    """An ASGI application in front of another one, for HTTP and WebSockets."""

    def __init__(self, app: Application, names: Names, language: str = "ja") -> None:
        self._app = app
        self._names = names
        self._say = Sentences.of(language)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in _REPLACED]
                message = {**message, "headers": [*kept, *_HEADERS.items()]}
            await send(message)

        headers = _values(scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refuse(scope, send_guarded, _STATUS[refusal], self._say.foreign[refusal])
            return
        await self._app(_as_the_browser_sees_it(scope, headers), receive, send_guarded)

    def _refusal(self, scope: Scope, headers: dict[bytes, list[str]]) -> Refusal | None:
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or not self._names.admit_host(hosts[0]):
            return "host"
        origins = headers.get(b"origin", [])
        if not all(self._names.admit_origin(origin, hosts[0]) for origin in origins):
            return "origin"
        if not origins and _asked_by_another_site(scope, headers):
            return "origin"
        return None


def _asked_by_another_site(scope: Scope, headers: dict[bytes, list[str]]) -> bool:
    """Whether a page of another site, or of another port of this machine, embeds or fetches this; links are followed.

    Browsers say it in `Sec-Fetch-*` also where they send no `Origin`.
    """
    if headers.get(b"sec-fetch-site", ["none"])[0] in ("same-origin", "none"):
        return False
    follows_a_link = headers.get(b"sec-fetch-mode") == ["navigate"] and headers.get(b"sec-fetch-dest") == ["document"]
    return not (follows_a_link and scope.get("method") in ("GET", "HEAD"))


def _as_the_browser_sees_it(scope: Scope, headers: dict[bytes, list[str]]) -> Scope:
    """Where a proxy names us otherwise than the browser does, the name that the browser used: Streamlit compares them,
    too, and asks the internet for its own address when they differ."""
    origin, (host,) = headers.get(b"origin"), headers[b"host"]
    if not origin or (seen := origin[0].partition("://")[2]) == host:
        return scope
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "headers": [(b"host", seen.encode("latin-1")), *others]}


async def refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    """Answer with one sentence; a WebSocket is closed before it opens."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})


def _values(scope: Scope) -> dict[bytes, list[str]]:
    found: dict[bytes, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.lower(), []).append(value.decode("latin-1"))
    return found
