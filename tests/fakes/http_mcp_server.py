"""An MCP server over streamable HTTP on loopback, made of the real library; it may ask to sign in, or for a header."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

import uvicorn
from mcp.server.auth.provider import AccessToken, AuthorizationCode, AuthorizationParams, RefreshToken
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.builders.waiting import wait_until

PAGES = {"alpha": "The retry limit of project Alpha is 5.", "beta": "Project Beta moves its storage in May."}


@dataclass
class Office:
    """Who signs people in. Everybody who comes agrees, unless `refuses`; access lasts for `lasting` seconds. Renewing
    takes `renewing` seconds, and what was given before is void then."""

    lasting: int = 3600
    refuses: bool = False
    renewing: float = 0.0
    clients: dict[str, OAuthClientInformationFull] = field(default_factory=dict)
    codes: dict[str, AuthorizationCode] = field(default_factory=dict)
    access: dict[str, AccessToken] = field(default_factory=dict)
    refreshing: dict[str, RefreshToken] = field(default_factory=dict)
    issued: list[str] = field(default_factory=list)

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        code = AuthorizationCode(
            code=secrets.token_urlsafe(16),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
        )
        self.codes[code.code] = code
        brought = {"error": "access_denied"} if self.refuses else {"code": code.code}
        return f"{params.redirect_uri}?{urlencode({**brought, 'state': params.state or ''})}"

    async def load_authorization_code(self, client: OAuthClientInformationFull, code: str) -> AuthorizationCode | None:
        return self.codes.get(code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[code.code]
        return self._issued(client.client_id, code.scopes)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        return self.refreshing.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        await asyncio.sleep(self.renewing)
        del self.refreshing[refresh_token.token]
        self.access.clear()
        return self._issued(client.client_id, scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        found = self.access.get(token)
        return found if found and (found.expires_at or 0) > time.time() else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.access.pop(token.token, None)

    def _issued(self, client_id: str, scopes: list[str]) -> OAuthToken:
        access, refreshing = (f"{kind}-{secrets.token_urlsafe(24)}" for kind in ("access", "refresh"))
        self.access[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, expires_at=int(time.time()) + self.lasting
        )
        self.refreshing[refreshing] = RefreshToken(token=refreshing, client_id=client_id, scopes=scopes)
        self.issued += [access, refreshing]
        return OAuthToken(
            access_token=access, expires_in=self.lasting, refresh_token=refreshing, scope=" ".join(scopes)
        )


@dataclass
class Served:
    """The server: its address, who signs people in, and what it answers with in place of the next answers."""

    url: str
    office: Office
    status: int = 0
    requests: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def http_mcp_server(*, sign_in: bool = False, header: tuple[str, str] | None = None) -> Iterator[Served]:
    """A running server. With a `header`, requests without it are refused."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    served = Served(f"{base}/mcp", Office())
    auth = AuthSettings(
        issuer_url=AnyHttpUrl(base),
        resource_server_url=AnyHttpUrl(served.url),
        client_registration_options=ClientRegistrationOptions(enabled=True, default_scopes=["read"]),
        required_scopes=["read"],
        validate_token_resource=False,
    )
    server = (
        MCPServer("wiki", auth=auth, auth_server_provider=served.office)  # type: ignore[arg-type]
        if sign_in
        else MCPServer("wiki")
    )

    @server.tool()
    def find_pages(query: str) -> list[dict[str, str]]:
        """Finds pages by a piece of their text."""
        if query == "huge":
            return [{"title": "x" * 5 * 2**20}]
        return [
            {"id": key, "title": f"{key} page", "url": f"https://wiki.example/{key}"}
            for key, text in PAGES.items()
            if query.lower() in text.lower()
        ]

    @server.tool()
    def read_page(id: str) -> str:
        """Reads a page."""
        return PAGES.get(id, "No such page.")

    app = _guarded(server.streamable_http_app(host="127.0.0.1"), served, header)
    running = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        wait_until(lambda: running.started, "the server does not start", 60)
        yield served
    finally:
        running.should_exit = running.force_exit = True
        thread.join()


def _guarded(app: ASGIApp, served: Served, header: tuple[str, str] | None) -> ASGIApp:
    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            served.requests.append(headers)
            status = served.status or (401 if header and headers.get(header[0]) != header[1] else 0)
            if status and scope["path"] == "/mcp":
                await send({"type": "http.response.start", "status": status, "headers": []})
                await send({"type": "http.response.body", "body": b"no"})
                return
        await app(scope, receive, send)

    return guarded
