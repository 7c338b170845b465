"""The one time a person agrees in the browser: Google's loopback flow, which ends with a refresh token."""

from __future__ import annotations

import contextlib
import os
import sys
import webbrowser
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from google_auth_oauthlib.flow import InstalledAppFlow, WSGITimeoutError
from oauthlib.oauth2 import OAuth2Error
from requests import RequestException

from locator_search.adapters.google_drive.auth import GOOGLE_TOKEN_URI, READ_ONLY
from locator_search.core.errors import ConfigurationError

GOOGLE_CONSENT_URI = "https://accounts.google.com/o/oauth2/v2/auth"
LOOPBACK = "127.0.0.1"
PATIENCE_SECONDS = 300

_PROMPT = "Agree in your browser:\n\n{url}\n"
_DONE = "認可されました。このウィンドウは閉じてかまいません。 / Signed in. You can close this window."


class _Flow(InstalledAppFlow):  # type: ignore[misc]  # google-auth-oauthlib ships no types
    def fetch_token(self, **kwargs: Any) -> Any:
        # The client's name and secret in the form, as when a token is refreshed, not in a header.
        return super().fetch_token(include_client_id=True, **kwargs)


def sign_in(
    client_id: str,
    client_secret: str,
    token_uri: str | None = None,
    *,
    open_browser: bool = True,
    seconds: float = PATIENCE_SECONDS,
) -> str:
    """The refresh token a person's consent gives. The address to open is printed on stderr.

    Raises ConfigurationError when the person does not agree, does not answer in time, or agrees to less than reading.
    """
    token_uri = token_uri or GOOGLE_TOKEN_URI
    config = {
        "client_id": client_id,
        "client_secret": client_secret,
        "auth_uri": _consent_uri(token_uri),
        "token_uri": token_uri,
    }
    flow = _Flow.from_client_config({"installed": config}, scopes=[READ_ONLY])
    try:
        with contextlib.redirect_stdout(sys.stderr), _plain_http_on_loopback(token_uri):
            signed_in = flow.run_local_server(
                host=LOOPBACK,
                port=0,
                authorization_prompt_message=_PROMPT,
                success_message=_DONE,
                open_browser=open_browser and _has_browser(),
                timeout_seconds=seconds,
                access_type="offline",
                prompt="consent",  # else Google gives a refresh token the first time only
            )
    except WSGITimeoutError:
        raise _refused(f"Nobody agreed in the browser within {seconds:.0f} s.") from None
    except Warning:  # how oauthlib says that fewer scopes were granted than asked for
        raise _refused("The permission to read Drive was not granted.", "Tick its box on Google's page.") from None
    except (OAuth2Error, RequestException) as error:
        raise _refused(f"Google did not sign you in ({getattr(error, 'error', type(error).__name__)}).") from None
    if not signed_in.refresh_token:
        raise _refused("Google gave no refresh token.")
    return str(signed_in.refresh_token)


def _consent_uri(token_uri: str) -> str:
    """Another token endpoint has its consent page beside it."""
    if token_uri == GOOGLE_TOKEN_URI:
        return GOOGLE_CONSENT_URI
    return urljoin(token_uri, urlsplit(GOOGLE_CONSENT_URI).path)


def _has_browser() -> bool:
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


@contextlib.contextmanager
def _plain_http_on_loopback(token_uri: str) -> Iterator[None]:
    """The library insists on https, which no server on this machine has; anywhere else it is right."""
    name = "OAUTHLIB_INSECURE_TRANSPORT"
    allowed = urlsplit(token_uri).hostname in (LOOPBACK, "localhost", "::1") and name not in os.environ
    if allowed:
        os.environ[name] = "1"
    try:
        yield
    finally:
        if allowed:
            del os.environ[name]


def _refused(message: str, hint: str = "") -> ConfigurationError:
    return ConfigurationError(message, hint=hint or "Run `document-locator auth google` again.")
