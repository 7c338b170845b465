"""Making and changing what an emulated Drive holds, as its user and others would."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from locator_search.dev.drive_emulator.drive.items import (
    DOCUMENT,
    FOLDER,
    PRESENTATION,
    SHORTCUT,
    SPREADSHEET,
    Item,
    Role,
    SharedDrive,
    id_from,
)
from locator_search.dev.drive_emulator.drive.media_types import mime_type_of
from locator_search.dev.drive_emulator.drive.synthetic import add_synthetic, text_of
from locator_search.dev.drive_emulator.drive.tree import Announce, DriveTree


class DriveContents:
    """Items are named by their ids; `parent` None is My Drive itself. What is done appears in the changes feed."""

    def __init__(self) -> None:
        self.tree = DriveTree()
        self._names = 0

    # Making items

    def add_folder(self, name: str, parent: str | None = None) -> str:
        """A folder. Returns its id."""
        return self._add(name, FOLDER, parent)

    def add_file(
        self,
        name: str,
        content: bytes | str = b"",
        parent: str | None = None,
        *,
        mime_type: str | None = None,
        modified: datetime | None = None,
    ) -> str:
        """An uploaded file, its type told by its name unless given. Returns its id."""
        stored = content.encode() if isinstance(content, str) else content
        return self._add(name, mime_type or mime_type_of(name), parent, content=stored, modified=modified)

    def add_document(self, name: str, markdown: str, parent: str | None = None) -> str:
        """A Google Doc. Returns its id."""
        return self._add(name, DOCUMENT, parent, content=markdown.encode(), source_format="md")

    def add_spreadsheet(self, name: str, sheets: dict[str, Sequence[Sequence[Any]]], parent: str | None = None) -> str:
        """A Google Sheet of named sheets with rows of cells. Returns its id."""
        from openpyxl import Workbook

        workbook = Workbook()
        workbook.remove(workbook.worksheets[0])
        for title, rows in sheets.items():
            sheet = workbook.create_sheet(title)
            for row in rows:
                sheet.append(row)
        return self._add(name, SPREADSHEET, parent, content=_saved(workbook), source_format="xlsx")

    def add_presentation(self, name: str, slides: Sequence[tuple[str, str]], parent: str | None = None) -> str:
        """A Google Slides file of slides with title and body. Returns its id."""
        from pptx import Presentation

        presentation = Presentation()
        for title, body in slides:
            slide = presentation.slides.add_slide(presentation.slide_layouts[1])
            for placeholder, text in zip(slide.placeholders, (title, body), strict=False):
                placeholder.text = text
        return self._add(name, PRESENTATION, parent, content=_saved(presentation), source_format="pptx")

    def add_workspace_file(self, name: str, kind: str, parent: str | None = None) -> str:
        """A Workspace file that has no text: `drawing`, `form`, `site`, `script`, `vid` ... Returns its id."""
        return self._add(name, f"application/vnd.google-apps.{kind}", parent)

    def add_shortcut(self, name: str, target: str, parent: str | None = None) -> str:
        """A shortcut to a file or folder, of any drive; to a folder above it, it makes a cycle. Returns its id."""
        shortcut = self._new(name, SHORTCUT, parent)
        shortcut.target_id, shortcut.target_mime_type = target, self.item(target).mime_type
        return self.tree.add(shortcut).id

    def add_shared_drive(self, name: str, role: Role = "reader") -> str:
        """A shared drive of which the user is a member. Returns its id, which is that of its top folder too."""
        drive_id = id_from(f"drive {self._next_name()}", "0A")
        self.tree.add_drive(SharedDrive(drive_id, name, _now(), role))
        return drive_id

    def add_synthetic(
        self, files: int, parent: str | None = None, per_folder: int = 100, content: Callable[[int], bytes] = text_of
    ) -> list[str]:
        """Many text files in folders, the same every time. Returns the ids of the files."""
        return add_synthetic(self.tree, files, self.item(parent or self.tree.root.id), per_folder, content)

    # Changing them

    def item(self, file_id: str) -> Item:
        """The item itself. Raises KeyError."""
        return self.tree.items[file_id]

    def write(self, file_id: str, content: bytes | str, *, modified: datetime | None = None) -> None:
        """Replace the stored content: of a Google Doc its Markdown, of others their bytes."""

        def put(item: Item) -> None:
            item.content = content.encode() if isinstance(content, str) else content
            item.modified = modified or _now()
            item.revision += 1

        self._change(file_id, put)

    def rename(self, file_id: str, name: str) -> None:
        """Another name; the times stay, as they do when a folder is renamed in Drive."""
        self._change(file_id, lambda item: setattr(item, "name", name))

    def move(self, file_id: str, parent: str) -> None:
        """Into another folder, of the same drive or of another."""
        self.tree.move(self.item(file_id), (parent,))

    def add_parent(self, file_id: str, parent: str) -> None:
        """A second folder for a file, as files from before 2020 may have."""
        item = self.item(file_id)
        self.tree.move(item, (*item.parents, parent))

    def trash(self, file_id: str, announce: Announce = "item") -> None:
        """Into the trash, a folder with everything below it."""
        self._change(file_id, lambda item: setattr(item, "trashed", True), announce)

    def untrash(self, file_id: str, announce: Announce = "item") -> None:
        """Out of the trash; the times stay."""
        self._change(file_id, lambda item: setattr(item, "trashed", False), announce)

    def delete(self, file_id: str, announce: Announce = "item") -> None:
        """For good, a folder with everything below it."""
        self.tree.delete(self.item(file_id), announce)

    def set_permission(self, file_id: str, role: Role | None, announce: Announce = "item") -> None:
        """The user's role on an item and all below it that has none of its own; None inherits again."""
        self._change(file_id, lambda item: setattr(item, "role", role), announce)

    def share(self, file_id: str, kind: str, name: str = "", announce: Announce = "item", **permission: Any) -> None:
        """A permission for somebody else, a mail address or domain, on an item and all below it. For the top folder of
        a shared drive it makes a member."""
        named = {"domain": name} if kind == "domain" else {"emailAddress": name} if name else {}
        given = {"id": id_from(f"{kind} {name}", ""), "type": kind, "role": "reader", **named, **permission}
        self._change(file_id, lambda item: item.shared_with.__setitem__(given["id"], given), announce)

    def unshare(self, file_id: str, kind: str, name: str = "", announce: Announce = "item") -> None:
        """Take back a permission that was given on this very item."""
        self._change(file_id, lambda item: item.shared_with.__delitem__(id_from(f"{kind} {name}", "")), announce)

    def limit_access(self, file_id: str, announce: Announce = "item") -> None:
        """From now on an item and all below it inherit nothing from above."""
        self._change(file_id, lambda item: setattr(item, "limited", True), announce)

    def revoke(self, file_id: str, announce: Announce = "item") -> None:
        """Take all access away."""
        self.set_permission(file_id, "none", announce)

    def set_membership(self, drive_id: str, role: Role) -> None:
        """Another role in a shared drive; `none` leaves it. No file of it is named in any log."""
        self.tree.set_membership(drive_id, role)

    def forbid_download(self, file_id: str) -> None:
        """The owner forbids download: cannotDownloadFile, and capabilities that say so."""
        self._change(file_id, lambda item: setattr(item, "downloadable", False))

    def allow_download(self, file_id: str) -> None:
        """The owner allows it again."""
        self._change(file_id, lambda item: setattr(item, "downloadable", True))

    def flag_as_abusive(self, file_id: str) -> None:
        """Malware: cannotDownloadAbusiveFile, unless the owner acknowledges it."""
        self._change(file_id, lambda item: setattr(item, "abusive", True))

    def require_resource_key(self, file_id: str, key: str) -> None:
        """The item opens only with `X-Goog-Drive-Resource-Keys: id/key`."""

        def put(item: Item) -> None:
            item.resource_key, item.needs_resource_key = key, True

        self._change(file_id, put)

    def set_export(self, file_id: str, mime_type: str, content: bytes) -> None:
        """Give these bytes as the export of a Workspace file in this format."""
        self._change(file_id, lambda item: item.exports.__setitem__(mime_type, content))

    def _add(
        self,
        name: str,
        mime_type: str,
        parent: str | None,
        *,
        content: bytes | None = None,
        source_format: str = "",
        modified: datetime | None = None,
    ) -> str:
        item = self._new(name, mime_type, parent)
        item.content, item.source_format, item.modified = content, source_format, modified or item.modified
        return self.tree.add(item).id

    def _new(self, name: str, mime_type: str, parent: str | None) -> Item:
        folder, now = self.item(parent or self.tree.root.id), _now()
        new_id = id_from(f"item {self._next_name()}")
        return Item(new_id, name, mime_type, (folder.id,), now, now, folder.drive_id)

    def _change(self, file_id: str, put: Callable[[Item], None], announce: Announce = "item") -> None:
        with self.tree.lock:
            item = self.item(file_id)
            put(item)
            self.tree.changed(item, announce)

    def _next_name(self) -> int:
        with self.tree.lock:
            self._names += 1
            return self._names


def _saved(office_file: Any) -> bytes:
    written = io.BytesIO()
    office_file.save(written)
    return written.getvalue()


def _now() -> datetime:
    return datetime.now(UTC)
