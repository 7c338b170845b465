"""changes.getStartPageToken and changes.list.

The user's log and that of each shared drive are separate; an entry gives the state an item has now. What moved to
another corpus, was deleted, or can no longer be seen is `removed` in the log it was entered in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from locator_search.dev.drive_emulator.access import visible_drive
from locator_search.dev.drive_emulator.calls import Call, JsonAnswer
from locator_search.dev.drive_emulator.drive.change_log import Entry
from locator_search.dev.drive_emulator.drive.tree import DriveTree
from locator_search.dev.drive_emulator.errors import bad_request
from locator_search.dev.drive_emulator.fields import Mask, below, prune
from locator_search.dev.drive_emulator.paging import ChangeTokens
from locator_search.dev.drive_emulator.resources import FileResources, default_file_mask, drive_resource, timestamp

_DEFAULT_DRIVE: Mask = {"kind": None, "id": None, "name": None}


@dataclass
class Changes:
    """The methods of the changes feed."""

    tree: DriveTree
    resources: FileResources
    tokens: ChangeTokens = field(default_factory=ChangeTokens)

    def start_page_token(self, call: Call) -> JsonAnswer:
        """Answer changes.getStartPageToken."""
        mask = call.mask(None)
        token = self.tokens.issue(self._corpus(call), self.tree.latest_change)
        return JsonAnswer(prune({"kind": "drive#startPageToken", "startPageToken": token}, mask))

    def list_changes(self, call: Call) -> JsonAnswer:
        """Answer changes.list."""
        mask = call.mask(None)
        corpus = self._corpus(call)
        start = self.tokens.redeem(call.required_text("pageToken"), corpus)
        size = call.number("pageSize")
        entries = self.tree.log_of(corpus).since(start, size + 1)
        document: dict[str, Any] = {"kind": "drive#changeList"}
        if len(entries) > size:
            document["nextPageToken"] = self.tokens.issue(corpus, entries[size - 1].number)
        else:
            document["newStartPageToken"] = self.tokens.issue(corpus, self.tree.latest_change)
        by_default = "fields" not in call.values
        told = (self._change(call, entry, corpus, below(mask, "changes"), by_default) for entry in entries[:size])
        document["changes"] = [change for change in told if change is not None]
        return JsonAnswer(prune(document, mask))

    def _corpus(self, call: Call) -> str | None:
        drive_id = call.text("driveId")
        if drive_id is None:
            return None
        if not call.flag("supportsAllDrives"):
            raise bad_request("supportsAllDrives", "supportsAllDrives must be true when driveId is set.")
        if "includeItemsFromAllDrives" in call.method.parameters and not call.flag("includeItemsFromAllDrives"):
            raise bad_request(
                "includeItemsFromAllDrives", "includeItemsFromAllDrives must be true when driveId is set."
            )
        return visible_drive(self.tree, drive_id).id

    def _change(
        self, call: Call, entry: Entry, corpus: str | None, mask: Mask, by_default: bool
    ) -> dict[str, Any] | None:
        change: dict[str, Any] = {
            "kind": "drive#change",
            "changeType": entry.change_type,
            "type": entry.change_type,
            "time": timestamp(entry.time),
        }
        if entry.change_type == "drive":
            state = self._drive_state(call, entry, by_default)
        else:
            state = self._file_state(call, entry, corpus, below(mask, "file"), by_default)
        if state is None or (state["removed"] and not call.flag("includeRemoved")):
            return None
        return change | state

    def _drive_state(self, call: Call, entry: Entry, by_default: bool) -> dict[str, Any] | None:
        if not (call.flag("supportsAllDrives") and call.flag("includeItemsFromAllDrives")):
            return None
        state: dict[str, Any] = {"driveId": entry.id, "teamDriveId": entry.id}
        drive = self.tree.drives.get(entry.id)
        if drive is None or not drive.is_member:
            return state | {"removed": True}
        resource = drive_resource(drive)
        return state | {"removed": False, "drive": prune(resource, _DEFAULT_DRIVE) if by_default else resource}

    def _file_state(
        self, call: Call, entry: Entry, corpus: str | None, mask: Mask, by_default: bool
    ) -> dict[str, Any] | None:
        state: dict[str, Any] = {"fileId": entry.id}
        item = self.tree.items.get(entry.id)
        if item is None or not self.tree.can_see(item):
            return state | {"removed": True}
        left = self.tree.corpus_of(item) != corpus and not (corpus is None and self.tree.user_log_names_shared_items)
        if left and not call.flag("includeCorpusRemovals"):
            return state | {"removed": True}
        if item.drive_id is not None and not (
            call.flag("supportsAllDrives") and call.flag("includeItemsFromAllDrives")
        ):
            return None
        file_mask = default_file_mask(item) if by_default else mask
        try:
            resource = self.resources.file(item, file_mask)
        except OSError:
            return state | {"removed": True}
        return state | {"removed": left, "file": prune(resource, file_mask)}
