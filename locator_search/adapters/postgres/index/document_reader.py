"""The text of indexed files, part by part, out of the chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row, kwargs_row, scalar_row

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean, file_evidence
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import Chunk
from locator_search.ports import DocumentPart

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)


class PostgresDocumentReader(PostgresAdapter):
    """A DocumentReader over PostgreSQL."""

    def part(self, file_id: str, number: int, length: int) -> DocumentPart | None:
        """The chunks that begin in the `number`-th stretch of `length` characters; None for a file not in the index."""
        values = {"file": clean(file_id), "start": (number - 1) * length, "end": number * length}
        file = self._database.row(SQL.file, {**values, "reader": self._database.reader}, dict_row)
        if file is None:
            return None
        count = (file["last_start"] or 0) // length + 1
        chunks = self._database.rows(SQL.chunks, values, kwargs_row(_chunk)) if number <= count else []
        return DocumentPart(file_evidence(file), tuple(chunks), number, count)

    def embedding(self, file_id: str) -> Vector | None:
        """The embedding of a file as a whole; None for a file not in the index and for one without an embedding."""
        values = {"file": clean(file_id), "reader": self._database.reader}
        rows = self._database.rows(SQL.embedding, values, scalar_row, binary=True)
        return rows[0].to_numpy() if rows and rows[0] is not None else None

    def named(self, file_name: str, most: int) -> list[str]:
        """The ids of the files of exactly this name, at most so many."""
        values = {"name": clean(file_name), "most": most, "reader": self._database.reader}
        return self._database.rows(SQL.named, values, scalar_row)

    def names(self, most: int) -> list[tuple[str, str, str | None]]:
        """File id, name and owner of listed files, newest first; whether they may be shown, `readable` says."""
        return self._database.rows(SQL.names, {"most": most})

    def readable(self, file_ids: Sequence[str]) -> set[str]:
        """Those of the listed files that whoever asks may read."""
        values = {"files": list(map(clean, file_ids)), "reader": self._database.reader}
        return set(self._database.rows(SQL.readable, values, scalar_row))


def _chunk(*, heading_path: list[str], **columns: Any) -> Chunk:
    return Chunk(heading_path=tuple(heading_path), **columns)
