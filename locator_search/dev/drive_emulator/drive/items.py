"""The items of a Drive: files, folders and shortcuts, and the shared drives some of them belong to."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

Role = Literal["owner", "organizer", "fileOrganizer", "writer", "commenter", "reader", "none"]
"""The rights of the one user of the emulator; `none` is no access at all."""

Content = bytes | Path

_GOOGLE = "application/vnd.google-apps."
FOLDER = _GOOGLE + "folder"
SHORTCUT = _GOOGLE + "shortcut"
DOCUMENT = _GOOGLE + "document"
SPREADSHEET = _GOOGLE + "spreadsheet"
PRESENTATION = _GOOGLE + "presentation"

ROLES_THAT_EDIT: frozenset[Role] = frozenset({"owner", "organizer", "fileOrganizer", "writer"})


@dataclass(slots=True)
class Item:
    """A file, folder or shortcut.

    `trashed` and `role` are what was set on the item itself; what holds for it after its ancestors is asked of
    the tree; so are those that others gave, `shared_with`: permissions by their ids. A `limited` item inherits none.
    `source_format` tells how the content of a Workspace file is stored (`md`, `docx`, `xlsx`, `pptx`).
    """

    id: str
    name: str
    mime_type: str
    parents: tuple[str, ...]
    created: datetime
    modified: datetime
    drive_id: str | None = None
    content: Content | None = None
    source_format: str = ""
    target_id: str | None = None
    target_mime_type: str = ""
    trashed: bool = False
    role: Role | None = None
    version: int = 1
    revision: int = 1
    resource_key: str | None = None
    needs_resource_key: bool = False
    downloadable: bool = True
    abusive: bool = False
    exports: dict[str, bytes] = field(default_factory=dict)
    shared_with: dict[str, dict[str, Any]] = field(default_factory=dict)
    limited: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether it can have children."""
        return self.mime_type == FOLDER

    @property
    def is_blob(self) -> bool:
        """Whether it holds bytes of its own, as an uploaded file does and a Google Doc does not."""
        return not self.mime_type.startswith(_GOOGLE)

    @property
    def size(self) -> int | None:
        """Bytes of the stored content; None for folders and shortcuts."""
        if isinstance(self.content, Path):
            return self.content.stat().st_size
        return None if self.content is None else len(self.content)

    def read(self) -> bytes:
        """The stored content. Raises OSError where the real file has just gone."""
        return self.content.read_bytes() if isinstance(self.content, Path) else self.content or b""


@dataclass(slots=True)
class SharedDrive:
    """A shared drive. Its id is the id of its top folder too; `role` is the user's membership."""

    id: str
    name: str
    created: datetime
    role: Role = "reader"

    @property
    def is_member(self) -> bool:
        """Whether the user belongs to the drive."""
        return self.role != "none"


def id_from(seed: str, prefix: str = "1") -> str:
    """An id of the shape Drive gives: 33 letters, digits, `-` and `_`, the same for the same seed."""
    return prefix + base64.urlsafe_b64encode(hashlib.sha256(seed.encode()).digest()).decode()[:32]
