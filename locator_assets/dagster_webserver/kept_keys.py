"""Keeps the keys of partitions that were read: one page of the UI asks for those of 100,000 files four times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as db
from dagster._core.storage.event_log.schema import DynamicPartitionsTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dagster import DagsterInstance

_partitions = DynamicPartitionsTable.c


def keep_keys(instance: DagsterInstance) -> None:
    """From now on this instance reads keys again only when some were added or removed since."""
    storage: Any = instance.event_log_storage
    storage.get_dynamic_partitions = KeptKeys(storage)


class KeptKeys:
    """The keys of partitions by the name of their definition. Rows are added and deleted, and never changed, so their
    number and their newest id tell whether they are those that were read."""

    def __init__(self, storage: Any) -> None:
        self._storage = storage
        self._read = storage.get_dynamic_partitions
        self._kept: dict[str, tuple[object, Sequence[str]]] = {}

    def __call__(self, partitions_def_name: str) -> Sequence[str]:
        """The keys, in the order in which they were added."""
        now = self._rows(partitions_def_name)  # first: what is added meanwhile is read again the next time
        rows, keys = self._kept.get(partitions_def_name, (None, ()))
        if rows != now:
            keys = self._read(partitions_def_name)
            self._kept[partitions_def_name] = now, keys
        return list(keys)

    def _rows(self, partitions_def_name: str) -> object:
        query = db.select(db.func.count(), db.func.max(_partitions.id))
        with self._storage.index_connection() as connection:
            row = connection.execute(query.where(_partitions.partitions_def_name == partitions_def_name)).one()
        return tuple(row)
