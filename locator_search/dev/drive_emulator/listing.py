"""files.list and drives.list: which items, in which order, in pages.

Where Google's reference is silent: a query that names a folder the caller cannot see is answered 404, as is
reported for a single folder, and here for a folder among several too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from locator_search.dev.drive_emulator.access import visible_drive
from locator_search.dev.drive_emulator.calls import Call, JsonAnswer
from locator_search.dev.drive_emulator.drive.items import ROLES_THAT_EDIT, Item
from locator_search.dev.drive_emulator.drive.tree import DriveTree
from locator_search.dev.drive_emulator.errors import bad_request, file_not_found, invalid_value
from locator_search.dev.drive_emulator.fields import Mask, below, prune
from locator_search.dev.drive_emulator.paging import ListingTokens, Place
from locator_search.dev.drive_emulator.query import Query, parse_query
from locator_search.dev.drive_emulator.resources import USER, FileResources, default_file_mask, drive_resource

_CORPORA = ("user", "domain", "drive", "allDrives")
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)

_ORDERS: dict[str, Callable[[Item], Any]] = {
    "name": lambda item: item.name,
    "name_natural": lambda item: [(part.isdigit(), part.zfill(20)) for part in re.split(r"(\d+)", item.name)],
    "modifiedTime": lambda item: item.modified,
    "modifiedByMeTime": lambda item: item.modified,
    "recency": lambda item: max(item.modified, item.created),
    "createdTime": lambda item: item.created,
    "folder": lambda item: not item.is_folder,
    "quotaBytesUsed": lambda item: item.size or 0,
    "sharedWithMeTime": lambda _: _NEVER,
    "viewedByMeTime": lambda _: _NEVER,
    "starred": lambda _: False,
}


@dataclass
class Listing:
    """The listing methods. The settings are for tests that need unusual answers, all of which Drive may give.

    `largest_page` caps pages below the size asked for. `empty_first_page` begins every listing with a page that
    has a token and no items. `incomplete` makes searches over all drives say `incompleteSearch` and leave out
    the shared drives.
    """

    tree: DriveTree
    resources: FileResources
    largest_page: int | None = None
    empty_first_page: bool = False
    incomplete: bool = False

    def __post_init__(self) -> None:
        self.tokens = ListingTokens()

    def list_files(self, call: Call) -> JsonAnswer:
        """Answer files.list."""
        mask = call.mask(None)
        size = call.number("pageSize")
        scope = _Scope.of(call, self.tree)
        asked = ("files", call.text("q"), call.text("orderBy"), scope)
        ids, next_token = self._page(call, asked, size, lambda: self._found(call, scope))
        items = [item for item in map(self.tree.items.get, ids) if item is not None]
        document: dict[str, Any] = {"kind": "drive#fileList", "incompleteSearch": self._is_incomplete(scope)}
        if next_token:
            document["nextPageToken"] = next_token
        by_default = "fields" not in call.values
        document["files"] = [
            self._row(item, default_file_mask(item) if by_default else below(mask, "files")) for item in items
        ]
        return JsonAnswer(prune(document, mask))

    def list_drives(self, call: Call) -> JsonAnswer:
        """Answer drives.list."""
        mask = call.mask(None)
        mine = [drive.id for drive in self.tree.drives.values() if drive.is_member]
        ids, next_token = self._page(call, ("drives",), call.number("pageSize"), lambda: mine)
        document: dict[str, Any] = {"kind": "drive#driveList"}
        if next_token:
            document["nextPageToken"] = next_token
        drives = [drive_resource(self.tree.drives[drive_id]) for drive_id in ids if drive_id in self.tree.drives]
        if "fields" not in call.values:
            drives = [prune(drive, dict.fromkeys(("kind", "id", "name"))) for drive in drives]
        document["drives"] = drives
        return JsonAnswer(prune(document, mask))

    def _row(self, item: Item, mask: Mask) -> Any:
        try:
            return prune(self.resources.file(item, mask), mask)
        except OSError:  # the real file went away; the next look at the folder will say so
            return prune({"kind": "drive#file", "id": item.id, "name": item.name, "mimeType": item.mime_type}, mask)

    def _page(
        self, call: Call, asked: tuple[object, ...], size: int, find: Callable[[], list[str]]
    ) -> tuple[list[str], str | None]:
        token = call.text("pageToken")
        place = self.tokens.redeem(token, asked) if token else Place(find(), 0, asked)
        size = min(size, self.largest_page or size)
        if token is None and self.empty_first_page:
            size = 0
        end = place.start + size
        more = end < len(place.ids)
        return place.ids[place.start : end], self.tokens.issue(Place(place.ids, end, asked)) if more else None

    def _found(self, call: Call, scope: _Scope) -> list[str]:
        query = parse_query(call.text("q") or "")
        self._refuse_unseen_parents(query, scope)
        items: Iterable[Item] = self.tree.items.values()
        if query.parents is not None:
            folders = dict.fromkeys(self._folder_id(parent) for parent in query.parents)
            items = {child.id: child for folder in folders for child in self.tree.children(folder)}.values()
        found = [item for item in items if self._is_found(item, query, scope)]
        for key, descending in reversed(_orders(call.text("orderBy") or "recency desc")):
            found.sort(key=_ORDERS[key], reverse=descending)
        return [item.id for item in found]

    def _is_found(self, item: Item, query: Query, scope: _Scope) -> bool:
        if item.id in (self.tree.root.id, item.drive_id) or not scope.covers(item, anywhere=query.parents is not None):
            return False
        if self.incomplete and scope.corpora == "allDrives" and item.drive_id is not None:
            return False
        return query.matches(_Asked(item, self.tree)) and self.tree.can_see(item)

    def _is_incomplete(self, scope: _Scope) -> bool:
        return self.incomplete and scope.corpora == "allDrives"

    def _refuse_unseen_parents(self, query: Query, scope: _Scope) -> None:
        for parent in query.named_parents:
            folder = self.tree.items.get(self._folder_id(parent))
            if folder is None or not self.tree.can_see(folder) or (folder.drive_id and not scope.all_drives):
                raise file_not_found("")

    def _folder_id(self, parent: str) -> str:
        return self.tree.root.id if parent == "root" else parent


@dataclass(frozen=True)
class _Scope:
    """Where files.list looks."""

    corpora: str
    drive_id: str | None
    all_drives: bool

    @classmethod
    def of(cls, call: Call, tree: DriveTree) -> _Scope:
        drive_id = call.text("driveId")
        corpora = call.text("corpora") or "user"
        if corpora not in _CORPORA:
            raise invalid_value("corpora")
        if (corpora == "drive") != (drive_id is not None):
            raise bad_request(
                "driveId", "The driveId parameter must be specified if and only if corpora is set to drive."
            )
        both = call.flag("supportsAllDrives") and call.flag("includeItemsFromAllDrives")
        if corpora in ("drive", "allDrives") and not both:
            raise bad_request(
                "includeItemsFromAllDrives",
                f"Both includeItemsFromAllDrives and supportsAllDrives must be true when corpora is {corpora}.",
            )
        if drive_id is not None:
            visible_drive(tree, drive_id)
        return cls(corpora, drive_id, both)

    def covers(self, item: Item, *, anywhere: bool) -> bool:
        """Whether the corpora hold the item. A query for the children of a folder reaches beyond the user's own."""
        if item.drive_id is not None and not self.all_drives:
            return False
        if self.corpora == "drive":
            return item.drive_id == self.drive_id
        return self.corpora == "allDrives" or anywhere or item.drive_id is None


@dataclass(frozen=True)
class _Asked:
    """A file as the query language sees it."""

    item: Item
    tree: DriveTree

    def text(self, field: str) -> str:
        if field == "mimeType":
            return self.item.mime_type
        if field == "name":
            return self.item.name
        stored = self.item.read() if self.item.mime_type.startswith("text/") or self.item.source_format == "md" else b""
        return f"{self.item.name}\n{stored.decode('utf-8', 'replace')}"

    def time(self, field: str) -> datetime:
        return {"modifiedTime": self.item.modified, "createdTime": self.item.created}.get(field, _NEVER)

    def flag(self, field: str) -> bool:
        if field == "trashed":
            return self.tree.is_trashed(self.item)
        return field == "sharedWithMe" and self.tree.role_on(self.item) != "owner" and self.item.drive_id is None

    def collection(self, field: str) -> tuple[str, ...]:
        if field == "parents":
            root = ("root",) if self.tree.root.id in self.item.parents else ()
            return self.item.parents + root
        role = self.tree.role_on(self.item)
        holds = {"owners": role == "owner", "writers": role in ROLES_THAT_EDIT, "readers": role != "none"}[field]
        return (USER["emailAddress"], "me") if holds else ()


def _orders(text: str) -> list[tuple[str, bool]]:
    orders = []
    for part in text.split(","):
        key, _, direction = part.strip().partition(" ")
        if key not in _ORDERS or direction.strip() not in ("", "desc"):
            raise invalid_value("orderBy")
        orders.append((key, direction.strip() == "desc"))
    return orders
