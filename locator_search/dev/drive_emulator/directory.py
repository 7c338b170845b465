"""The groups of an organisation, as its administrator may list their members (Admin SDK, `members.list`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from locator_search.dev.drive_emulator.errors import ApiError, forbidden

PATH = "/admin/directory/v1/groups/"


class Directory:
    """`groups` have mail addresses as names, and people or other groups as members; `admin` alone may ask."""

    def __init__(self) -> None:
        self.admin = "admin@emulator.test"
        self.groups: dict[str, set[str]] = {}

    def members(self, group: str, asked_as: str, values: Mapping[str, str]) -> dict[str, Any]:
        """A page of the members of a group. Raises ApiError."""
        if asked_as != self.admin:
            raise forbidden("insufficientPermissions")
        if group not in self.groups:
            raise ApiError(404, "notFound", f"Resource Not Found: groupKey {group}")
        found = sorted(self._within(group) if values.get("includeDerivedMembership") == "true" else self.groups[group])
        begin, size = int(values.get("pageToken") or 0), int(values.get("maxResults") or 200)
        page: dict[str, Any] = {"kind": "admin#directory#members"}
        page["members"] = [
            {"email": mail, "type": "GROUP" if mail in self.groups else "USER", "role": "MEMBER"}
            for mail in found[begin : begin + size]
        ]
        return page | ({"nextPageToken": str(begin + size)} if begin + size < len(found) else {})

    def _within(self, group: str) -> set[str]:
        members = self.groups[group]
        return members.union(*(self._within(one) for one in members if one in self.groups))
