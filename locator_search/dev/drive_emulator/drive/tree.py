"""The state of an emulated Drive: the items, who may see them, and what happened to them.

Every method may be called from any thread; `lock` is held by whoever needs several answers that fit together.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from locator_search.dev.drive_emulator.drive.change_log import ChangeLog, ChangeType, Entry
from locator_search.dev.drive_emulator.drive.items import FOLDER, Item, Role, SharedDrive, id_from

Announce = Literal["item", "subtree", "nothing"]
"""Which changes an action on a folder enters into the log. Drive's own rule is not documented; what is reported is
that the feed names the folder only, which is the default here."""


class DriveTree:
    """One user's My Drive and shared drives.

    With `user_log_names_shared_items` the user's log tells of items in shared drives too, beside the drive's own:
    Google says that some changes are in the drive's log only, and not which. The default is none of them.
    """

    def __init__(self) -> None:
        self.user_log_names_shared_items = False
        self.lock = threading.RLock()
        self.items: dict[str, Item] = {}
        self.drives: dict[str, SharedDrive] = {}
        self.latest_change = 0
        self._children: dict[str, dict[str, None]] = {}
        self._logs: dict[str | None, ChangeLog] = {None: ChangeLog()}
        now = _now()
        self.root = self.add(Item(id_from("My Drive", "0A"), "My Drive", FOLDER, (), now, now, role="owner"))

    # Reading

    def children(self, folder_id: str) -> list[Item]:
        """The direct children, trashed ones included, in the order in which they came."""
        with self.lock:
            return [self.items[child] for child in self._children.get(folder_id, ())]

    def subtree(self, item: Item) -> Iterator[Item]:
        """The item and everything below it, parents first, each once."""
        seen = {item.id}
        waiting = [item]
        while waiting:
            current = waiting.pop()
            yield current
            below = [child for child in self.children(current.id) if child.id not in seen]
            seen.update(child.id for child in below)
            waiting.extend(below)

    def role_on(self, item: Item) -> Role:
        """The user's role: the one set on the item, else on its nearest ancestor, else by membership of its drive."""
        with self.lock:
            for current in self._upwards(item):
                if current.role is not None:
                    return current.role
            drive = self.drives.get(item.drive_id or "")
            return drive.role if drive else "none"

    def can_see(self, item: Item) -> bool:
        """Whether the user has any access."""
        return self.role_on(item) != "none"

    def shared_with(self, item: Item) -> dict[str, dict[str, Any]]:
        """The permissions of others on an item, inherited ones included, by their ids."""
        with self.lock:
            found: dict[str, dict[str, Any]] = {}
            for current in self._upwards(item, to_limited=True):
                found = current.shared_with | found
            return found

    def is_trashed(self, item: Item) -> bool:
        """Whether the item or a folder above it is in the trash."""
        with self.lock:
            return any(current.trashed for current in self._upwards(item))

    def _upwards(self, item: Item, *, to_limited: bool = False) -> Iterator[Item]:
        seen: set[str] = set()
        waiting = [item]
        while waiting:
            current = waiting.pop(0)
            if current.id not in seen:
                seen.add(current.id)
                yield current
                if not (to_limited and current.limited):
                    waiting.extend(self.items[parent] for parent in current.parents if parent in self.items)

    def log_of(self, drive_id: str | None) -> ChangeLog:
        """The change log of a shared drive, or with None the user's own."""
        with self.lock:
            return self._logs.setdefault(drive_id, ChangeLog())

    def corpus_of(self, item: Item) -> str | None:
        """The log an item's changes go to. Items of a drive the user is no member of are tracked in the user's own."""
        drive = self.drives.get(item.drive_id or "")
        return drive.id if drive and drive.is_member else None

    # Changing

    def add(self, item: Item) -> Item:
        """Put a new item into the tree."""
        with self.lock:
            if item.id in self.items:
                raise ValueError(f"There is an item with the id {item.id!r} already.")
            self.items[item.id] = item
            self._link(item)
            self._record("file", item.id, self.corpus_of(item))
            return item

    def changed(self, item: Item, announce: Announce = "item") -> None:
        """Something about the item was set: count its version up and enter it into the log."""
        with self.lock:
            item.version += 1
            self._announce(item, announce)

    def move(self, item: Item, parents: tuple[str, ...]) -> None:
        """Put the item under other folders. Across drives everything below it changes corpus too."""
        with self.lock:
            before, old_corpus = item.drive_id, self.corpus_of(item)
            self._unlink(item)
            item.parents = parents
            self._link(item)
            new_drive = self.items[parents[0]].drive_id if parents else before
            if new_drive == before:
                return self.changed(item)
            for moved in self.subtree(item):
                moved.drive_id = new_drive
                self._record("file", moved.id, old_corpus)
                self.changed(moved)
        return None

    def delete(self, item: Item, announce: Announce = "item") -> None:
        """Delete the item and everything below it for good."""
        with self.lock:
            gone = list(self.subtree(item))
            self._announce(item, announce)
            for one in gone:
                self._unlink(one)
                del self.items[one.id]

    def add_drive(self, drive: SharedDrive) -> None:
        """Create a shared drive with its top folder."""
        with self.lock:
            self.drives[drive.id] = drive
            self.add(Item(drive.id, "Drive", FOLDER, (), drive.created, drive.created, drive_id=drive.id))
            self._record("drive", drive.id, None)

    def set_membership(self, drive_id: str, role: Role) -> None:
        """The user joins or leaves a shared drive. No file of it is named in any log."""
        with self.lock:
            self.drives[drive_id] = replace(self.drives[drive_id], role=role)
            self._record("drive", drive_id, None)

    def _announce(self, item: Item, announce: Announce) -> None:
        named = {"item": [item], "subtree": self.subtree(item), "nothing": []}[announce]
        for one in named:
            self._record("file", one.id, self.corpus_of(one))

    def _record(self, change_type: ChangeType, changed_id: str, corpus: str | None) -> None:
        self.latest_change += 1
        entry = Entry(self.latest_change, change_type, changed_id, _now())
        self.log_of(corpus).record(entry)
        if corpus is not None and self.user_log_names_shared_items:
            self.log_of(None).record(entry)

    def _link(self, item: Item) -> None:
        for parent in item.parents:
            if parent not in self.items:
                raise ValueError(f"There is no folder with the id {parent!r}.")
            self._children.setdefault(parent, {})[item.id] = None

    def _unlink(self, item: Item) -> None:
        for parent in item.parents:
            self._children.get(parent, {}).pop(item.id, None)


def _now() -> datetime:
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
