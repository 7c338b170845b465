"""Google Drive: where files live, what changed there, and whether a person may still read what was found."""

from locator_search.adapters.google_drive.access import DriveAccessChecker
from locator_search.adapters.google_drive.auth import (
    account_credentials,
    service_account_credentials,
    stored_refresh_token,
)
from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.source import DriveSource

__all__ = [
    "DriveAccessChecker",
    "DriveClient",
    "DriveSource",
    "account_credentials",
    "service_account_credentials",
    "stored_refresh_token",
]
