"""Every listed file with its one state (table `file_state`)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from psycopg.rows import args_row, scalar_row
from psycopg.types.range import Range

from locator_search.adapters.postgres.index.index_writes import withdraw_files
from locator_search.adapters.postgres.index.source_roots import PostgresSourceRoots
from locator_search.adapters.postgres.index.term_weights import name_weights
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean, columns_of, known_file_of_row
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.reader import access_key_of, name_and_end
from locator_search.indexing.diff import MAX_ATTEMPTS
from locator_search.indexing.entry import terms_of_name
from locator_search.indexing.model_outages import MAX_REFUSALS
from locator_search.model import CoverageCounts, FileRef, FileState, StandIn
from locator_search.ports import Extent, KnownFile
from locator_search.text.dates.files import period_of_file

SQL = statements(__name__)

NOT_SEARCHED: frozenset[FileState] = frozenset({"skipped", "no_access"})
"""Of a file in one of these states, nothing may be found."""


class PostgresFileRegistry(PostgresSourceRoots):
    """A FileRegistry over PostgreSQL, of the roots it is made with."""

    def known(self, file_ids: Sequence[str]) -> dict[str, KnownFile]:
        """Known files by id, whichever root they belong to."""
        return self._by_id(SQL.known, {"files": list(file_ids)})

    def differing(self, marks: Mapping[str, str], version: str, now: datetime) -> list[str]:
        """Of some files by id, those of another mark, unknown, or with something to be done."""
        files = {_hashed(version, file_id, mark): file_id for file_id, mark in marks.items()}
        unmatched = self._database.rows(SQL.unmatched, {"marks": [*files], "now": now}, make=scalar_row)
        return [files[mark.hex] for mark in unmatched]

    def count(self) -> int:
        """How many files of our roots are known."""
        return self._database.row(SQL.number, self._roots, scalar_row) or 0

    def ids(self, after: str, limit: int) -> list[str]:
        """The ids of at most so many files of our roots, in their order, behind one."""
        return self._database.rows(SQL.ids_behind, {**self._roots, "after": after, "limit": limit}, make=scalar_row)

    def settled(self, file_ids: Sequence[str] | None = None) -> Counter[tuple[FileState, str]]:
        """How many files of our roots, or of those named, are settled in their revision, by state and reason."""
        files = None if file_ids is None else list(file_ids)
        rows = self._database.rows(SQL.settled, {**self._roots, "files": files})
        return Counter({(state, reason): count for state, reason, count in rows})

    def failures(self, without: Sequence[str]) -> list[KnownFile]:
        """The files of our roots whose present revision failed, without those named."""
        return [*self._by_id(SQL.failures, {**self._roots, "without": list(without)}).values()]

    def record_listing(self, files: Iterable[FileRef], seen_at: datetime) -> None:
        """Insert or refresh listed files; keeps their state; new ones, and those that were gone, are `pending`."""
        # Sorted, so that two listings at once lock the rows in the same order.
        rows = [
            columns_of(file) | {"seen_at": seen_at, "access_key": access_key_of(file.readers)}
            for file in sorted(files, key=lambda file: file.file_id)
        ]
        lists = {row["access_key"]: row for row in rows}
        with self._database.transaction() as connection, connection.cursor() as cursor:
            cursor.executemany(SQL.keep_readers, [lists[key] | _ending(lists[key]["readers"]) for key in sorted(lists)])
            cursor.executemany(SQL.record_listed, rows)
            _name_unread(connection)

    def mark_gone(self, file_ids: Sequence[str]) -> None:
        """Listed files are gone from their source: `out_of_scope` until they are deleted, or listed again."""
        self._database.run(SQL.mark_gone, {"files": sorted(file_ids)})

    def mark_missing(self, file_ids: Sequence[str], since: datetime) -> None:
        """Listed files are no longer listed, and are kept until that is confirmed or seen again."""
        self._database.run(SQL.mark_missing, {"since": since, "files": sorted(file_ids)})

    def due(self, pipeline_version: str, now: datetime, limit: int) -> dict[str, KnownFile]:
        """At most `limit` files of our roots by id with something to be done now. Reads no others."""
        return self._by_id(SQL.due, {**self._roots, "version": pipeline_version, "now": now, "limit": limit})

    def extent(self) -> Extent:
        """How far the work on the files of our roots has come."""
        values = {**self._roots, "most": MAX_ATTEMPTS}
        return self._database.row(SQL.extent, values, args_row(Extent)) or Extent(0, 0, None)

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
        """Record the state of a file at a revision; failed ones count one more attempt at it, others reset the count.

        What the index holds of a file leaves it in the same moment when the file is `skipped`, may not be read
        (`no_access`), or with `withdraw`.

        What is not given (`revision`, `pipeline_version`, `content_hash`) stays as it was. An unknown file is left
        unknown: it was deleted meanwhile.
        """
        values = {
            "file_id": file_id,
            "state": state,
            "reason": clean(reason),
            "revision": revision,
            "pipeline_version": pipeline_version,
            "content_hash": content_hash,
            "next_try_at": next_try_at,
        }
        with self._database.transaction() as connection:
            if withdraw or state in NOT_SEARCHED:
                withdraw_files(connection, [file_id])
            connection.execute(SQL.set_state, values)
            _name_unread(connection)

    def postpone(self, file_id: str, stand_in: StandIn) -> None:
        """An indexed file goes on waiting for a model, until the time `stand_in` says."""
        self._database.run(SQL.postpone, columns_of(stand_in) | {"file_id": file_id})

    def ask_models_again(self, now: datetime, *, refused: bool = False) -> None:
        """Indexed files a model could not be asked about are due; with `refused`, those it refused as well."""
        self._database.run(SQL.ask_models_again, {"now": now, "refused": refused, "most": MAX_REFUSALS})

    def try_again(
        self, states: Sequence[FileState], now: datetime, *, reason: str | None = None, file_id: str | None = None
    ) -> int:
        """A person wants files tried once more: all in some states, those with one reason, or one file."""
        self._database.refuse_figures()
        values = {"states": list(states), "now": now, "reason": reason, "file": file_id}
        return len(self._database.rows(SQL.try_again, {**self._roots, **values}))

    def partition_keys(self, file_ids: Sequence[str] | None = None) -> dict[str, str]:
        """The keys of the partitions that files have, by id; of those named, or of all."""
        files = None if file_ids is None else list(file_ids)
        return dict(self._database.rows(SQL.partition_keys, {"files": files}))

    def files_of_partitions(self, keys: Sequence[str]) -> dict[str, str]:
        """The ids of the files that partitions stand for, by key."""
        return dict(self._database.rows(SQL.files_of_partitions, {"keys": list(keys)}))

    def to_rename(self, limit: int) -> list[str]:
        """At most so many files whose partition an earlier version named by their id."""
        return self._database.rows(SQL.to_rename, {"limit": limit}, make=scalar_row)

    def enter_partitions(self, keys: Mapping[str, str]) -> None:
        """From now on files have the partitions of these keys, by id."""
        self._database.run(SQL.enter_partitions, {"files": list(keys), "keys": list(keys.values())})

    def coverage(self) -> CoverageCounts:
        """Counts of the files of our roots by state and reason, largest first; reasons where there is one."""
        by_state: Counter[FileState] = Counter()
        by_reason: Counter[str] = Counter()
        for state, reason, count in self._database.rows(SQL.coverage, self._roots):
            by_state[state] += count
            if reason:
                by_reason[reason] += count
        return CoverageCounts(listed=by_state.total(), by_state=dict(by_state), by_reason=dict(by_reason))

    def _by_id(self, statement: str, values: Mapping[str, object]) -> dict[str, KnownFile]:
        rows = self._database.rows(statement, values, args_row(known_file_of_row))
        return {known.file.file_id: known for known in rows}


def _hashed(version: str, file_id: str, mark: str) -> str:
    """As the column `mark` is made of a file that stands."""
    whole = clean(f"{version}\n{file_id}\n{mark}")
    return hashlib.md5(whole.encode(), usedforsecurity=False).hexdigest()


def _ending(readers: Sequence[str]) -> dict[str, list[str] | list[datetime] | None]:
    ends = {name: end for name, end in map(name_and_end, readers) if end is not None}
    return {"ending": list(ends) or None, "ends": list(ends.values()) or None}


def _name_unread(connection: Connection) -> None:
    """Enter the terms and the period of every name that has none yet, within the transaction of the caller."""
    rows = []
    for file_id, file_name, folder_path in connection.execute(SQL.unnamed).fetchall():
        terms, period = terms_of_name(file_name, folder_path).terms, period_of_file(file_name, folder_path)
        rows.append(
            {
                "file_id": file_id,
                "name_terms": list(terms),
                "name_weights": name_weights(terms),
                "document_period": Range(period.start, period.end) if period else None,
            }
        )
    with connection.cursor() as cursor:
        cursor.executemany(SQL.name, rows)
