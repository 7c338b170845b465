"""Who calls over HTTP with permissions on: everybody brings a token of the pages' own sign-in with each request."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
import jwt
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings

from locator_search.config.readers import reader_with_claims
from locator_search.core.errors import ConfigurationError
from locator_search.core.reader import reading_as
from locator_search.guard import read_sign_in
from locator_search.guard.sign_in import admits
from locator_search.guard.tokens import Issuers

if TYPE_CHECKING:
    from locator_search.config.settings import Settings

CHECKS_AT_ONCE = 4
"""Tokens checked at the same time: a provider that is slow must not hold up calls that are under way."""

logger = logging.getLogger(__name__)


class Callers:
    """The people who may call a server whose public address is `url`; a TokenVerifier of the SDK.

    Raises ConfigurationError where nobody could prove who they are.
    """

    def __init__(self, settings: Settings, url: str) -> None:
        sign_in = read_sign_in()
        if sign_in is None:
            raise ConfigurationError(
                "MCP over HTTP with LOCATOR_PERMISSIONS on needs the sign-in of the pages: it must know who asks.",
                hint="Set up [auth] (docs/security.md); without --http, LOCATOR_COMMAND_READERS says who asks.",
            )
        self._settings = settings
        self._issuers = Issuers(sign_in, url)
        self._checks = anyio.CapacityLimiter(CHECKS_AT_ONCE)
        self.auth = AuthSettings.model_validate(  # of words: an address that is one already has got another slash
            {
                "issuer_url": self._issuers.names[0],
                "resource_server_url": url,
                "validate_token_resource": False,  # the audience is checked with the signature
            }
        )

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token it is; None for one that lets nobody in."""
        try:
            claims = await anyio.to_thread.run_sync(self._issuers.claims, token, limiter=self._checks)
        except (jwt.PyJWTError, OSError, ValueError, RecursionError) as error:  # a token, or keys, that are no JSON
            logger.warning("A token was refused: %s", type(error).__name__)
            return None
        if not admits(self._settings.locator_allowed_users, claims):
            logger.warning("A token was refused: LOCATOR_ALLOWED_USERS does not name its person")
            return None
        return AccessToken(
            token=token,
            client_id=str(claims.get("azp") or claims.get("client_id") or ""),
            scopes=[],
            expires_at=int(claims["exp"]),
            subject=str(claims["sub"]),
            claims=dict(claims),
        )

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Everything in the block is read by the person of the request. Raises AccessDenied, ConfigurationError."""
        token = get_access_token()
        with reading_as(reader_with_claims(self._settings, token.claims or {}) if token else None):
            yield
