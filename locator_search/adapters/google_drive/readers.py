"""Who may read an item of Drive, by its permissions, whatever they are owed to: its folder, its drive, a link.

A permission that Drive marks as deleted, that has expired, or that waits for somebody to become the owner, lets nobody
in; nor does one of a view, which shows the name of a folder or a published page and not the item. One that will expire
goes into the list with its time, because nobody tells when it has.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from locator_search.core.reader import ANYONE, until

FIELDS = "type,emailAddress,domain,deleted,expirationTime,pendingOwner,view"
"""Of a permission."""
ITEM_FIELDS = f"permissions({FIELDS}),permissionIds,hasAugmentedPermissions,inheritedPermissionsDisabled"
"""Of a file or folder. Items of shared drives come without their permissions, but with the ids of these."""
ACCESS_FIELDS = "id,parents,permissionIds,hasAugmentedPermissions,inheritedPermissionsDisabled"
READERS = "readers"
"""Beside the fields of Drive: who may read the item, once it is known."""
_NEVER = datetime.max.replace(tzinfo=UTC)


def readers_in(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Who may read an item that has been told so; nobody otherwise."""
    return tuple(item.get(READERS) or ())


def readers_of(permissions: Iterable[Mapping[str, Any]], now: datetime) -> tuple[str, ...]:
    """Everybody these permissions let in at that time, in order, and until when; the last that ends counts."""
    ends: dict[str, datetime] = {}
    for one in permissions:
        name, end = _principal(one), _end(one)
        if name and end > now and not (one.get("deleted") or one.get("pendingOwner") or one.get("view")):
            ends[name] = max(end, ends.get(name, end))
    return tuple(sorted(name if end == _NEVER else until(name, end) for name, end in ends.items()))


def inherits_all(item: Mapping[str, Any]) -> bool:
    """Whether an item of a shared drive is read by those who read its folder, and by nobody else."""
    return item.get("hasAugmentedPermissions") is False and not item.get("inheritedPermissionsDisabled")


def access_of(item: Mapping[str, Any]) -> str:
    """A hash of whom Drive lets into an item: the same for the same permissions, in whatever order."""
    signs = [str(bool(item.get(name))) for name in ("hasAugmentedPermissions", "inheritedPermissionsDisabled")]
    signs += sorted(map(str, item.get("permissionIds") or ()))
    return hashlib.sha256("\n".join(signs).encode("utf-8", "replace")).hexdigest()[:16]


def _end(permission: Mapping[str, Any]) -> datetime:
    written = permission.get("expirationTime")
    return min(_time(str(written)), _NEVER) if written else _NEVER


def _principal(permission: Mapping[str, Any]) -> str:
    kind = permission.get("type")
    if kind == ANYONE:
        return ANYONE
    name = str((permission.get("domain") if kind == "domain" else permission.get("emailAddress")) or "").strip().lower()
    return f"{kind}:{name}" if kind in ("user", "group", "domain") and name and " " not in name else ""


def _time(written: str) -> datetime:
    """A time that cannot be read has passed."""
    try:
        time = datetime.fromisoformat(written)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
