"""The catalogue of FinderLedge in PostgreSQL: the tables, the writing and both searches of the product, in a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres.index.index_writes import remove_files, write_files
from locator_search.adapters.postgres.index.profile import read_profile
from locator_search.adapters.postgres.search.keyword_question import KeywordQuestion, plain_question
from locator_search.adapters.postgres.search.keyword_search import KeywordSearch
from locator_search.adapters.postgres.search.scope import scope_with
from locator_search.adapters.postgres.search.side_by_side import PLANNING
from locator_search.adapters.postgres.search.vector_search import VectorSearch
from locator_search.adapters.postgres.server.database import Connection, PostgresAdapter
from locator_search.adapters.postgres.server.migrations import migrate
from locator_search.adapters.postgres.server.rows import clean_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.errors import DimensionMismatch
from locator_search.model import ChunkHit, IndexEntry, JsonValue
from locator_search.ports.ledger import NO_METADATA, VERSION_LENGTH, CataloguedDocument, LedgerCounts
from locator_search.retrieval.metadata_filters import jsonpath_of
from locator_search.text.terms import bare

if TYPE_CHECKING:
    from locator_search.model import Vector

PIPELINE = "finderledge-1"

SQL = statements(__name__)


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
        self._questions: dict[str, KeywordQuestion] = {}

    def by_vectors(
        self, embedding: Vector, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA
    ) -> dict[str, float]:
        """The ids of the `k` chunks with the highest cosine, with it, best first."""
        if not embedding.any():
            return {}
        scope = scope_with(self._connection, metadata)
        return dict(VectorSearch(embedding, "chunk").nearest(self._connection, scope, k).best[:k])

    def by_words(self, text: str, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA) -> dict[str, float]:
        """The ids of at most `k` chunks that hold a term of the text, with their BM25 scores, best first."""
        search = KeywordSearch(self._question(text), scope_with(self._connection, metadata), "chunk")
        return {chunk_id: scores.bm25 for chunk_id, scores in search.best_chunks(self._connection, k).items()}

    def chunks(self, chunk_ids: Sequence[str], text: str = "") -> dict[str, ChunkHit]:
        """Chunks by their ids, each with the terms of a text that it holds."""
        matched = self._question(text).matched_values(of_names=False)
        asked = {"chunk_ids": list(chunk_ids), **matched}
        with self._connection.cursor(row_factory=dict_row) as cursor:
            return {row["chunk_id"]: _chunk(row) for row in cursor.execute(SQL.chunks, asked, prepare=False)}

    def vector_keys(
        self, *, documents: Sequence[str] | None = None, metadata: Mapping[str, JsonValue] | None = None
    ) -> list[str]:
        """The keys of the vectors of all chunks, or of those of some documents."""
        asked = {
            "documents": None if documents is None else list(documents),
            "metadata": jsonpath_of(clean_json(metadata)) if metadata else None,
            "version_length": VERSION_LENGTH,
        }
        return [key for (key,) in self._connection.execute(SQL.vector_keys, asked, prepare=False)]

    def chunk_ids(self, vector_keys: Sequence[str]) -> dict[str, str]:
        """The ids of the chunks with these keys; keys that are not in the catalogue are left out."""
        return dict(self._connection.execute(SQL.chunk_ids, _keyed(vector_keys)).fetchall())

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
        return LedgerCounts(*self._connection.execute(SQL.counts).fetchall()[0])

    def _question(self, text: str) -> KeywordQuestion:
        if text not in self._questions:
            self._questions[text] = plain_question(self._connection, text)
        return self._questions[text]


_HINT = "Use another collection or persist_directory, or the former embedding model."


def _another_model(made_by: str, asked_by: str) -> DimensionMismatch:
    return DimensionMismatch(
        f"This collection was made with the embedding model {made_by}, and this is {asked_by}.", hint=_HINT
    )


def _keyed(vector_keys: Sequence[str]) -> dict[str, object]:
    chunk_ids = [key.rpartition("@")[0] for key in vector_keys]
    return {"keys": list(vector_keys), "chunk_ids": chunk_ids, "version_length": VERSION_LENGTH}


def _chunk(row: Mapping[str, Any]) -> ChunkHit:
    return ChunkHit(
        chunk_id=row["chunk_id"],
        file_id=row["file_id"],
        ordinal=row["ordinal"],
        text=row["text"],
        metadata=row["metadata"],
        matched_terms=tuple(dict.fromkeys(bare(term) for term in row["matched"])),
        page=row["page"],
        heading_path=tuple(row["heading_path"]),
    )


def _joined(chunks: Sequence[tuple[int, int, str]]) -> str:
    """The text of a document: every chunk without what it repeats of the one before it."""
    parts: list[str] = []
    reached = 0
    for start, end, text in chunks:
        parts.append(("\n" if start > reached else "") + text[max(0, reached - start) :])
        reached = end
    return "".join(parts)
