"""The OAuth endpoints: tokens by refresh token, code or service account; consent is given without a page."""

from __future__ import annotations

import base64
import json
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from locator_search.dev.drive_emulator.errors import ApiError, forbidden, not_signed_in

READONLY_SCOPE = "https://www.googleapis.com/auth/drive.readonly"
_CONTENT_SCOPES = {READONLY_SCOPE, "https://www.googleapis.com/auth/drive"}
_METADATA_SCOPES = _CONTENT_SCOPES | {
    "https://www.googleapis.com/auth/drive.metadata",
    "https://www.googleapis.com/auth/drive.metadata.readonly",
}
_SERVICE_ACCOUNT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class OAuthError(Exception):
    """A refusal of the token endpoint."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.status = status
        self.body = {"error": error, "error_description": description}


@dataclass
class OAuth:
    """One client, one user, one refresh token. `scopes` is what the user granted; `lifetime` is in seconds.

    A service account's assertion is believed without looking at its signature.
    """

    client_id: str = "emulator-client-id"
    client_secret: str = "emulator-client-secret"  # noqa: S105 - opens nothing but the emulator
    refresh_token: str | None = "emulator-refresh-token"  # noqa: S105
    scopes: tuple[str, ...] = (READONLY_SCOPE,)
    lifetime: int = 3599
    _ends: dict[str, float] = field(default_factory=dict)
    _codes: set[str] = field(default_factory=set)
    _acting_for: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def token(self, form: Mapping[str, str]) -> dict[str, Any]:
        """Answer POST /token. Raises OAuthError."""
        grant = form.get("grant_type")
        if grant == _SERVICE_ACCOUNT and form.get("assertion"):
            return self._access(acting_for=_subject(form["assertion"]))
        if form.get("client_id") != self.client_id or form.get("client_secret") != self.client_secret:
            raise OAuthError("invalid_client", "The OAuth client was not found.", 401)
        if grant == "authorization_code":
            return self._exchange(form.get("code", ""))
        if grant != "refresh_token":
            raise OAuthError("unsupported_grant_type", f"Invalid grant_type: {grant}")
        if self.refresh_token is None or form.get("refresh_token") != self.refresh_token:
            raise OAuthError("invalid_grant", "Token has been expired or revoked.")
        if not set(form.get("scope", "").split()) <= set(self.scopes):
            raise OAuthError("invalid_scope", "Bad Request")
        return self._access()

    def consent(self, query: Mapping[str, str]) -> str:
        """The address that the browser is sent back to, with a code: the emulator's user agrees at once."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._codes.add(code)
        answer = {"state": query.get("state", ""), "code": code, "scope": " ".join(self.scopes)}
        return f"{query['redirect_uri']}?{urlencode(answer)}"

    def revoke(self) -> None:
        """The refresh token is worth nothing any more, nor is any access token."""
        self.refresh_token = None
        self.expire_access_tokens()

    def expire_access_tokens(self) -> None:
        """Every access token given out so far is too old."""
        with self._lock:
            self._ends.clear()

    def check(self, authorization: str, *, for_content: bool) -> None:
        """Raise ApiError unless the header holds a living access token of sufficient scope."""
        kind, _, token = authorization.partition(" ")
        if not token:
            raise not_signed_in("Login Required.")
        with self._lock:
            if kind.lower() != "bearer" or self._ends.get(token, 0) < time.monotonic():
                raise not_signed_in()
        if not set(self.scopes) & (_CONTENT_SCOPES if for_content else _METADATA_SCOPES):
            raise self._scope_missing()

    def acting_for(self, authorization: str) -> str:
        """The person whom a service account stands for with this token, empty where it stands for nobody."""
        return self._acting_for.get(authorization.partition(" ")[2], "")

    def _scope_missing(self) -> ApiError:
        return forbidden("insufficientPermissions")

    def _exchange(self, code: str) -> dict[str, Any]:
        with self._lock:
            if code not in self._codes:
                raise OAuthError("invalid_grant", "Malformed auth code.")
            self._codes.remove(code)
        return self._access() | {"refresh_token": self.refresh_token}

    def _access(self, acting_for: str = "") -> dict[str, Any]:
        token = "ya29." + secrets.token_urlsafe(24)
        with self._lock:
            self._acting_for[token] = acting_for
            self._ends[token] = time.monotonic() + self.lifetime
        return {
            "access_token": token,
            "expires_in": self.lifetime,
            "scope": " ".join(self.scopes),
            "token_type": "Bearer",
        }


def _subject(assertion: str) -> str:
    claims = assertion.split(".")[1]
    return str(json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4))).get("sub", ""))
