"""Google Drive: where files live, what changed there, and whether a person may still read what was found."""

from google.auth.credentials import Credentials as GoogleCredentials

from locator_search.adapters.google_drive.access import DriveAccessChecker
from locator_search.adapters.google_drive.auth import credentials_for
from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.scope import DriveScope
from locator_search.adapters.google_drive.source import DriveSource

__all__ = ["DriveAccessChecker", "DriveClient", "DriveScope", "DriveSource", "GoogleCredentials", "credentials_for"]
