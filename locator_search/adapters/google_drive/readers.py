"""Who may read an item of Drive, by its permissions, whatever they are owed to: its folder, its drive, a link.

A permission that Drive marks as deleted, that has expired, or that waits for somebody to become the owner, lets nobody
in; nor does one of a view, which shows the name of a folder or a published page and not the item.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from locator_search.core.reader import ANYONE

FIELDS = "type,emailAddress,domain,deleted,expirationTime,pendingOwner,view"
"""Of a permission."""
ITEM_FIELDS = f"permissions({FIELDS}),hasAugmentedPermissions,inheritedPermissionsDisabled"
"""Of a file or folder. Items of shared drives come without their permissions."""
READERS = "readers"
"""Beside the fields of Drive: who may read the item, once it is known."""


def readers_in(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Who may read an item that has been told so; nobody otherwise."""
    return tuple(item.get(READERS) or ())


def readers_of(permissions: Iterable[Mapping[str, Any]], now: datetime) -> tuple[str, ...]:
    """Everybody these permissions let in at that time, in order."""
    return tuple(sorted({_principal(one) for one in permissions if _lets_in(one, now)} - {""}))


def inherits_all(item: Mapping[str, Any]) -> bool:
    """Whether an item of a shared drive is read by those who read its folder, and by nobody else."""
    return item.get("hasAugmentedPermissions") is False and not item.get("inheritedPermissionsDisabled")


def _lets_in(permission: Mapping[str, Any], now: datetime) -> bool:
    if permission.get("deleted") or permission.get("pendingOwner") or permission.get("view"):
        return False
    until = permission.get("expirationTime")
    return not until or _time(str(until)) > now


def _principal(permission: Mapping[str, Any]) -> str:
    kind = permission.get("type")
    if kind == ANYONE:
        return ANYONE
    name = permission.get("domain") if kind == "domain" else permission.get("emailAddress")
    return f"{kind}:{str(name).strip().lower()}" if kind in ("user", "group", "domain") and name else ""


def _time(written: str) -> datetime:
    """A time that cannot be read has passed."""
    try:
        time = datetime.fromisoformat(written)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
