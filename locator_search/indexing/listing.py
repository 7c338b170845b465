"""The files of a source, listed once through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from locator_search.core.errors import LocatorError
from locator_search.model import FileRef, SourceRoot, UnlistedFolder
from locator_search.ports import ChangeFeed, DocumentSource, FeedPosition, FolderChanges, ListedRoot, SourceBeside

OUT_OF_TIME = "the listing took too long"


@dataclass(frozen=True, slots=True)
class Listing:
    """The files a source listed of its roots, each once. `problem` says why it broke off; a complete one has none.

    `standing` are those that are in all as they are known, settled, and not among `files`: their ids, with their roots.

    `unlisted` are the roots and folders it could not look into. `ending` is where the changes after a complete listing
    go on, where the source can tell.
    """

    files: Mapping[str, FileRef]
    problem: str = ""
    ending: tuple[FeedPosition, FolderChanges] | None = None
    roots: tuple[SourceRoot, ...] = ()
    unlisted: tuple[UnlistedFolder, ...] = ()
    standing: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether the source came to its end."""
        return not self.problem

    @property
    def sizes(self) -> Counter[str]:
        """How many files it showed of each root, by its id."""
        return Counter(self.standing.values()) + Counter(file.root_id for file in self.files.values())

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


def read_listing(
    source: DocumentSource,
    out_of_time: Callable[[], bool] = lambda: False,
    marks: Mapping[str, str | None] | None = None,
) -> Listing:
    """Everything a source lists, each file once; a listing that breaks off keeps what it had. Files that have their
    mark already stand, where the source can tell.

    Raises SourceError when the source lists nothing at all because it breaks off.
    """
    feed = source.sweep() if isinstance(source, ChangeFeed) else None
    beside = source.sweep_beside(marks or {}) if isinstance(source, SourceBeside) else None
    sweep, roots = feed or beside or source.sweep(), tuple(source.roots)
    standing = beside.standing if beside else {}
    files: dict[str, FileRef] = {}
    try:
        for some in beside.by_folder() if beside else ((file,) for file in sweep.files()):
            for file in some:
                files.setdefault(file.file_id, file)
            if out_of_time():
                return Listing(files, OUT_OF_TIME, roots=roots, standing=standing)
    except LocatorError as error:
        if not files and not standing:
            raise
        return Listing(files, error.message, roots=roots, standing=standing)
    ending = feed.ending() if feed else None
    return Listing(files, ending=ending, roots=tuple(sweep.roots), unlisted=tuple(sweep.unlisted), standing=standing)
