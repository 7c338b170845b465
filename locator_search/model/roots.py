"""Source roots: the folders a person named, each with the files that belong to it, and what is wrong with them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from locator_search.model.files import FileRef

NOT_LISTED_FOR = timedelta(days=7)
"""After that time a root that is crawled elsewhere counts as abandoned."""


@dataclass(frozen=True, slots=True)
class SourceRoot:
    """A Drive target folder, a shared drive, or a local folder under a name of its own.

    `root_id` is `google_drive:` and the folder's id, or `local_folder:` and its name, which is its path unless
    LOCATOR_FOLDER_NAMES gives another. `name` is how a person reads it.
    """

    root_id: str
    name: str
    source: str

    @property
    def handle(self) -> str:
        """The name by which a person names this root in a command."""
        return self.root_id.partition(":")[2] or self.root_id


@dataclass(frozen=True, slots=True)
class UnlistedFolder:
    """A folder that a listing could not look into, so that nothing below it is known to be gone.

    An empty `path` stands for the whole root. `folder_ids` are the folder and those known below it, where the source
    gives them ids. `is_rules`: it is no folder, but the file of rules who may read the root, and the reason is what is
    wrong with them.
    """

    root_id: str
    path: str
    reason: str
    folder_ids: frozenset[str] = frozenset()
    is_rules: bool = False

    def covers(self, file: FileRef) -> bool:
        """Whether a file lies in it, as far as is known."""
        if not self.folder_ids.isdisjoint(file.parent_ids):
            return True
        if file.root_id != self.root_id:
            return False
        return not self.path or f"{file.folder_path}/".startswith(f"{self.path}/")


@dataclass(frozen=True, slots=True)
class RootState:
    """A root as the registry knows it.

    Of its `files`, `missing` were not in the last listing and are kept until that is confirmed. The last listing showed
    `listed` files, ended at `listed_at` and was made by `listed_by` (machine and home). `unlisted` are the folders it
    could not look into; a root that could not be listed has a `problem`. `rules` says what is wrong with the
    rules who may read it.
    """

    root: SourceRoot
    files: int = 0
    missing: int = 0
    listed: int = 0
    listed_at: datetime | None = None
    listed_by: str = ""
    problem: str = ""
    unlisted: tuple[str, ...] = ()
    rules: str = ""


RootWarningKind = Literal["unreachable", "folders", "rules", "empty", "missing", "no_files", "left", "abandoned"]


@dataclass(frozen=True, slots=True)
class RootWarning:
    """One thing a person should know about a root.

    - unreachable: it could not be listed (`detail` says why); its files stay;
    - folders: folders in it could not be listed (`detail` names them); what lies below stays;
    - rules: those that say who may read it are wrong (`detail` says in what);
    - empty: its last listing showed no file at all; those known stay until that is confirmed;
    - missing: `count` of its files, more than half, are no longer listed; they stay until that is confirmed;
    - no_files: there is no file in it, and none is known;
    - left: this home crawled it and no longer does; its files stay until they are removed;
    - abandoned: nobody has listed it for a week.
    """

    kind: RootWarningKind
    root: SourceRoot
    files: int
    count: int = 0
    detail: str = ""


def scope_of(root_ids: Collection[str]) -> str:
    """Stands for some roots that are crawled together, in whatever order they are named."""
    return hashlib.sha256("\n".join(sorted(root_ids)).encode("utf-8", "replace")).hexdigest()[:16]


def root_warnings(
    states: Sequence[RootState], own: Collection[str], listed_by: str, now: datetime
) -> tuple[RootWarning, ...]:
    """Warnings about roots: those in `own`, crawled by the home `listed_by`, and those nobody crawls any more."""
    warnings: list[RootWarning] = []
    for state in states:
        if state.root.root_id in own:
            warnings += _of_own(state)
        elif state.files and listed_by and state.listed_by == listed_by:
            warnings.append(RootWarning("left", state.root, state.files, state.files))
        elif state.files and (state.listed_at is None or now - state.listed_at > NOT_LISTED_FOR):
            warnings.append(RootWarning("abandoned", state.root, state.files, state.files))
    return tuple(warnings)


def _of_own(state: RootState) -> list[RootWarning]:
    if state.problem:
        return [RootWarning("unreachable", state.root, state.files, detail=state.problem)]
    found: list[RootWarning] = []
    if state.unlisted:
        names = ", ".join(state.unlisted)
        found.append(RootWarning("folders", state.root, state.files, len(state.unlisted), names))
    if state.rules:
        found.append(RootWarning("rules", state.root, state.files, detail=state.rules))
    if state.missing:
        kind: RootWarningKind = "missing" if state.listed else "empty"
        found.append(RootWarning(kind, state.root, state.files, state.missing))
    elif state.listed_at is not None and not state.listed and not state.files and not state.unlisted:
        found.append(RootWarning("no_files", state.root, 0))
    return found
