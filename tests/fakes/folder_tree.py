"""A folder tree that was never filled."""

from __future__ import annotations

from collections.abc import Collection

from locator_search.model import FileRef
from locator_search.ports import Folder


class EmptyFolderTree:
    """Knows no folder, as before the first listing."""

    def folders(self, folder_ids: Collection[str]) -> dict[str, Folder]:
        return {}

    def below(self, folder_ids: Collection[str]) -> list[Folder]:
        return []

    def shortcuts_to(self, target_ids: Collection[str]) -> list[Folder]:
        return []

    def files_in(self, folder_ids: Collection[str]) -> list[FileRef]:
        return []
