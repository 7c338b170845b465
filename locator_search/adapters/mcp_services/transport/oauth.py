"""Signing in to a server that asks for it: once in the browser, when it is added; later with what is kept of that.

Tokens are kept sealed, and are masked wherever text leaves the program.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from locator_search.adapters.mcp_services.transport.kept import KeptSignIn, read_kept, turn_to_renew
from locator_search.core.errors import ServiceRefused, ServiceTimedOut
from locator_search.core.masking import mask
from locator_search.ports import SignIns

PERSON_SECONDS = 300.0
"""For a person to agree in the browser."""
LOOPBACK = "127.0.0.1"
_PAGE = "<!doctype html><meta charset=utf-8><p>このウィンドウは閉じてかまいません。 / You can close this window."
_MOST = 8192

ShowAddress = Callable[[str], None]


class SignIn(OAuthClientProvider):
    """The sign-in to one service, kept for all processes and machines. `agree` shows a person an address and waits for
    the answer of their browser; without it whoever is not signed in is refused."""

    def __init__(
        self,
        url: str,
        name: str,
        sign_ins: SignIns,
        redirect_to: str = f"http://{LOOPBACK}/",
        agree: Agreement | None = None,
    ) -> None:
        self._url, self._name, self._sign_ins = url, name, sign_ins
        metadata = OAuthClientMetadata(client_name="Document Locator", redirect_uris=[AnyUrl(redirect_to)])
        asks = agree or Agreement(self._refuse)
        super().__init__(url, metadata, self, asks.show, asks.answered)
        self._is_shared = agree is None
        self._kept = KeptSignIn(url=url)

    async def _auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Besides, one process at a time renews the tokens and the others take what it was given, because a server
        takes a refresh token once. What is refused is tried again with tokens that were renewed meanwhile."""
        async with AsyncExitStack() as turn:
            if self._is_shared and not (self._initialized and self.context.is_token_valid()):
                await turn.enter_async_context(turn_to_renew(self._sign_ins, self._name))
                await self._take_up()
            flow = super()._auth_flow(request)
            step = await anext(flow)
            while True:
                if step is request:
                    await turn.aclose()
                response = yield step
                if step is request and response.status_code == 401 and self._is_shared and await self._take_up():
                    await flow.aclose()
                    flow = super()._auth_flow(request)
                    step = await anext(flow)
                    continue
                try:
                    step = await flow.asend(response)
                except StopAsyncIteration:
                    return

    async def _take_up(self) -> bool:
        """Use the tokens that another process has kept since; whether there are any."""
        kept = await read_kept(self._sign_ins, self._name, self._url)
        if kept.tokens is None or kept.tokens == self._kept.tokens:
            return False
        self._kept, self._initialized = kept, False
        return True

    async def _initialize(self) -> None:
        """Besides tokens, what the library forgets at every start: when they expire and where they are renewed."""
        await super()._initialize()
        self.context.token_expiry_time = self._kept.expires_at
        self.context.oauth_metadata = self._kept.server
        self.context.protected_resource_metadata = self._kept.resource

    async def get_tokens(self) -> OAuthToken | None:
        """The tokens of the last sign-in."""
        _remember(self._kept.tokens)
        return self._kept.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep new tokens, and where they came from."""
        _remember(tokens)
        await self._keep(
            tokens=tokens,
            expires_at=time.time() + tokens.expires_in if tokens.expires_in else None,
            server=self.context.oauth_metadata,
            resource=self.context.protected_resource_metadata,
        )

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """The client the server knows us as."""
        if self._kept.client:
            mask.remember([self._kept.client.client_secret])
        return self._kept.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep the client the server made for us."""
        mask.remember([client_info.client_secret])
        await self._keep(client=client_info)

    def _refuse(self, _address: str) -> None:
        raise ServiceRefused("sign_in_needed", name=self._name)

    async def _keep(self, **changes: Any) -> None:
        self._kept = self._kept.model_copy(update={"url": self._url, **changes})
        if self._kept.tokens:
            content = self._kept.model_dump_json(exclude_none=True)
            await asyncio.to_thread(self._sign_ins.keep, self._name, content)


class Agreement:
    """A person who is asked to agree: `show` them an address, and `answered` is what their browser brings back."""

    def __init__(self, show: ShowAddress) -> None:
        self._show = show
        self._answer: asyncio.Future[AuthorizationCodeResult] | None = None

    async def show(self, address: str) -> None:
        """Show the address."""
        self._answer = asyncio.get_running_loop().create_future()
        self._show(address)

    async def answered(self) -> AuthorizationCodeResult:
        """Wait for the answer. Raises ServiceTimedOut."""
        assert self._answer is not None  # noqa: S101 - the library shows before it waits
        try:
            async with asyncio.timeout(PERSON_SECONDS):
                return await self._answer
        except TimeoutError:
            raise ServiceTimedOut("nobody_agreed", seconds=f"{PERSON_SECONDS:g}") from None

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of the browser."""
        line = (await reader.readline())[:_MOST].decode("latin-1").split(" ")
        query = dict(parse_qsl(urlsplit(line[1]).query)) if len(line) == 3 else {}
        if self._answer and not self._answer.done() and "state" in query:
            if "code" in query:
                self._answer.set_result(AuthorizationCodeResult.model_validate(query))
            else:
                self._answer.set_exception(ServiceRefused("error", detail=query.get("error", "?")))
        page = _PAGE.encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + page)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def asking(url: str, name: str, sign_ins: SignIns, show: ShowAddress) -> AsyncIterator[SignIn]:
    """A new sign-in: a person agrees in a browser of this machine, which comes back to a port of ours."""
    agreement = Agreement(show)
    server = await asyncio.start_server(agreement.take, LOOPBACK, 0, limit=_MOST)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield SignIn(url, name, sign_ins, f"http://{LOOPBACK}:{port}/callback", agreement)


def _remember(tokens: OAuthToken | None) -> None:
    if tokens:
        mask.remember([tokens.access_token, tokens.refresh_token])
