"""The registry: every listed file in exactly one state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from locator_search.model import CoverageCounts, FileRef, FileState, RootState, SourceRoot, StandIn
from locator_search.ports.crawls import Extent, KnownFile, ListedRoot


class FileRegistry(Protocol):
    """Every listed file with its one state (table `file_state`), and the roots they belong to (table `source_root`).

    "Our" roots are those this home crawls; files of other roots are left alone.
    """

    def known(self, file_ids: Sequence[str]) -> dict[str, KnownFile]:
        """Known files by id, whichever root they belong to."""
        ...

    def differing(self, marks: Mapping[str, str], version: str, now: datetime) -> list[str]:
        """Of some files by id, those that have another mark (`mark_of`) than what is known of them, or that this
        version of the pipeline has something to do with."""
        ...

    def count(self) -> int:
        """How many files of our roots are known."""
        ...

    def ids(self, after: str, limit: int) -> list[str]:
        """The ids of at most so many files of our roots, in the order of ids, from the one behind `after` on."""
        ...

    def settled(self, file_ids: Sequence[str] | None = None) -> Counter[tuple[FileState, str]]:
        """How many files of our roots, or of those named among them, are in a state that speaks of the revision they
        have now, by state and reason."""
        ...

    def failures(self, without: Sequence[str]) -> list[KnownFile]:
        """The files of our roots whose present revision failed, without those named."""
        ...

    def record_listing(self, files: Iterable[FileRef], seen_at: datetime) -> None:
        """Insert or refresh listed files; keeps their state; new ones, and those let go, are `pending`."""
        ...

    def mark_gone(self, file_ids: Sequence[str]) -> None:
        """Listed files are gone from their source: `out_of_scope` until they are deleted, or listed again."""
        ...

    def mark_missing(self, file_ids: Sequence[str], since: datetime) -> None:
        """Listed files are no longer listed, and are kept until that is confirmed or seen again."""
        ...

    def due(self, pipeline_version: str, now: datetime, limit: int) -> dict[str, KnownFile]:
        """At most `limit` files of our roots by id with something to be done now: new, changed, let go, of another
        pipeline, or due for another try. Reads no others."""
        ...

    def extent(self) -> Extent:
        """How far the work on the files of our roots has come."""
        ...

    def set_state(
        self,
        file_id: str,
        state: FileState,
        *,
        reason: str = "",
        revision: str | None = None,
        pipeline_version: str = "",
        content_hash: str | None = None,
        next_try_at: datetime | None = None,
        withdraw: bool = False,
    ) -> None:
        """Say what became of a file at a revision; failed ones count one more attempt, others reset the count.

        What the index holds of a file leaves it in the same moment when the file is `skipped`, may not be read
        (`no_access`), or with `withdraw`.
        """
        ...

    def postpone(self, file_id: str, stand_in: StandIn) -> None:
        """An indexed file goes on waiting for a model, until the time `stand_in` says."""
        ...

    def ask_models_again(self, now: datetime, *, refused: bool = False) -> None:
        """Indexed files a model could not be asked about are due; with `refused`, those it refused as well."""
        ...

    def try_again(
        self, states: Sequence[FileState], now: datetime, *, reason: str | None = None, file_id: str | None = None
    ) -> int:
        """A person wants files of our roots tried once more: all in these states, those with one reason (the words
        before a colon), or one file. They are due at once, and content that gave no text is read anew. Returns how many
        there are. Raises AccessDenied for people who are no administrators."""
        ...

    def partition_keys(self, file_ids: Sequence[str] | None = None) -> dict[str, str]:
        """The keys of the partitions that files have, by id; of those named, or of all."""
        ...

    def files_of_partitions(self, keys: Sequence[str]) -> dict[str, str]:
        """The ids of the files that partitions stand for, by key."""
        ...

    def to_rename(self, limit: int) -> list[str]:
        """At most so many files whose partition an earlier version named by their id."""
        ...

    def enter_partitions(self, keys: Mapping[str, str]) -> None:
        """From now on files have the partitions of these keys, by id."""
        ...

    def coverage(self) -> CoverageCounts:
        """Counts of the files of our roots by state and reason."""
        ...

    def roots(self) -> list[RootState]:
        """Every root that has been listed, or that files belong to, by id; those of other homes, too."""
        ...

    def readable_roots(self) -> list[SourceRoot]:
        """The roots in which whoever asks may read a file, by id. Raises AccessDenied where nobody is named."""
        ...

    def has_unlisted(self) -> bool:
        """Whether the last listing could not look into one of our roots, or a folder in one."""
        ...

    def adopt(self, root: SourceRoot, place: str) -> None:
        """Files below a path that an earlier version left without a root belong to this one from now on."""
        ...

    def record_roots(self, listed: Sequence[ListedRoot], now: datetime) -> None:
        """Keep how a listing of some roots went."""
        ...

    def ids_of_root(self, root_id: str, limit: int) -> list[str]:
        """The ids of at most so many files of a root."""
        ...

    def forget_root(self, root_id: str) -> None:
        """A root has no files any more and is crawled by nobody."""
        ...
