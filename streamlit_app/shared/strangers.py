"""Keeps media, uploads and downloads of pages from people who have not signed in. Pages themselves ask who looks."""

from __future__ import annotations

from urllib.parse import quote, urljoin, urlsplit

import anyio.to_thread
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from locator_search.core.errors import LocatorError
from locator_search.guard.middleware import Application, Message, Receive, Scope, Send, refuse
from locator_search.guard.texts import Sentences

OPEN = ("/static/", "/auth/", "/_stcore/health", "/_stcore/host-config", "/_stcore/stream")
"""Paths needed to sign in: Streamlit's scripts and styles, the way to the provider, the socket of a page."""

FILES = "/media/"
SHEET = "sheet"
"""The parameter in the address of a page that holds the link to a shared sheet."""
SHEET_COOKIE = "document_locator_sheet"
FAILED = "sign-in-failed"
"""The parameter in the address of a page after a provider that named nobody or did not answer."""
AWAY = "away"
"""Its value when the provider did not answer."""


class SignedInOnly:
    """An ASGI application in front of Streamlit's."""

    def __init__(self, app: Application, redirect_uri: str, language: str) -> None:
        self._app = app
        self._ours = urlsplit(redirect_uri)
        self._back = urljoin(redirect_uri, f".?{FAILED}={AWAY}")
        self._say = Sentences.of(language)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asking = HTTPConnection(scope)
        if scope["type"] == "http" and self._goes_by_the_other_name(asking):
            there = asking.url.replace(hostname=self._ours.hostname)
            await RedirectResponse(there)(scope, receive, send)
            return
        if asking.scope["path"] == "/auth/login":
            await self._app(scope, receive, self._back_when_the_provider_is_away(scope, receive, send))
        elif _is_open(asking.scope["path"]):
            await self._app(scope, receive, _completed(asking, send))
        elif _has_signed_in(asking) or await _holds_a_sheet(asking):
            await self._app(scope, receive, send)
        else:
            await refuse(scope, send, 401, self._say.not_signed_in)

    def _goes_by_the_other_name(self, asking: HTTPConnection) -> bool:
        """Whether a page is opened as 127.0.0.1 where the provider sends people back to localhost, or the other way
        round: cookies belong to one of them."""
        names = {asking.url.hostname, self._ours.hostname}
        return (
            names == {"127.0.0.1", "localhost"}
            and asking.url.netloc.partition(":")[2] == self._ours.netloc.partition(":")[2]
            and asking.scope["path"].count("/") == 1
        )

    def _back_when_the_provider_is_away(self, scope: Scope, receive: Receive, send: Send) -> Send:
        """The answer to somebody on the way to the provider; instead of an error the page again, which says it."""
        away = False

        async def answer(message: Message) -> None:
            nonlocal away
            if message["type"] == "http.response.start" and message["status"] >= 400:
                away = True
                await RedirectResponse(self._back, 303)(scope, receive, send)
            elif not away:
                await send(message)

        return answer


def _is_open(path: str) -> bool:
    """The pages themselves are one word long, and hold nothing until their socket says who looks."""
    return path.startswith(OPEN) or path.count("/") == 1


def _has_signed_in(asking: HTTPConnection) -> bool:
    """Whether the cookie is there that Streamlit signed for whoever signed in."""
    return bool(_get_signed_cookie_with_chunks(asking.cookies, USER_COOKIE_NAME))


async def _holds_a_sheet(asking: HTTPConnection) -> bool:
    """Whether this asks for a file, by somebody who came by a valid link to a sheet."""
    token = asking.cookies.get(SHEET_COOKIE)
    if not token or not asking.scope["path"].startswith(FILES):
        return False
    return await anyio.to_thread.run_sync(_is_valid, token)


def _is_valid(token: str) -> bool:
    from streamlit_app.shared import session  # only when it is asked for: it opens the database

    try:
        session.contributions().links.read(token)
    except LocatorError:
        return False
    return True


def _completed(asking: HTTPConnection, send: Send) -> Send:
    """The answer with what Streamlit leaves out: the pass for the file of a link, and that signing in did not work."""

    async def completed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message["headers"])
            if token := asking.query_params.get(SHEET):
                pass_ = f"{SHEET_COOKIE}={quote(token)}; Path={FILES}; Max-Age=86400; HttpOnly; SameSite=Lax"
                headers.append((b"set-cookie", pass_.encode("latin-1")))
            if asking.scope["path"] == "/oauth2callback" and not _brings_an_identity(headers):
                headers = [(name, value + f"?{FAILED}=1".encode() * (name == b"location")) for name, value in headers]
            message = {**message, "headers": headers}
        await send(message)

    return completed


def _brings_an_identity(headers: list[tuple[bytes, bytes]]) -> bool:
    prefix = f"{USER_COOKIE_NAME}=".encode()
    cookies = [value for name, value in headers if name == b"set-cookie"]
    return any(value.startswith(prefix) and not value.startswith(prefix + b'"";') for value in cookies)
