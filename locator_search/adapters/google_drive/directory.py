"""Who is in the groups that permissions name, as the directory of the organisation tells it (Admin SDK)."""

from __future__ import annotations

import logging
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from locator_search.adapters.google_drive.refusals import Refused
from locator_search.adapters.google_drive.requests import GoogleRequests, Json
from locator_search.core.errors import AccessDenied, FileGone, LocatorError
from locator_search.core.reader import name_and_end
from locator_search.ports import GroupStore

AT_ONCE = 5
PAGE = 200

logger = logging.getLogger(__name__)


class DirectoryClient(GoogleRequests):
    """Asks for members as an administrator whom a service account stands for (domain-wide delegation)."""

    api = ("admin", "directory_v1")

    def members(self, group: str) -> tuple[str, ...]:
        """The people in a group by its mail address, with those of groups within it. Raises FileGone or
        AccessDenied where the directory does not say, or another SourceError."""
        found: list[str] = []
        token: str | None = None
        while True:
            request = self._api.members().list(
                groupKey=group,
                includeDerivedMembership=True,
                maxResults=PAGE,
                pageToken=token,
                fields="nextPageToken,members(email,type)",
            )
            page = self._json(request, f"The group {group}")
            found.extend(f"user:{one['email'].strip().lower()}" for one in page.get("members", ()) if _is_person(one))
            token = page.get("nextPageToken")
            if not token:
                return tuple(sorted(set(found)))


class GroupReading:
    """Reads the members of every group that a list of readers names, and keeps them."""

    def __init__(self, directory: DirectoryClient, groups: GroupStore) -> None:
        self._directory = directory
        self._groups = groups

    def read(self, readers: Collection[str] = ()) -> None:
        """The groups of all lists, and those among these readers. Of one that the directory does not know nothing is
        kept; where it does not answer, what was known stays and grows old."""
        listed = {name for name, _ in map(name_and_end, readers) if name.startswith("group:")}
        named = sorted(listed.union(self._groups.named()))
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="groups") as pool:
            for _ in pool.map(self._read_one, named):
                pass

    def _read_one(self, name: str) -> None:
        try:
            self._groups.keep(name, self._directory.members(name.partition(":")[2]))
        except (FileGone, AccessDenied, Refused):
            self._groups.forget(name)
        except LocatorError as error:
            logger.warning("The members of %s could not be read: %s", name, error.message)


def directory_endpoint(drive_endpoint: str | None) -> str | None:
    """Where the directory answers, beside another address of Drive; None for Google's own."""
    if drive_endpoint is None:
        return None
    address = urlsplit(drive_endpoint)
    return f"{address.scheme}://{address.netloc}/"


def _is_person(member: Json) -> bool:
    """Groups are given with their members; "everybody in the organisation" names nobody."""
    return member.get("type") == "USER" and bool(member.get("email"))
