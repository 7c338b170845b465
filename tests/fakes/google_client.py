"""The real Google client libraries, pointed at an emulated Drive. Untyped, so everything is Any."""

from __future__ import annotations

from typing import Any

import google_auth_httplib2
import httplib2
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build

from locator_search.dev.drive_emulator import DriveEmulator


def credentials_for(drive: DriveEmulator, **changes: Any) -> Any:
    """Credentials as the product makes them: by refresh token, with another token address."""
    wanted: dict[str, Any] = {
        "token": None,
        "refresh_token": drive.oauth.refresh_token,
        "token_uri": drive.token_uri,
        "client_id": drive.oauth.client_id,
        "client_secret": drive.oauth.client_secret,
    }
    make: Any = Credentials
    return make(**(wanted | changes))


def connect(drive: DriveEmulator, **changes: Any) -> Any:
    """A Drive v3 service. A transport of its own per call, as httplib2 is not made for threads."""
    http = google_auth_httplib2.AuthorizedHttp(credentials_for(drive, **changes), http=httplib2.Http(timeout=100))
    return build("drive", "v3", http=http, client_options={"api_endpoint": drive.api_endpoint})


def reason_of(error: Any) -> str:
    """The word of an HttpError that clients switch on."""
    return str(error.error_details[0]["reason"])
