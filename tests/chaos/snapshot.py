"""The content of an index, file by file, without values that may differ between crawls: times, run ids, attempts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

from tests.chaos.observer import Observer

Snapshot = Mapping[str, tuple[Any, ...]]
"""By file id."""

_FILES: LiteralString = """
SELECT state.file_id, state.file_name, state.state, split_part(state.reason, ':', 1), state.revision,
       state.done_revision, state.folder_path, file.summary, file.keywords, file.mime_type, file.link, file.revision,
       file.size, file.document_period, file.name_terms, file.content_hash, md5(file.embedding::text), chunks.rows,
       (SELECT count(*) FROM embedding_code code WHERE code.file_id = state.file_id)
FROM file_state state
LEFT JOIN drive_file_index file USING (file_id)
LEFT JOIN LATERAL (
    SELECT array_agg(concat_ws('|', ordinal, md5(text), heading_path, clause, page, char_start, char_end,
                               md5(embedding::text), md5(terms::text), length) ORDER BY ordinal) AS rows
    FROM file_chunk WHERE file_chunk.file_id = state.file_id
) chunks ON true
"""


@dataclass(frozen=True)
class Difference:
    """The differences of an index from the expected one (missing, too many, otherwise), in words that name the file."""

    lost: tuple[str, ...]
    duplicated: tuple[str, ...]
    different: tuple[str, ...]


def snapshot(observer: Observer) -> Snapshot:
    """Every listed file with its state and, where it is indexed, all that can be found of it."""
    return {row[0]: row[1:] for row in observer.rows(_FILES)}


def compare(found: Snapshot, expected: Snapshot) -> Difference:
    """An index beside that of a crawl without faults."""
    lost, different = [], []
    for file_id, wanted in expected.items():
        if (row := found.get(file_id)) is None:
            lost.append(f"{wanted[0]} is not listed")
        elif wanted[1] == "indexed" != row[1]:
            lost.append(f"{wanted[0]} is {row[1]} ({row[2]})")
        elif row != wanted:
            columns = [
                str(number) for number, (left, right) in enumerate(zip(row, wanted, strict=True)) if left != right
            ]
            different.append(f"{wanted[0]} differs: {_told(row, wanted)} (columns {', '.join(columns)})")
    duplicated = [f"{row[0]} is listed once too often" for file_id, row in found.items() if file_id not in expected]
    return Difference(tuple(lost), tuple(duplicated), tuple(different))


def _told(row: tuple[Any, ...], wanted: tuple[Any, ...]) -> str:
    left, right = next((left, right) for left, right in zip(row, wanted, strict=True) if left != right)
    return f"{str(left)[:80]!r} instead of {str(right)[:80]!r}"
