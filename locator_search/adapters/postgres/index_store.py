"""The searchable index: one file is replaced or deleted in one transaction, with its chunks and their statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.database import Connection, Database
from locator_search.adapters.postgres.keyword_statistics import ChunkTerms, update_statistics
from locator_search.adapters.postgres.profile import Profile, another_model, claim_profile, read_profile
from locator_search.adapters.postgres.retrieval_sql import BEGIN
from locator_search.adapters.postgres.retrieve import Manner, retrieve
from locator_search.adapters.postgres.rows import clean, file_columns, term_counts
from locator_search.model import IndexEntry, Retrieval, RetrievalQuery
from locator_search.retrieval.calibration import Calibration, shipped_calibration
from locator_search.retrieval.fusion import Fusion

if TYPE_CHECKING:
    from locator_search.model import Vector

FILE_COLUMNS = (
    "file_id", "file_name", "summary", "keywords", "embedding", "drive_modified_at", "mime_type", "source", "link",
    "folder_path", "location", "revision", "size", "owner", "document_period", "name_terms", "content_hash",
    "parser_version", "chunker_version", "embedding_model", "chat_model",
)  # fmt: skip
CHUNK_COLUMNS = (
    "chunk_id", "file_id", "ordinal", "text", "heading_path", "clause", "page", "char_start", "char_end", "embedding",
    "terms", "frequencies", "length", "chunker_version",
)  # fmt: skip

MARK_INDEXED = """
INSERT INTO file_state (file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location,
                        size, owner, seen_at, state, done_revision, pipeline_version, parser_version, content_hash)
VALUES (%(file_id)s, %(file_name)s, %(source)s, %(mime_type)s, %(modified_at)s, %(revision)s, %(link)s,
        %(folder_path)s, %(location)s, %(size)s, %(owner)s, now(), 'indexed', %(revision)s, %(pipeline_version)s,
        %(parser_version)s, %(content_hash)s)
ON CONFLICT (file_id) DO UPDATE SET
    state = 'indexed', reason = '', done_revision = EXCLUDED.done_revision,
    pipeline_version = EXCLUDED.pipeline_version, parser_version = EXCLUDED.parser_version,
    content_hash = EXCLUDED.content_hash, attempts = 0, next_try_at = NULL, updated_at = now()
"""


class PostgresIndexStore:
    """An IndexStore over PostgreSQL.

    `embedding_model` is the model of this process; when it is given, an index made by another one is refused for
    search too. Months of facets and periods of questions are those of `time_zone`. `calibration` replaces the one
    stored with the index, which replaces the shipped profile of its model.
    """

    def __init__(
        self,
        database: Database,
        *,
        embedding_model: str | None = None,
        calibration: Calibration | None = None,
        fusion: Fusion = "scores",
        time_zone: str = "Asia/Tokyo",
    ) -> None:
        self._database = database
        self._embedding_model = embedding_model
        self._calibration = calibration
        self._fusion = fusion
        self._time_zone = time_zone

    def replace(self, entry: IndexEntry, pipeline_version: str) -> None:
        """Write one file with chunks, terms, embeddings and its state `indexed` in one transaction.

        Raises DimensionMismatch when the index holds vectors of another model or dimension.
        """
        with self._database.transaction() as connection:
            claim_profile(connection, entry)
            _wait_for_other_writers(connection, [entry.file.file_id])
            _write_file(connection, entry)
            removed = _remove_chunks(connection, [entry.file.file_id])
            _write_chunks(connection, entry)
            connection.execute(
                MARK_INDEXED,
                file_columns(entry.file)
                | {
                    "pipeline_version": pipeline_version,
                    "parser_version": entry.parser_version,
                    "content_hash": entry.content_hash,
                },
            )
            added = [(list(term_counts(chunk.terms)), chunk.terms.length) for chunk in entry.chunks]
            update_statistics(connection, added=added, removed=removed)

    def chunk_embeddings(self, content_hash: str, embedding_model: str) -> dict[str, Vector]:
        """The embeddings kept for chunks of that content under any file, by chunk text."""
        query = """
            SELECT DISTINCT ON (text) text, file_chunk.embedding FROM file_chunk JOIN drive_file_index USING (file_id)
            WHERE content_hash = %s AND embedding_model = %s
        """
        with self._database.connection() as connection:
            rows = connection.execute(query, [content_hash, embedding_model], binary=True)
            return {text: kept.to_numpy() for text, kept in rows}

    def delete(self, file_ids: Sequence[str]) -> int:
        """Remove files with everything kept of them, their registry rows too; returns how many were there."""
        ids = sorted(set(file_ids))
        with self._database.transaction() as connection:
            _wait_for_other_writers(connection, ids)
            removed = _remove_chunks(connection, ids)
            update_statistics(connection, added=[], removed=removed)
            row = connection.execute(
                """
                WITH unindexed AS (DELETE FROM drive_file_index WHERE file_id = ANY(%(ids)s) RETURNING file_id),
                     unlisted AS (DELETE FROM file_state WHERE file_id = ANY(%(ids)s) RETURNING file_id)
                SELECT count(*) FROM (TABLE unindexed UNION TABLE unlisted) gone
                """,
                {"ids": ids},
            ).fetchone()
        return int(row[0]) if row else 0

    def retrieve(self, query: RetrievalQuery, query_embedding: Vector | None) -> Retrieval:
        """Hybrid, vector or keyword retrieval. Counts are exact. `query_embedding` is None in keyword mode.

        At a threshold of 0 whatever is found is a hit. Raises DimensionMismatch.
        """
        with self._database.transaction() as connection:
            connection.execute(BEGIN)
            profile = read_profile(connection)
            if profile is None:
                return Retrieval(evidence=(), hit_count=0, top_similarity=None)
            self._refuse_foreign(query, query_embedding, profile)
            calibration = self._calibration or profile.calibration or shipped_calibration(profile.embedding_model)
            manner = Manner(profile.embedding_model, calibration, self._fusion, self._time_zone)
            return retrieve(connection, query, query_embedding, manner)

    def _refuse_foreign(self, query: RetrievalQuery, embedding: Vector | None, profile: Profile) -> None:
        if query.mode == "keyword":
            return
        if self._embedding_model not in (None, profile.embedding_model):
            raise another_model(profile.embedding_model, str(self._embedding_model))
        if embedding is None or len(embedding) != profile.dimensions:
            length = 0 if embedding is None else len(embedding)
            raise another_model(profile.embedding_model, f"a question of {length} dimensions")


def _wait_for_other_writers(connection: Connection, file_ids: Sequence[str]) -> None:
    """Writers of one file follow each other until they commit; ids come sorted, so that none wait in a circle.

    A lock on the file's row would not do: a row that another transaction is about to insert cannot be locked, and its
    chunks would be deleted along with it without being taken out of the statistics.
    """
    connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(file_id, 0)) FROM unnest(%s::text[]) AS ids (file_id)",
        [list(file_ids)],
    )


def _write_file(connection: Connection, entry: IndexEntry) -> None:
    period = entry.document_period
    values = {
        **{name: value for name, value in file_columns(entry.file).items() if name in FILE_COLUMNS},
        "drive_modified_at": entry.file.modified_at,
        "summary": clean(entry.summary.summary),
        "keywords": [clean(keyword) for keyword in entry.summary.keywords],
        "embedding": entry.embedding,
        "document_period": f"[{period.start},{period.end})" if period else None,
        "name_terms": list(term_counts(entry.name_terms)),
        "content_hash": entry.content_hash,
        "parser_version": entry.parser_version,
        "chunker_version": entry.chunker_version,
        "embedding_model": entry.embedding_model,
        "chat_model": entry.chat_model,
    }
    names = ", ".join(FILE_COLUMNS)
    places = ", ".join(f"%({name}){_form(name)}" for name in FILE_COLUMNS)
    changes = ", ".join(f"{name} = EXCLUDED.{name}" for name in FILE_COLUMNS)
    connection.execute(
        f"INSERT INTO drive_file_index ({names}) VALUES ({places})"  # noqa: S608 - constant column names
        f" ON CONFLICT (file_id) DO UPDATE SET {changes}, indexed_at = now()",
        values,
    )


def _form(column: str) -> str:
    """How a value is sent. As text, an embedding costs 1.6 ms of computing; as it is, 4 microseconds."""
    return "b" if column == "embedding" else "s"


def _write_chunks(connection: Connection, entry: IndexEntry) -> None:
    names, places = ", ".join(CHUNK_COLUMNS), ", ".join(f"%{_form(name)}" for name in CHUNK_COLUMNS)
    rows = [
        (
            f"{entry.file.file_id}#{indexed.chunk.ordinal}",
            entry.file.file_id,
            indexed.chunk.ordinal,
            clean(indexed.chunk.text),
            [clean(heading) for heading in indexed.chunk.heading_path],
            indexed.chunk.clause,
            indexed.chunk.page,
            indexed.chunk.start,
            indexed.chunk.end,
            indexed.embedding,
            list(term_counts(indexed.terms)),
            Jsonb(term_counts(indexed.terms)),
            indexed.terms.length,
            entry.chunker_version,
        )
        for indexed in entry.chunks
    ]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO file_chunk ({names}) VALUES ({places})", rows)  # noqa: S608


def _remove_chunks(connection: Connection, file_ids: Sequence[str]) -> list[ChunkTerms]:
    """Delete the chunks of some files. What is returned was deleted by this transaction and by no other."""
    return connection.execute(
        "DELETE FROM file_chunk WHERE file_id = ANY(%s) RETURNING terms, length", [list(file_ids)]
    ).fetchall()
