"""The catalogue of FinderLedge in PostgreSQL: the tables, the writing and both searches of the product, in a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.index.index_writes import remove_files, write_files
from locator_search.adapters.postgres.index.profile import read_profile
from locator_search.adapters.postgres.search.chunk_search import matching_chunks, nearest_chunks
from locator_search.adapters.postgres.search.planner_settings import PLANNING
from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.migrations import migrate
from locator_search.core.errors import DimensionMismatch
from locator_search.model import ChunkHit, IndexEntry, JsonValue
from locator_search.ports.index import NO_METADATA
from locator_search.ports.ledger import VERSION_LENGTH, CataloguedDocument, LedgerCounts

if TYPE_CHECKING:
    from locator_search.model import Vector

PIPELINE = "finderledge-1"

KEY = f"c.chunk_id || '@' || left(f.content_hash, {VERSION_LENGTH})"
KEYS = f"SELECT {KEY} FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)"  # noqa: S608 - our constants
OF_DOCUMENTS = " WHERE f.file_id = ANY(%(documents)s)"
OF_METADATA = " WHERE f.metadata @> %(metadata)s"

# By chunk id first, which has an index; a key of a former version names a chunk id that may be taken anew.
BY_KEY = f"""
SELECT {KEY}, {{columns}} FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE c.chunk_id = ANY(%(chunk_ids)s) AND {KEY} = ANY(%(keys)s)
"""  # noqa: S608 - our constants
SHOWN = "c.chunk_id, c.file_id, c.ordinal, c.text, f.metadata, c.page, c.heading_path"

DOCUMENTS = """
SELECT f.file_id, f.metadata, (
    SELECT jsonb_agg(jsonb_build_array(c.char_start, c.char_end, c.text) ORDER BY c.ordinal)
    FROM file_chunk AS c WHERE c.file_id = f.file_id
)
FROM drive_file_index AS f WHERE f.file_id = ANY(%s)
"""


class PostgresLedgerCatalogue:
    """A LedgerCatalogue over a database, which may be a schema of one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, embedding_model: str) -> None:
        """Make the tables where there are none. Raises DimensionMismatch when they belong to another model."""
        migrate(self._database)
        with self._database.connection() as connection:
            profile = read_profile(connection)
        if profile is not None and profile.embedding_model != embedding_model:
            raise _another_model(profile.embedding_model, embedding_model)

    @contextmanager
    def view(self) -> Iterator[PostgresLedgerView]:
        """One snapshot of all tables."""
        with self._database.snapshot() as connection:
            connection.execute(PLANNING)
            yield PostgresLedgerView(connection)

    def put(self, entries: Sequence[IndexEntry]) -> None:
        """Add documents or put them in the place of their former versions, in one transaction."""
        try:
            with self._database.transaction() as connection:
                write_files(connection, entries, PIPELINE)
        except DimensionMismatch as error:
            raise DimensionMismatch(error.message, hint=_HINT) from None

    def remove(self, document_ids: Sequence[str]) -> int:
        """Remove documents with all their chunks in one transaction; returns how many were there."""
        with self._database.transaction() as connection:
            return remove_files(connection, document_ids)


class PostgresLedgerView:
    """A LedgerView inside one read-only transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def nearest_chunks(
        self, embedding: Vector, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA
    ) -> list[ChunkHit]:
        """The `k` chunks with the highest cosine, best first."""
        return nearest_chunks(self._connection, embedding, k, metadata)

    def matching_chunks(self, text: str, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA) -> list[ChunkHit]:
        """At most `k` chunks that hold a term of the text, by BM25, best first."""
        return matching_chunks(self._connection, text, k, metadata)

    def vector_keys(
        self, *, documents: Sequence[str] | None = None, metadata: Mapping[str, JsonValue] | None = None
    ) -> list[str]:
        """The keys of the vectors of all chunks, or of those of some documents."""
        if documents is not None:
            rows = self._connection.execute(KEYS + OF_DOCUMENTS, {"documents": list(documents)})
        elif metadata:
            rows = self._connection.execute(KEYS + OF_METADATA, {"metadata": Jsonb(dict(metadata))})
        else:
            rows = self._connection.execute(KEYS)
        return [key for (key,) in rows]

    def chunks(self, vector_keys: Sequence[str]) -> dict[str, ChunkHit]:
        """The chunks with these keys, as hits with the score 0; keys that are not in the catalogue are left out."""
        rows = self._connection.execute(BY_KEY.format(columns=SHOWN), _keyed(vector_keys))
        return {
            key: ChunkHit(id_, file_id, ordinal, text, metadata, 0.0, page=page, heading_path=tuple(headings))
            for key, id_, file_id, ordinal, text, metadata, page, headings in rows
        }

    def vectors(self, vector_keys: Sequence[str]) -> dict[str, Vector]:
        """The embeddings kept of them."""
        rows = self._connection.execute(BY_KEY.format(columns="c.embedding"), _keyed(vector_keys), binary=True)
        return {key: embedding.to_numpy() for key, embedding in rows}

    def documents(self, document_ids: Sequence[str]) -> list[CataloguedDocument]:
        """The documents with these ids, in this order; unknown ones are left out."""
        rows = self._connection.execute(DOCUMENTS, [list(document_ids)])
        found = {id_: CataloguedDocument(id_, _joined(chunks), metadata) for id_, metadata, chunks in rows}
        return [found[id_] for id_ in dict.fromkeys(document_ids) if id_ in found]

    def versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        """The content hashes of the documents that are there."""
        query = "SELECT file_id, content_hash FROM drive_file_index WHERE file_id = ANY(%s)"
        return dict(self._connection.execute(query, [list(document_ids)]).fetchall())

    def document_ids(self) -> list[str]:
        """Every document."""
        return [id_ for (id_,) in self._connection.execute("SELECT file_id FROM drive_file_index ORDER BY file_id")]

    def count(self) -> LedgerCounts:
        """Documents and chunks."""
        query = "SELECT (SELECT count(*) FROM drive_file_index), (SELECT count(*) FROM file_chunk)"
        return LedgerCounts(*self._connection.execute(query).fetchall()[0])


_HINT = "Use another collection or persist_directory, or the former embedding model."


def _another_model(made_by: str, asked_by: str) -> DimensionMismatch:
    return DimensionMismatch(
        f"This collection was made with the embedding model {made_by}, and this is {asked_by}.", hint=_HINT
    )


def _keyed(vector_keys: Sequence[str]) -> dict[str, list[str]]:
    return {"keys": list(vector_keys), "chunk_ids": [key.rpartition("@")[0] for key in vector_keys]}


def _joined(chunks: Sequence[tuple[int, int, str]]) -> str:
    """The text of a document: every chunk without what it repeats of the one before it."""
    parts: list[str] = []
    reached = 0
    for start, end, text in chunks:
        parts.append(("\n" if start > reached else "") + text[max(0, reached - start) :])
        reached = end
    return "".join(parts)
