"""Local folders as a place where files live.

What is listed: every regular file below the folders, however deep. What is not:

- hidden names (a leading dot), lock files of office programs (`~$...`) and the product's own home;
- symbolic links: what they point to inside a folder is listed at its own place, what lies outside was not asked for,
  and a loop cannot arise;
- pipes, sockets and devices.

A folder that lies inside another one is listed once, as itself. A folder that cannot be looked into does not stop the
others: it is told apart (`unlisted`), so that nothing below it is taken for deleted, and a sub-folder is listed as an
entry of type `inode/directory` besides. Files are opened beneath their root without following links.
"""

from __future__ import annotations

import os
import shutil
import stat
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from locator_search.adapters.extractors.limits import MAX_FILE_BYTES, MIB
from locator_search.adapters.extractors.mime_types import mime_type_of
from locator_search.adapters.local_files.access_rules import RULES, AccessRules, read_rules
from locator_search.adapters.local_files.beneath import open_file, open_folder, revision_of, why_not_listed
from locator_search.adapters.local_files.names import (
    SOURCE,
    LocalRoot,
    displayable,
    file_id_of,
    link_of,
    local_roots,
    location_of,
    path_of,
    quoted,
)
from locator_search.core.errors import FileGone, SourceError, SourceUnavailable, UnreadableFile
from locator_search.model import FOLDER_MIME_TYPE, FileRef, SourceRoot, UnlistedFolder
from locator_search.ports import mark_of

_EPOCH = datetime.fromtimestamp(0, UTC)
_HIDDEN = (".", "~$")
_LONGEST_NAME = 200
"""Bytes of a copy's name; file systems allow 255."""
_COMPARED_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder on the way down: its root, the path inside it, what identifies it, and how a person reads it."""

    root: LocalRoot
    inside: str
    identity: str
    shown: str

    def inside_of(self, entry_name: str) -> str:
        """The path inside the root of what has a name of the file system in this folder."""
        return f"{self.inside}/{entry_name}" if self.inside else entry_name

    def below(self, entry_name: str, identity: str) -> _Folder:
        """The folder of a name of the file system in this one."""
        return _Folder(self.root, self.inside_of(entry_name), identity, f"{self.shown}/{displayable(entry_name)}")

    @property
    def path(self) -> str:
        """The path on this machine."""
        return f"{self.root.path.rstrip('/')}/{self.inside}" if self.inside else self.root.path


class _Found(NamedTuple):
    """A file of a folder, with what its mark is made of."""

    file_id: str
    mark: str
    entry_name: str
    revision: str
    size: int
    changed: float
    folder: _Folder
    readers: tuple[str, ...]

    @classmethod
    def of(
        cls, entry_name: str, status: os.stat_result, identity: str, folder: _Folder, readers: tuple[str, ...]
    ) -> _Found:
        """A file of that name and status."""
        name, revision = displayable(entry_name), revision_of(status)
        location = location_of(folder.inside_of(entry_name))
        mark = mark_of(folder.root.root_id, revision, mime_type_of(name), folder.shown, name, location, readers)
        file_id, size, changed = file_id_of(identity), status.st_size, status.st_mtime
        return cls(file_id, mark, entry_name, revision, size, changed, folder, readers)

    def as_file(self) -> FileRef:
        """All that a listing says of it."""
        name, folder = displayable(self.entry_name), self.folder
        return FileRef(
            file_id=self.file_id,
            file_name=name,
            source=SOURCE,
            mime_type=mime_type_of(name),
            modified_at=_time(self.changed),
            revision=self.revision,
            link=f"{link_of(folder.path.rstrip('/'))}/{quoted(self.entry_name)}",
            folder_path=folder.shown,
            location=location_of(folder.inside_of(self.entry_name)),
            size=self.size,
            root_id=folder.root.root_id,
            readers=self.readers,
        )


class LocalFolderSource:
    """A `DocumentSource` over any number of local folders, under their `names` where these are given.

    `home` is the product's own folder, never listed.
    """

    name = SOURCE

    def __init__(
        self,
        folders: Sequence[Path],
        home: Path | None = None,
        names: Sequence[str] = (),
        *,
        with_readers: bool = False,
    ) -> None:
        self._with_readers = with_readers
        self._roots = {root.root_id: root for root in local_roots(folders, names)}
        self._home = os.path.realpath(home) if home is not None else None

    @property
    def roots(self) -> Sequence[SourceRoot]:
        """The folders under their names."""
        return [root.as_root for root in self._roots.values()]

    def places(self) -> Mapping[str, str]:
        """The paths of the folders, with a slash at their end."""
        return {root_id: root.path.rstrip("/") + "/" for root_id, root in self._roots.items()}

    def list_files(self) -> Iterator[FileRef]:
        """Every file in scope, folder by folder, sorted by name."""
        return self.sweep().files()

    def sweep(self) -> LocalSweep:
        """A full listing, to be begun."""
        return self._sweep(lambda _root_id, marks: marks, at_once=1)

    def sweep_beside(self, differing: Callable[[str, Mapping[str, str]], Collection[str]]) -> LocalSweep:
        """The same, of the files that differ alone."""
        return self._sweep(differing, at_once=_COMPARED_AT_ONCE)

    def _sweep(self, differing: Callable[[str, Mapping[str, str]], Collection[str]], at_once: int) -> LocalSweep:
        roots = tuple(self._roots.values())
        return LocalSweep(roots, self._home, differing, at_once, with_readers=self._with_readers)

    def open(self, file: FileRef) -> BinaryIO:
        """The content, through a descriptor that nothing can lead out of the root.

        Raises FileGone, AccessDenied or another SourceError.
        """
        root = self._roots.get(file.root_id)
        if root is None:
            raise SourceUnavailable(f"{file.file_name} belongs to a folder that is not crawled here.")
        with open_file(root.path, path_of(file.location)) as descriptor:
            return os.fdopen(os.dup(descriptor), "rb")

    def read(self, file: FileRef, directory: Path) -> Path:
        """A copy of the content in `directory`. Raises as `open` does, and UnreadableFile for what is too large."""
        with self.open(file) as content:
            if os.fstat(content.fileno()).st_size > MAX_FILE_BYTES:
                raise UnreadableFile(f"The file is larger than {MAX_FILE_BYTES // MIB} MB.")
            copy = directory / _name_of_copy(file.file_name)
            with copy.open("wb") as written:
                shutil.copyfileobj(content, written, 1 << 20)
        return copy


class LocalSweep:
    """One listing of local folders, of files that are `differing` by their marks, so many at a time. `unlisted` are
    folders it could not look into."""

    def __init__(
        self,
        roots: Sequence[LocalRoot],
        home: str | None,
        differing: Callable[[str, Mapping[str, str]], Collection[str]],
        at_once: int,
        *,
        with_readers: bool,
    ) -> None:
        self._roots = roots
        self._at_once = at_once
        self._differing = differing
        self._with_readers = with_readers
        self._left_out = {*(root.path for root in roots), home}
        self.unlisted: list[UnlistedFolder] = []

    @property
    def roots(self) -> Sequence[SourceRoot]:
        """The folders under their names."""
        return [root.as_root for root in self._roots]

    def files(self) -> Iterator[FileRef]:
        """Every file in scope that does not stand, folder by folder, sorted by name."""
        return chain.from_iterable(self.by_folder())

    def by_folder(self) -> Iterator[Sequence[FileRef]]:
        """The same, those of many folders at once; a step for each folder, most of them without a file."""
        for root in self._roots:
            waiting, found = [_Folder(root, "", root.name, root.shown)], list[_Found]()
            rules, lost = self._rules_of(root), ""
            try:
                while waiting:
                    below: list[_Folder] = []
                    yield self._look_into(waiting.pop(), rules, below, found)
                    waiting.extend(reversed(below))
                    if len(found) >= self._at_once:
                        yield self._compared(root, found)
            except SourceError as error:  # the root itself: what it held is not gone because of it
                lost = error.message
                self.unlisted.append(UnlistedFolder(root.root_id, "", lost))
            yield self._compared(root, found)
            if not lost:
                self._tell_of_rules(root, rules.without_effect() if rules else "")

    def _compared(self, root: LocalRoot, found: list[_Found]) -> list[FileRef]:
        """Those of the files found that differ. None is found then."""
        if not found:
            return []
        differing = self._differing(root.root_id, {one.file_id: one.mark for one in found})
        files = [one.as_file() for one in found if one.file_id in differing]
        found.clear()
        return files

    def _rules_of(self, root: LocalRoot) -> AccessRules | None:
        """Who may read what; rules that cannot be read let nobody in."""
        if not self._with_readers:
            return None
        try:
            return read_rules(root.path, (root.shown, PurePosixPath(root.path).name))
        except SourceError as error:
            self._tell_of_rules(root, error.message)
            return AccessRules()

    def _tell_of_rules(self, root: LocalRoot, problem: str) -> None:
        if problem:
            self.unlisted.append(UnlistedFolder(root.root_id, f"{root.shown}/{RULES}", problem, is_rules=True))

    def _look_into(
        self, folder: _Folder, rules: AccessRules | None, below: list[_Folder], found: list[_Found]
    ) -> list[FileRef]:
        """Adds the files of one folder to those found, and folders in it to `below`; returns a folder that cannot be
        looked into."""
        try:
            for name, identity, status in _entries(folder):
                if stat.S_ISREG(status.st_mode):
                    readers = rules.of(folder.inside_of(name)) if rules else ()
                    found.append(_Found.of(name, status, identity, folder, readers))
                elif stat.S_ISDIR(status.st_mode):
                    here = folder.below(name, identity)
                    if here.path not in self._left_out:
                        below.append(here)
                        if rules:
                            rules.of(here.inside)
        except OSError as error:
            if not folder.inside:
                raise SourceError(why_not_listed(folder.path, error)) from None
            self.unlisted.append(UnlistedFolder(folder.root.root_id, folder.shown, str(error.strerror)))
            removed = isinstance(error, FileNotFoundError)  # since its parent was listed
            return [] if removed else [_folder_entry(folder)]
        return []


def file_at(path: Path) -> FileRef:
    """One file, with the id it has in every listing of its folder. Symbolic links are followed.

    Raises FileGone or SourceError.
    """
    folder, name = os.path.split(os.path.realpath(path.expanduser()))
    [root] = local_roots([Path(folder)])
    where = _Folder(root, "", root.name, root.shown)
    try:
        for entry_name, identity, status in _entries(where):
            if entry_name == name and stat.S_ISREG(status.st_mode):
                return _Found.of(name, status, identity, where, ()).as_file()
    except OSError as error:
        raise SourceError(why_not_listed(folder, error)) from None
    raise FileGone(f"{displayable(name)} is no regular file.")


def _entries(folder: _Folder) -> Iterator[tuple[str, str, os.stat_result]]:
    """The entries of a folder that are not hidden, by name, with the path that identifies each, and its status. Raises
    OSError."""
    with open_folder(folder.root.path, folder.inside) as descriptor:
        with os.scandir(descriptor) as found:
            names = sorted(entry.name for entry in found)
        for name, identity in _identified(names, folder):
            if not name.startswith(_HIDDEN):
                try:
                    status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                except FileNotFoundError:
                    continue  # removed since its folder was listed
                yield name, identity, status


def _identified(names: Sequence[str], folder: _Folder) -> Iterator[tuple[str, str]]:
    """The names of a folder with the paths that identify what has them."""
    above = folder.identity.rstrip("/")
    if unicodedata.is_normalized("NFC", "/".join(names)):  # as in nearly all folders
        yield from ((name, f"{above}/{name}") for name in names)
        return
    taken = set(names)
    for name in names:
        # The normal form identifies a file, unless another file beside it has that very name.
        normal = unicodedata.normalize("NFC", name)
        identity = name if normal in taken else normal
        taken.add(normal)
        yield name, f"{above}/{identity}"


def _folder_entry(folder: _Folder) -> FileRef:
    parent, _, name = folder.shown.rpartition("/")
    return FileRef(
        file_id=file_id_of(folder.identity + "/"),
        file_name=name,
        source=SOURCE,
        mime_type=FOLDER_MIME_TYPE,
        modified_at=_EPOCH,
        revision="not listed",
        link=link_of(folder.path),
        folder_path=parent,
        location=location_of(folder.inside),
        root_id=folder.root.root_id,
    )


def _name_of_copy(name: str) -> str:
    """The name tells formats apart that look alike inside; a long one is cut, its ending kept."""
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    return f"content{Path(name).suffix[:20]}"


def _time(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return _EPOCH
