"""What the index knows about contents, to tell versions and copies of one document from other documents."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from locator_search.adapters.postgres.database import Database
from locator_search.adapters.postgres.rows import clean

COMPARED_CHUNKS = 24
"""Chunks of a file whose terms are compared: about 12,000 Japanese characters. Two long files that begin alike are
versions by their names, not by their ends, and a spreadsheet may have 2,000 chunks."""

MOST_CHUNKS = 80
"""Chunks compared in all, shared out among the files, at least one of each: reading so many takes about 10 ms."""


class PostgresVersionReader:
    """A VersionReader over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def content_hashes(self, file_ids: Sequence[str]) -> Mapping[str, str]:
        """The hash of the bytes each file was indexed from, by file id."""
        query = "SELECT file_id, content_hash FROM drive_file_index WHERE file_id = ANY(%s)"
        with self._database.connection() as connection:
            return dict(connection.execute(query, [_cleaned(file_ids)]).fetchall())

    def term_counts(self, file_ids: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """The keyword terms of the first chunks of each file with their occurrences, by file id."""
        chunks = min(COMPARED_CHUNKS, max(1, MOST_CHUNKS // max(1, len(file_ids))))
        query = "SELECT file_id, frequencies::text FROM file_chunk WHERE file_id = ANY(%s) AND ordinal < %s"
        counts: dict[str, Counter[str]] = {}
        with self._database.connection() as connection:
            rows = connection.execute(query, [_cleaned(file_ids), chunks]).fetchall()
        # Read as one text, in which a term of many files becomes one string: twice as fast as file by file.
        every = json.loads(f"[{','.join(frequencies for _, frequencies in rows)}]")
        for (file_id, _), frequencies in zip(rows, every, strict=True):
            counts.setdefault(file_id, Counter()).update(frequencies)
        return counts


def _cleaned(file_ids: Sequence[str]) -> list[str]:
    return [clean(file_id) for file_id in file_ids]
