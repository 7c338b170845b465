"""An OpenID Connect provider of our own on loopback: discovery, authorization code flow with PKCE, RS256 keys.

Whoever comes is `person`, without being asked for a password.
"""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET = "document-locator", "a secret between us"
COOKIE_SECRET = "0123456789abcdef0123456789abcdef"


class IdentityProvider:
    """One provider. `person` are the claims of whoever signs in next; None lets nobody in."""

    def __init__(self, address: str) -> None:
        from joserfc.jwk import RSAKey

        self.address = address
        self.person: dict[str, object] | None = {
            "sub": "aoki",
            "name": "青木",
            "email": "aoki@example.com",
            "email_verified": True,
        }
        self.asked: list[str] = []
        self._key = RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})
        self._codes: dict[str, dict[str, str]] = {}

    def secrets_file(self, folder: Path, redirect_uri: str) -> None:
        """Write the secrets of pages that trust this provider below a folder."""
        (folder / ".streamlit").mkdir(exist_ok=True)
        (folder / ".streamlit" / "secrets.toml").write_text(
            f'[auth]\nredirect_uri = "{redirect_uri}"\ncookie_secret = "{COOKIE_SECRET}"\nclient_id = "{CLIENT}"\n'
            f'client_secret = "{SECRET}"\nserver_metadata_url = "{self.address}/.well-known/openid-configuration"\n'
        )

    def metadata(self) -> dict[str, object]:
        """The answer of discovery."""
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser is sent on."""
        assert query["client_id"] == CLIENT
        if self.person is None:
            answer = {"error": "access_denied", "error_description": "nobody comes in"}
        else:
            answer = {"code": secrets.token_urlsafe(16)}
            self._codes[answer["code"]] = query
        return f"{query['redirect_uri']}?{urlencode({**answer, 'state': query['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, object]:
        """Tokens for a code, once. Raises KeyError or AssertionError for whoever may have none."""
        from joserfc import jwt

        asked = self._codes.pop(form["code"])
        basic = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '+')}".encode()).decode()
        plain = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        assert authorization in (f"Basic {basic}", f"Basic {plain}") or form.get("client_secret") == SECRET
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
        assert challenge.decode() == asked["code_challenge"]
        assert form["redirect_uri"] == asked["redirect_uri"]
        now = int(time.time())
        claims = {**(self.person or {}), "iss": self.address, "aud": CLIENT, "iat": now, "exp": now + 3600}
        identity = jwt.encode({"alg": "RS256", "kid": "1"}, {**claims, "nonce": asked["nonce"]}, self._key)
        return {"access_token": secrets.token_urlsafe(8), "token_type": "Bearer", "id_token": identity}

    def access_token(self, mail: str, *, kid: str = "1", **other: object) -> str:
        """A token of a person for programs; `other` claims instead of ours, without those that are None."""
        from joserfc import jwt

        now = int(time.time())
        own = {"iss": self.address, "sub": mail, "aud": CLIENT, "iat": now, "exp": now + 3600}
        claims = {**own, "email": mail, "email_verified": True, **other}
        said = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": kid}, said, self._key)

    def keys(self) -> dict[str, object]:
        """Its public keys."""
        return {"keys": [self._key.as_dict(private=False)]}


@contextmanager
def identity_provider() -> Iterator[IdentityProvider]:
    """A provider that answers on loopback until the end."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            provider.asked.append(address.path)
            if address.path == "/authorize":
                query = {name: values[0] for name, values in parse_qs(address.query).items()}
                self.send_response(302)
                self.send_header("Location", provider.authorize(query))
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif address.path == "/jwks":
                self._answer(200, provider.keys())
            else:
                self._answer(200, provider.metadata())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            try:
                self._answer(200, provider.token(form, self.headers.get("Authorization", "")))
            except (KeyError, AssertionError) as error:
                self._answer(400, {"error": "invalid_grant", "error_description": repr(error)})

        def _answer(self, status: int, document: dict[str, object]) -> None:
            content = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider = IdentityProvider(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield provider
        server.shutdown()
