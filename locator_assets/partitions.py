"""One partition per file and per contribution. The key of a file's begins with what people know: name and folder."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import sqlalchemy as db
from dagster._core.storage.event_log.schema import DynamicPartitionsTable, SqlEventLogStorageTable

from locator_search.indexing.stages import STAGES
from locator_search.model import FileRef
from locator_search.ports import FileRegistry

DRIVE_FILES = "drive_files"
drive_files = dg.DynamicPartitionsDefinition(name=DRIVE_FILES)

CONTRIBUTIONS = "contributions"
contributions = dg.DynamicPartitionsDefinition(name=CONTRIBUTIONS)

LONGEST_PART = 120
"""Characters of a name, and of a folder, in a key: the database cannot index much more than 2 kB."""
_SHORT_ID = 10
_WIDE = str.maketrans(',"[]*\\', "，”［］＊＼")  # with these the UI takes a key for several, for a range or a pattern


def partition_key(file: FileRef) -> str:
    """The key of the partition of a file. It changes with name and folder, and with nothing else."""
    short = hashlib.sha256(file.file_id.encode()).hexdigest()[:_SHORT_ID]
    name, folder = _plain(file.file_name)[:LONGEST_PART], _plain(file.folder_path)[-LONGEST_PART:]
    return " · ".join(part for part in (name, folder, short) if part)


def enter_partitions(
    instance: dg.DagsterInstance, registry: FileRegistry, file_ids: Sequence[str]
) -> Mapping[str, str]:
    """See to it that every known file has its partition, and return their keys by id. The history of a file that was
    renamed or moved goes with its partition. Can be done twice."""
    keys = {file_id: partition_key(known.file) for file_id, known in registry.known(file_ids).items()}
    former = registry.partition_keys(list(keys))
    renamed = {old: keys[file_id] for file_id, old in former.items() if old != keys[file_id]}
    if renamed:
        _rename_history(instance, renamed)
    instance.add_dynamic_partitions(DRIVE_FILES, list(keys.values()))
    registry.enter_partitions({file_id: key for file_id, key in keys.items() if former.get(file_id) != key})
    remove_partitions(instance, list(renamed))
    return keys


def remove_partitions(instance: dg.DagsterInstance, keys: Sequence[str]) -> None:
    """Delete partitions of files, all at once: Dagster itself deletes one in 9 ms."""
    storage: Any = instance.event_log_storage
    table = DynamicPartitionsTable.c
    with storage.index_connection() as connection:
        for key in keys:
            ours = (table.partitions_def_name == DRIVE_FILES) & (table.partition == key)
            connection.execute(DynamicPartitionsTable.delete().where(ours))


def _rename_history(instance: dg.DagsterInstance, renamed: Mapping[str, str]) -> None:
    """Let the events of partitions speak of other keys: Dagster has no renaming of its own."""
    storage: Any = instance.event_log_storage
    event = SqlEventLogStorageTable.c
    rename = (
        SqlEventLogStorageTable.update()
        .where(event.asset_key.in_([dg.AssetKey(stage).to_string() for stage in STAGES]))
        .where(event.partition == db.bindparam("old"))
        .values(
            partition=db.bindparam("new"),
            event=db.func.replace(event.event, db.bindparam("old_text"), db.bindparam("new_text")),
        )
    )
    with storage.index_connection() as connection:
        for old, new in renamed.items():
            texts = {"old_text": f'"partition": {json.dumps(old)}', "new_text": f'"partition": {json.dumps(new)}'}
            connection.execute(rename, {"old": old, "new": new, **texts})


def _plain(text: str) -> str:
    """Composed, on one line, without what cannot be seen, what Dagster refuses, and what its UI takes for a pattern."""
    composed = unicodedata.normalize("NFC", text).translate(_WIDE)
    shown = "".join(" " if unicodedata.category(one) == "Cc" else one for one in composed)
    seen = "".join(one for one in shown if unicodedata.category(one) not in ("Cf", "Cs", "Co", "Cn"))
    return " ".join(seen.replace("...", "…").split())
