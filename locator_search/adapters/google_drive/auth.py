"""Who we are for Google: a person's refresh token, or a service account. Access tokens live in memory only."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from typing import Any

from google.auth.credentials import Credentials
from google.oauth2 import credentials as user_credentials
from google.oauth2 import service_account

from locator_search.adapters.google_drive.token_file import stored_refresh_token
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError

DIRECTORY = "https://www.googleapis.com/auth/admin.directory.group.member.readonly"
READ_ONLY = "https://www.googleapis.com/auth/drive.readonly"
GOOGLE_TOKEN_URI = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address


class _RefreshedOnce:
    """Credentials that several threads share: one of them refreshes, the others wait and use the new token."""

    token: str | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._refreshing = Lock()

    def refresh(self, request: Any) -> None:
        """A new access token, unless another thread has just got one."""
        before = self.token
        with self._refreshing:
            if self.token == before:
                super().refresh(request)  # type: ignore[misc]  # of the credentials this is mixed into


class _AccountCredentials(_RefreshedOnce, user_credentials.Credentials):
    """Credentials of a person."""


class _ServiceCredentials(_RefreshedOnce, service_account.Credentials):
    """Credentials of a service account."""


def credentials_for(settings: Settings) -> Credentials:
    """The credentials that the settings name. Raises ConfigurationError."""
    if settings.google_service_account_file is not None:
        return service_account_credentials(settings.google_service_account_file, settings.google_token_uri)
    refresh_token = settings.google_refresh_token or stored_refresh_token(settings.google_token_file)
    return account_credentials(
        settings.google_client_id or "",
        settings.google_client_secret or "",
        refresh_token or "",
        settings.google_token_uri,
    )


def account_credentials(
    client_id: str, client_secret: str, refresh_token: str, token_uri: str | None = None
) -> Credentials:
    """Credentials of a person. No scopes are asked for: Google gives those that were granted."""
    return _AccountCredentials(
        None,
        refresh_token=refresh_token,
        client_id=client_id,
        client_secret=client_secret,
        token_uri=token_uri or GOOGLE_TOKEN_URI,
    )


def service_account_credentials(
    key_file: Path, token_uri: str | None = None, *, scope: str = READ_ONLY, acts_for: str | None = None
) -> Credentials:
    """Credentials of a service account, which sees only what was shared with it, or what the person sees that it
    `acts_for`. Raises ConfigurationError."""
    try:
        info = json.loads(key_file.read_bytes())
        if token_uri:
            info["token_uri"] = token_uri
        found: Credentials = _ServiceCredentials.from_service_account_info(info, scopes=[scope], subject=acts_for)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise ConfigurationError(
            f"The service account file {key_file} cannot be read: {error.strerror}.",
            hint="Check GOOGLE_SERVICE_ACCOUNT_FILE.",
        ) from None
    except (ValueError, TypeError, KeyError):
        raise ConfigurationError(
            f"{key_file} is not the key file of a service account.", hint="Check GOOGLE_SERVICE_ACCOUNT_FILE."
        ) from None
    return found
