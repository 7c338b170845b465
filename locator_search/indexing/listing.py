"""The files of a source, listed once through and compared some at a time with what is known of them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from locator_search.core.errors import LocatorError
from locator_search.model import FileRef, SourceRoot, UnlistedFolder
from locator_search.ports import (
    ChangeFeed,
    DocumentSource,
    FeedPosition,
    FileRegistry,
    FolderChanges,
    KnownFile,
    ListedRoot,
    SourceBeside,
)

OUT_OF_TIME = "the listing took too long"
COMPARED_AT_ONCE = 1000
IDS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Listing:
    """The files a source listed of its roots, each once. `problem` says why it broke off; a complete one has none.

    `standing` counts by root those that are in all as they are known, settled, and not among `files`.

    `unlisted` are the roots and folders it could not look into. `ending` is where the changes after a complete listing
    go on, where the source can tell.
    """

    files: Mapping[str, FileRef]
    problem: str = ""
    ending: tuple[FeedPosition, FolderChanges] | None = None
    roots: tuple[SourceRoot, ...] = ()
    unlisted: tuple[UnlistedFolder, ...] = ()
    standing: Counter[str] = field(default_factory=Counter)

    @property
    def complete(self) -> bool:
        """Whether the source came to its end."""
        return not self.problem

    @property
    def sizes(self) -> Counter[str]:
        """How many files it showed of each root, by its id."""
        return self.standing + Counter(file.root_id for file in self.files.values())

    def outcome(self) -> list[ListedRoot]:
        """How it went, root by root; nothing where it broke off."""
        if not self.complete:
            return []
        files = self.sizes
        problems = {one.root_id: one.reason for one in self.unlisted if not one.path}
        rules = {one.root_id: one.reason for one in self.unlisted if one.is_rules}
        folders = [one for one in self.unlisted if one.path and not one.is_rules]
        return [
            ListedRoot(
                root,
                files[root.root_id],
                tuple(one.path for one in folders if one.root_id == root.root_id),
                problems.get(root.root_id, ""),
                rules.get(root.root_id, ""),
            )
            for root in self.roots
        ]


class Comparison:
    """A listing beside the registry. Of files that stand nothing is kept but eight bytes each, by which those are told
    that were not met.

    `stands` says of a file whether nothing is to be done with it, and nothing differs from what is known. Files of
    `also` never stand, with `look_again` none does.
    """

    def __init__(
        self,
        registry: FileRegistry,
        version: str,
        now: datetime,
        stands: Callable[[KnownFile, FileRef], bool],
        *,
        look_again: bool = False,
        also: frozenset[str] = frozenset(),
    ) -> None:
        self._registry = registry
        self._version = version
        self._now = now
        self._stands = stands
        self._look_again = look_again
        self._also = also
        self._met = array("q")
        self.standing: Counter[str] = Counter()
        self.known: dict[str, KnownFile] = {}
        """What is known of the files that do not stand."""

    def differing_marks(self, root_id: str, marks: Mapping[str, str]) -> set[str]:
        """The ids of the files that do not stand, by their marks; the others, which are of one root, do."""
        differing = set(marks if self._look_again else marks.keys() & self._also)
        if not self._look_again:
            differing.update(self._registry.differing(marks, self._version, self._now))
        standing = marks.keys() - differing
        self.standing[root_id] += len(standing)
        self._met.extend(map(hash, standing))
        return differing

    def differing(self, files: Sequence[FileRef]) -> dict[str, FileRef]:
        """The files that do not stand, by id."""
        known = self._registry.known([file.file_id for file in files]) if files else {}
        self._met.extend(map(hash, known))
        differing: dict[str, FileRef] = {}
        for file in files:
            before = known.get(file.file_id)
            wanted = self._look_again or file.file_id in self._also
            if before is not None and not wanted and self._stands(before, file):
                self.standing[file.root_id] += 1
                continue
            differing.setdefault(file.file_id, file)
            if before is not None:
                self.known[file.file_id] = before
        return differing

    def not_met(self) -> list[str]:
        """The ids of files of our roots that are known and were not listed. To be asked after the last file.

        Should one have the hash of a file that was met (a chance of 10^-13 among a million), a later process tells.
        """
        met = np.sort(np.array(self._met, np.int64))
        if np.count_nonzero(np.diff(met)) + bool(len(met)) == self._registry.count():
            return []
        missed: list[str] = []
        page = self._registry.ids("", IDS_AT_ONCE)
        while page:
            hashes = np.fromiter(map(hash, page), np.int64, len(page))
            absent = np.searchsorted(met, hashes, "left") == np.searchsorted(met, hashes, "right")
            missed += [file_id for file_id, is_absent in zip(page, absent, strict=True) if is_absent]
            page = self._registry.ids(page[-1], IDS_AT_ONCE)
        return missed


def read_listing(
    source: DocumentSource, comparison: Comparison, out_of_time: Callable[[], bool] = lambda: False
) -> Listing:
    """Everything a source lists, each file once; a listing that breaks off keeps what it had.

    Raises SourceError when the source lists nothing at all because it breaks off.
    """
    feed = source.sweep() if isinstance(source, ChangeFeed) else None
    beside = source.sweep_beside(comparison.differing_marks) if isinstance(source, SourceBeside) else None
    sweep, roots = feed or beside or source.sweep(), tuple(source.roots)
    files: dict[str, FileRef] = {}
    waiting: list[FileRef] = []
    problem = ""
    broken: LocatorError | None = None
    try:
        for some in beside.by_folder() if beside else ((file,) for file in sweep.files()):
            waiting.extend(some)
            if len(waiting) >= COMPARED_AT_ONCE:
                files.update(comparison.differing(waiting))
                waiting.clear()
            if out_of_time():
                problem = OUT_OF_TIME
                break
    except LocatorError as error:
        broken, problem = error, error.message
    files.update(comparison.differing(waiting))
    if broken is not None and not files and not comparison.standing:
        raise broken
    if problem:
        return Listing(files, problem, roots=roots, standing=comparison.standing)
    return Listing(
        files,
        ending=feed.ending() if feed else None,
        roots=tuple(sweep.roots),
        unlisted=tuple(sweep.unlisted),
        standing=comparison.standing,
    )
