"""Lets only signed-in people pass, by the code flow of OpenID Connect and a signed cookie.

Dagster's UI has no idea of people. Who may use it may use all of it.
"""

from __future__ import annotations

import html
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from authlib.integrations.starlette_client import OAuth, OAuthError
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from locator_search.config.settings import Settings
from locator_search.guard import SignIn
from locator_search.guard.middleware import Application, Receive, Scope, Send, refuse
from locator_search.guard.sign_in import CALLBACK, admits
from locator_search.guard.texts import Sentences

COOKIE = "document_locator_dagster"
HOURS_SIGNED_IN = 12
SIGN_IN, SIGN_OUT, READY = "/sign-in", "/sign-out", "/server_info"
WHO = "who"

logger = logging.getLogger(__name__)


def wall(sign_in: SignIn, settings: Settings) -> list[Middleware]:
    """The cookie, and the wall that looks at it."""
    address = settings.locator_dagster_url.rstrip("/")
    cookie = Middleware(
        SessionMiddleware,
        secret_key=f"{sign_in.cookie_secret}:dagster",  # a cookie of the pages is none here
        session_cookie=COOKIE,
        max_age=HOURS_SIGNED_IN * 3600,
        same_site="lax",
        https_only=address.startswith("https://"),
    )
    return [cookie, Middleware(SignInWall, sign_in=sign_in, address=address, settings=settings)]


class SignInWall:
    """An ASGI application in front of Dagster's, whose address browsers know as `address`."""

    def __init__(self, app: Application, sign_in: SignIn, address: str, settings: Settings) -> None:
        self._app = app
        self._address = address
        self._is_loopback = (urlsplit(address).hostname or "") in ("localhost", "127.0.0.1", "::1")
        # Names of files stand in every run. "nobody" is no address: an empty list would let everybody in.
        administrators = settings.locator_administrators or ("nobody",)
        self._allowed = administrators if settings.locator_permissions else settings.locator_allowed_users
        self._say = Sentences.of(settings.locator_language)
        self._language = settings.locator_language
        self._providers = OAuth()
        for provider in sign_in.providers:
            self._providers.register(
                provider.name,
                client_id=provider.client_id,
                client_secret=provider.client_secret,
                server_metadata_url=provider.server_metadata_url,
                client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
            )
        self._names = [provider.name for provider in sign_in.providers]
        self._steps: Mapping[str, Callable[[Request], Any]] = {
            SIGN_IN: self._to_the_provider,
            CALLBACK: self._back_from_the_provider,
            SIGN_OUT: self._out,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan" or scope["path"] == READY:
            await self._app(scope, receive, send)
            return
        step = self._steps.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if step is not None:
            await (await step(Request(scope, receive)))(scope, receive, send)
        elif self._has_signed_in(HTTPConnection(scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await refuse(scope, send, 401, self._say.not_signed_in)
        else:
            await self._stopped(Request(scope, receive))(scope, receive, send)

    def _has_signed_in(self, asking: HTTPConnection) -> bool:
        who = asking.session.get(WHO)
        if not isinstance(who, dict) or not 0 <= time.time() - float(who.get("at", 0)) < HOURS_SIGNED_IN * 3600:
            return False
        return admits(self._allowed, who)

    def _stopped(self, request: Request) -> Response:
        """The way in for a person, 401 for everything else."""
        if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
            return JSONResponse({"error": self._say.not_signed_in}, 401)
        if self._is_loopback and request.url.netloc != urlsplit(self._address).netloc:
            return RedirectResponse(
                f"{self._address}{request.url.path}"
            )  # whose name the provider sends people back to
        request.session["to"] = request.url.path
        return self._way_in(self._say.sign_in_needed, 401)

    async def _to_the_provider(self, request: Request) -> Response:
        name = request.query_params.get("provider", self._names[0])
        if name not in self._names:
            return self._way_in(self._say.sign_in_needed, 404)
        try:
            answer: Response = await self._providers.create_client(name).authorize_redirect(
                request, f"{self._address}{CALLBACK}"
            )
        except Exception as error:  # whatever keeps us from a provider, a person is told the same
            logger.warning("The sign-in provider could not be reached: %s", type(error).__name__)
            return self._way_in(self._say.provider_unreachable, 502)
        request.session["provider"] = name
        return answer

    async def _back_from_the_provider(self, request: Request) -> Response:
        name = request.session.pop("provider", "")
        if name not in self._names:
            return self._way_in(self._say.sign_in_failed, 400)
        try:
            token = await self._providers.create_client(name).authorize_access_token(request)
        except OAuthError as error:
            logger.warning("Signing in failed: %s", error.error)
            return self._way_in(self._say.sign_in_failed, 401)
        except Exception as error:
            logger.warning("Signing in failed: %s", type(error).__name__)
            return self._way_in(self._say.provider_unreachable, 502)
        claims = token.get("userinfo") or {}
        if not claims.get("sub"):
            return self._way_in(self._say.sign_in_failed, 401)
        if not admits(self._allowed, claims):
            name = str(claims.get("email") or claims["sub"])
            return self._way_in(self._say.not_admitted.format(name=name), 403)
        to = str(request.session.pop("to", "/"))
        request.session.clear()
        kept = {key: claims[key] for key in ("sub", "email", "email_verified") if key in claims}
        request.session[WHO] = {**kept, "at": time.time()}
        return RedirectResponse(to if to.startswith("/") and not to.startswith(("//", "/\\")) else "/", 303)

    async def _out(self, request: Request) -> Response:
        request.session.clear()
        return self._way_in(self._say.sign_in_needed, 200)

    def _way_in(self, sentence: str, status: int) -> Response:
        return HTMLResponse(_page(self._say, self._language, sentence, self._names), status)


def _page(say: Sentences, language: str, sentence: str, providers: list[str]) -> str:
    named = len(providers) > 1
    ways = "".join(
        f'<p><a href="{SIGN_IN}?provider={quote(name)}">{say.sign_in}{f" ({html.escape(name)})" * named}</a></p>'
        for name in providers
    )
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Document Locator</title>'
        '<body style="font-family: sans-serif; max-width: 30rem; margin: 4rem auto">'
        f"<h1>Document Locator</h1><p>{html.escape(sentence)}</p>{ways}"
    )
