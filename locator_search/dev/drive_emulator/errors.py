"""Errors in the words and the shape of the Drive API."""

from __future__ import annotations

from typing import Any

FORBIDDEN: dict[str, tuple[str, str]] = {
    "rateLimitExceeded": ("usageLimits", "Rate Limit Exceeded"),
    "userRateLimitExceeded": ("usageLimits", "User Rate Limit Exceeded"),
    "dailyLimitExceeded": ("usageLimits", "Daily Limit Exceeded"),
    "exportSizeLimitExceeded": ("global", "This file is too large to be exported."),
    "cannotDownloadFile": ("global", "This file cannot be downloaded by the user."),
    "downloadRestrictions": ("global", "Downloading this file is restricted."),
    "insufficientFilePermissions": ("global", "The user does not have sufficient permissions for this file."),
    "insufficientPermissions": ("global", "Insufficient Permission: Request had insufficient authentication scopes."),
    "domainPolicy": ("global", "The domain administrators have disabled Drive apps."),
    "appNotAuthorizedToFile": ("global", "The user has not granted the app access to the file."),
    "cannotDownloadAbusiveFile": (
        "global",
        "This file has been identified as malware or spam and cannot be downloaded.",
    ),
    "fileNotDownloadable": (
        "global",
        "Only files with binary content can be downloaded. Use Export with Docs Editors files.",
    ),
    "fileNotExportable": ("global", "Export only supports Docs Editors files."),
}
"""Every reason of a 403: its domain and message."""

SERVER_ERRORS = {
    429: ("usageLimits", "rateLimitExceeded", "Too many requests. Please try again later."),
    500: ("global", "internalError", "Internal Error"),
    502: ("global", "badGateway", "Bad Gateway"),
    503: ("global", "backendError", "Transient failure"),
    504: ("global", "gatewayTimeout", "Gateway Timeout"),
}


class ApiError(Exception):
    """One error answer. `reason` is the word clients switch on."""

    def __init__(
        self,
        status: int,
        reason: str,
        message: str,
        *,
        domain: str = "global",
        location: str = "",
        location_type: str = "parameter",
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}
        detail = {"message": message, "domain": domain, "reason": reason}
        if location:
            detail |= {"location": location, "locationType": location_type}
        self.body: dict[str, Any] = {"error": {"code": status, "message": message, "errors": [detail]}}


def file_not_found(file_id: str) -> ApiError:
    """The file is not there, or the user may not know of it: Drive tells the two apart for nobody."""
    return ApiError(404, "notFound", f"File not found: {file_id}.", location="fileId")


def drive_not_found(drive_id: str) -> ApiError:
    """No such shared drive, or the user is no member."""
    return ApiError(404, "notFound", f"Shared drive not found: {drive_id}", location="driveId")


def invalid_value(parameter: str, message: str = "Invalid Value") -> ApiError:
    """A parameter has a value that cannot be used."""
    return ApiError(400, "invalid", message, location=parameter)


def token_refused(status: int) -> ApiError:
    """A page token that is no longer known: 400, or 410 once it was long ago."""
    if status == 410:
        return ApiError(410, "gone", "The page token is no longer valid.", location="pageToken")
    return invalid_value("pageToken")


def invalid_parameter(parameter: str, message: str) -> ApiError:
    """A parameter is not of its type or range."""
    return ApiError(400, "invalidParameter", message, location=parameter)


def required(parameter: str, message: str = "") -> ApiError:
    """A parameter is missing."""
    return ApiError(400, "required", message or f"Required parameter: {parameter}", location=parameter)


def bad_request(parameter: str, message: str) -> ApiError:
    """The values do not go together, or the wish cannot be met."""
    return ApiError(400, "badRequest", message, location=parameter)


def forbidden(reason: str) -> ApiError:
    """A 403 with one of its many reasons."""
    domain, message = FORBIDDEN[reason]
    return ApiError(403, reason, message, domain=domain)


def server_error(status: int) -> ApiError:
    """429 or 5xx."""
    domain, reason, message = SERVER_ERRORS[status]
    return ApiError(status, reason, message, domain=domain)


def not_signed_in(message: str = "Invalid Credentials") -> ApiError:
    """No access token, an unknown one, or one that is too old."""
    return ApiError(401, "authError", message, location="Authorization", location_type="header")


def range_not_satisfiable(size: int) -> ApiError:
    """The range asked for begins behind the end of the content."""
    message = "Request range not satisfiable"
    return ApiError(
        416,
        "requestedRangeNotSatisfiable",
        message,
        location="Range",
        location_type="header",
        headers={"Content-Range": f"bytes */{size}"},
    )


def not_emulated(what: str) -> ApiError:
    """Something that Drive has and the emulator has not."""
    return ApiError(501, "notImplemented", f"The emulator does not do this: {what}.")
