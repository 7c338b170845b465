"""Reads the lists of changes of all drives, and keeps the place reached in each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.requests import Json
from locator_search.core.errors import AccessDenied, CursorExpired, FileGone


@dataclass
class Cursor:
    """One page token per drive; the empty id stands for the user's own list, which tells of what is in no drive.

    `strangers` are drives found out not to be open to us as a whole.
    """

    tokens: dict[str, str] = field(default_factory=dict)
    strangers: set[str] = field(default_factory=set)

    @classmethod
    def parse(cls, written: str) -> Cursor:
        """Parse a cursor as `str` writes it. Raises CursorExpired for any other text."""
        try:
            tokens = json.loads(written)
            return cls({str(drive_id): str(token) for drive_id, token in tokens.items()})
        except (ValueError, AttributeError):
            raise CursorExpired("The saved place in the list of changes cannot be read.") from None

    def __str__(self) -> str:
        return json.dumps(self.tokens, sort_keys=True)

    def include(self, client: DriveClient, drive_id: str) -> str:
        """Follow a drive from now on. Returns the id of the list with its changes: the user's own list for items shared
        out of a drive we are no member of."""
        if drive_id in self.strangers:
            return ""
        if drive_id not in self.tokens:
            try:
                self.tokens[drive_id] = client.start_page_token(drive_id)
            except (FileGone, AccessDenied):
                if not drive_id:
                    raise
                self.strangers.add(drive_id)
                return self.include(client, "")
        return drive_id


@dataclass(frozen=True, slots=True)
class ReadChanges:
    """The present state of everything that changed; None for what is gone, in the trash, or no longer to be seen."""

    items: dict[str, Json | None]
    cursor: Cursor
    complete: bool


def read_changes(client: DriveClient, cursor: Cursor, out_of_time: Callable[[], bool]) -> ReadChanges:
    """Read every drive's list to its end, or until time is up. Raises CursorExpired or another SourceError."""
    items: dict[str, Json | None] = {}
    tokens: dict[str, str] = {}
    complete = True
    for drive_id, token in cursor.tokens.items():
        while True:
            page = client.changes(token, drive_id)
            for change in page.get("changes", ()):
                _enter(change, items, cursor)
            # The token for the next time comes on the last page only; until then the next page is the place reached.
            token = str(page.get("nextPageToken") or page["newStartPageToken"])
            tokens[drive_id] = token
            if "nextPageToken" not in page:
                break
            if out_of_time():
                complete = False
                break
    return ReadChanges(items, Cursor(tokens), complete)


def _enter(change: Json, items: dict[str, Json | None], cursor: Cursor) -> None:
    if change.get("changeType") == "drive":
        if change.get("removed") and change.get("driveId") in cursor.tokens:
            raise CursorExpired("A shared drive can no longer be read.")
        return
    file_id, item = str(change.get("fileId", "")), change.get("file")
    if item is not None and not item.get("trashed"):
        items[file_id] = item
    elif change.get("removed"):
        items.setdefault(file_id, None)  # it left this list; another one may say where it is now
    else:
        items[file_id] = None
