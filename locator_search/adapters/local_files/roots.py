"""The local folders of a home as source roots: where each lies here, and the name that it has everywhere."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from locator_search.adapters.local_files.names import displayable, location_of
from locator_search.core.errors import ConfigurationError
from locator_search.model import SourceRoot

SOURCE = "local_folder"


@dataclass(frozen=True, slots=True)
class LocalRoot:
    """A folder and its name. The ids of its files derive from the name and their paths inside it: under the same name,
    another path or another machine changes none of them."""

    path: str
    name: str

    @property
    def root_id(self) -> str:
        """The name after that of the source."""
        return f"{SOURCE}:{location_of(self.name)}"

    @property
    def shown(self) -> str:
        """How the folder is called in paths that people read: the end of a name that is a path."""
        return displayable(PurePosixPath(self.name).name or self.name)

    @property
    def as_root(self) -> SourceRoot:
        """The folder as the registry keeps it."""
        return SourceRoot(self.root_id, displayable(self.name), SOURCE)


def local_roots(folders: Sequence[Path], names: Sequence[str] = ()) -> tuple[LocalRoot, ...]:
    """The folders with their links resolved, each once; without names each goes by its path.

    Raises ConfigurationError where one folder has two names.
    """
    paths = [os.path.realpath(folder.expanduser()) for folder in folders]
    if names and len(set(paths)) < len(paths):
        raise ConfigurationError(
            "LOCATOR_FOLDERS names one folder twice.",
            hint="Name each folder once; then LOCATOR_FOLDER_NAMES fits, too.",
        )
    called = names or [unicodedata.normalize("NFC", path) for path in paths]
    return tuple({path: LocalRoot(path, name) for path, name in zip(paths, called, strict=True)}.values())
