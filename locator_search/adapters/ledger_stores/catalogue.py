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
from locator_search.adapters.postgres.server.database import Connection, PostgresAdapter
from locator_search.adapters.postgres.server.migrations import migrate
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.errors import DimensionMismatch
from locator_search.model import ChunkHit, IndexEntry, JsonValue
from locator_search.ports.index import NO_METADATA
from locator_search.ports.ledger import VERSION_LENGTH, CataloguedDocument, LedgerCounts

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)

PIPELINE = "finderledge-1"


class PostgresLedgerCatalogue(PostgresAdapter):
    """A LedgerCatalogue over a database, which may be a schema of one."""

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
        wanted = {"documents": list(documents or ()), "metadata": Jsonb(dict(metadata or {}))}
        by_metadata = SQL.keys_of_metadata if metadata else SQL.keys
        statement = by_metadata if documents is None else SQL.keys_of_documents
        rows = self._connection.execute(statement, wanted | {"length": VERSION_LENGTH})
        return [key for (key,) in rows]

    def chunks(self, vector_keys: Sequence[str]) -> dict[str, ChunkHit]:
        """The chunks with these keys, as hits with the score 0; keys that are not in the catalogue are left out."""
        rows = self._connection.execute(SQL.chunks, _keyed(vector_keys))
        return {
            key: ChunkHit(id_, file_id, ordinal, text, metadata, 0.0, page=page, heading_path=tuple(headings))
            for key, id_, file_id, ordinal, text, metadata, page, headings in rows
        }

    def vectors(self, vector_keys: Sequence[str]) -> dict[str, Vector]:
        """The embeddings kept of them."""
        rows = self._connection.execute(SQL.vectors, _keyed(vector_keys), binary=True)
        return {key: embedding.to_numpy() for key, embedding in rows}

    def documents(self, document_ids: Sequence[str]) -> list[CataloguedDocument]:
        """The documents with these ids, in this order; unknown ones are left out."""
        rows = self._connection.execute(SQL.documents, {"documents": list(document_ids)})
        found = {id_: CataloguedDocument(id_, _joined(chunks), metadata) for id_, metadata, chunks in rows}
        return [found[id_] for id_ in dict.fromkeys(document_ids) if id_ in found]

    def versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        """The content hashes of the documents that are there."""
        return dict(self._connection.execute(SQL.versions, {"documents": list(document_ids)}).fetchall())

    def document_ids(self) -> list[str]:
        """Every document."""
        return [id_ for (id_,) in self._connection.execute(SQL.document_ids)]

    def count(self) -> LedgerCounts:
        """Documents and chunks."""
        return LedgerCounts(*self._connection.execute(SQL.count).fetchall()[0])


_HINT = "Use another collection or persist_directory, or the former embedding model."


def _another_model(made_by: str, asked_by: str) -> DimensionMismatch:
    return DimensionMismatch(
        f"This collection was made with the embedding model {made_by}, and this is {asked_by}.", hint=_HINT
    )


def _keyed(vector_keys: Sequence[str]) -> dict[str, object]:
    chunk_ids = [key.rpartition("@")[0] for key in vector_keys]
    return {"length": VERSION_LENGTH, "keys": list(vector_keys), "chunk_ids": chunk_ids}


def _joined(chunks: Sequence[tuple[int, int, str]]) -> str:
    """The text of a document: every chunk without what it repeats of the one before it."""
    parts: list[str] = []
    reached = 0
    for start, end, text in chunks:
        parts.append(("\n" if start > reached else "") + text[max(0, reached - start) :])
        reached = end
    return "".join(parts)
