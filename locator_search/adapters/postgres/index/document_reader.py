"""The text of indexed files, part by part, out of the chunks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.file_rows import file_evidence
from locator_search.adapters.postgres.server.rows import clean
from locator_search.model import Chunk
from locator_search.ports import DocumentPart

FILE = """
SELECT file_id, file_name, summary, keywords, link, mime_type, drive_modified_at, folder_path, location, revision,
       size, owner, source, metadata, (SELECT max(char_start) FROM file_chunk WHERE file_id = f.file_id) AS last_start
FROM drive_file_index AS f WHERE file_id = %(file_id)s
"""

CHUNKS = """
SELECT ordinal, text, char_start, char_end, heading_path, clause, page FROM file_chunk
WHERE file_id = %(file_id)s AND char_start >= %(start)s AND char_start < %(end)s ORDER BY ordinal
"""


class PostgresDocumentReader:
    """A DocumentReader over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def part(self, file_id: str, number: int, length: int) -> DocumentPart | None:
        """The chunks that begin in the `number`-th stretch of `length` characters; None for a file not in the index."""
        values = {"file_id": clean(file_id), "start": (number - 1) * length, "end": number * length}
        with self._database.transaction() as connection, connection.cursor(row_factory=dict_row) as cursor:
            file = cursor.execute(FILE, values).fetchone()
            if file is None:
                return None
            count = (file["last_start"] or 0) // length + 1
            chunks = cursor.execute(CHUNKS, values).fetchall() if number <= count else []
        return DocumentPart(file_evidence(file), tuple(_chunk(row) for row in chunks), number, count)


def _chunk(row: Mapping[str, Any]) -> Chunk:
    return Chunk(
        ordinal=row["ordinal"],
        text=row["text"],
        start=row["char_start"],
        end=row["char_end"],
        heading_path=tuple(row["heading_path"]),
        clause=row["clause"],
        page=row["page"],
    )
