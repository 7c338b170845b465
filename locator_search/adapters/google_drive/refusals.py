"""Google's errors in our words. The reason inside an answer decides, never the status alone."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import httplib2
from google.auth.exceptions import GoogleAuthError, RefreshError, TransportError
from googleapiclient.errors import HttpError

from locator_search.core.errors import (
    AccessDenied,
    ConfigurationError,
    FileGone,
    LocatorError,
    QuotaUsedUp,
    RateLimited,
    SourceError,
    SourceUnavailable,
)
from locator_search.core.retry import parse_retry_after

VENDOR_ERRORS = (
    HttpError,
    GoogleAuthError,
    httplib2.HttpLib2Error,
    http.client.HTTPException,
    OSError,
    ValueError,  # broken JSON, broken headers
    KeyError,  # headers that are missing
)

SLOW_DOWN = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "sharingRateLimitExceeded"})
QUOTA = frozenset({"dailyLimitExceeded", "dailyLimitExceededUnreg", "quotaExceeded"})
NOT_CONVERTED = frozenset({"exportSizeLimitExceeded", "fileNotExportable", "conversionUnsupportedConversionPath"})
NO_DOWNLOAD: Mapping[str, str] = {
    "cannotDownloadFile": "its owner does not allow downloads",
    "downloadRestrictions": "its owner does not allow downloads",
    "fileNotDownloadable": "it has no content to download",
    "downloadQuotaExceeded": "it was downloaded too often today",
    "cannotDownloadAbusiveFile": "Google takes it for malware or spam",
}
WHOLE_ACCOUNT: Mapping[str, str] = {
    "domainPolicy": "The administrators of the domain do not allow this application to use Drive.",
    "accessNotConfigured": "The Google Drive API is not enabled in the project of the OAuth client.",
    "SERVICE_DISABLED": "The Google Drive API is not enabled in the project of the OAuth client.",
    "insufficientPermissions": "The Google account was not asked for permission to read Drive.",
    "insufficientScopes": "The Google account was not asked for permission to read Drive.",
    "ACCESS_TOKEN_SCOPE_INSUFFICIENT": "The Google account was not asked for permission to read Drive.",
}

TESTING_HINT = (
    "Run `document-locator auth google` again. An OAuth client whose publishing status is Testing gives tokens that"
    " end after 7 days: publish it, or make it internal."
)


class NotConverted(SourceError):  # noqa: N818 - what Drive says of one format, not a failure of ours
    """Drive does not give a file out in the format asked for; `too_large`: in another way it might."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Drive does not convert it: {reason}.")
        self.too_large = reason == "exportSizeLimitExceeded"


class Refused(SourceError):  # noqa: N818
    """Drive calls a request wrong (status 400 and the like): a token it does not know, a format it does not have."""


def translated(error: Exception, what: str, now: datetime) -> LocatorError:
    """An error of Google's client as one of ours, about `what` (a file or folder, as a person calls it)."""
    if isinstance(error, HttpError):
        return _of_answer(error, what, now)
    if isinstance(error, RefreshError):
        return _of_refresh(error)
    if isinstance(error, TimeoutError):
        return SourceUnavailable("Google Drive did not answer in time.")
    if isinstance(error, TransportError | httplib2.ServerNotFoundError | OSError):
        return SourceUnavailable(
            "Google Drive cannot be reached.", hint="Check the network, the proxy and GOOGLE_API_ENDPOINT."
        )
    return SourceUnavailable(f"Google Drive broke off its answer ({type(error).__name__}).")


def reason_of(error: HttpError) -> str:
    """The word Google gives for a refusal, empty where there is none."""
    details: Any = error.error_details
    if isinstance(details, list):
        for detail in details:
            if isinstance(detail, dict) and detail.get("reason"):
                return str(detail["reason"])
    try:
        return str(json.loads(error.content)["error"]["errors"][0]["reason"])
    except (ValueError, LookupError, TypeError):
        return ""


def _of_answer(error: HttpError, what: str, now: datetime) -> LocatorError:
    status, reason = int(error.resp.status), reason_of(error)
    if reason in SLOW_DOWN or status == 429:
        return _with_wait(RateLimited("Google Drive asks us to slow down."), error, now)
    if status in (408, 409) or status >= 500:
        return _with_wait(SourceUnavailable(f"Google Drive answered {status}."), error, now)
    if reason in QUOTA:
        return QuotaUsedUp("The Google Drive quota is used up.", hint="The crawl goes on where it stood, tomorrow.")
    if reason in WHOLE_ACCOUNT:
        return ConfigurationError(
            WHOLE_ACCOUNT[reason],
            hint="See the Google Drive section of the README, then `document-locator auth google`.",
        )
    if status == 401:
        return ConfigurationError("Google refused the access token.", hint=TESTING_HINT)
    if reason in NOT_CONVERTED:
        return NotConverted(reason)
    if status in (404, 410):
        return FileGone(f"{what} does not exist in Drive, or is not shared with this account.")
    if status == 403:
        why = NO_DOWNLOAD.get(reason, "this account has no permission")
        return AccessDenied(f"{what} may not be read: {why}.")
    return Refused(f"Google Drive refused {what} ({status} {reason or 'without a reason'}).")


def _of_refresh(error: RefreshError) -> LocatorError:
    words = str(error.args[0]) if error.args else ""
    if error.retryable:
        return SourceUnavailable("Google's token service did not answer as it should.")
    if "invalid_grant" in words:
        return ConfigurationError("Google no longer accepts the refresh token (invalid_grant).", hint=TESTING_HINT)
    if "invalid_client" in words or "unauthorized_client" in words:
        return ConfigurationError(
            "Google does not know this OAuth client.", hint="Check GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET."
        )
    return ConfigurationError(
        "Google gave no access token.", hint="Check GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and GOOGLE_TOKEN_URI."
    )


def _with_wait(error: LocatorError, answer: HttpError, now: datetime) -> LocatorError:
    asked = answer.resp.get("retry-after")
    if asked:
        error.retry_after = parse_retry_after(asked, now)
    return error
