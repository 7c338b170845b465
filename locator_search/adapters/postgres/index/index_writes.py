"""Writes files into the index and takes them out, with their chunks and the statistics of keyword search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from pgvector import Bit
from psycopg import sql
from psycopg.types.json import Jsonb
from psycopg.types.range import Range

from locator_search.adapters.postgres.index.documents import settle_entries
from locator_search.adapters.postgres.index.profile import claim_profile, renew_background
from locator_search.adapters.postgres.index.term_weights import (
    ChunkTerms,
    name_weights,
    text_weights,
    update_statistics,
)
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import (
    changes_as_json,
    clean,
    clean_json,
    columns_of,
    term_counts,
    text_state,
)
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import FileRef, IndexedChunk, IndexEntry
from locator_search.retrieval.binary_codes import binary_codes
from locator_search.retrieval.calibration import has_profile
from locator_search.retrieval.version_names import without_suffix
from locator_search.text.normalise import normalise

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)

FILE_COLUMNS = {
    "file_id": "text", "file_name": "text", "source": "text", "mime_type": "text", "revision": "text", "link": "text",
    "folder_path": "text", "location": "text", "size": "int8", "owner": "text", "drive_modified_at": "timestamptz",
    "summary": "text", "keywords": "text[]", "embedding": "vector", "document_period": "daterange",
    "name_terms": "text[]", "name_weights": "sparsevec", "name_key": "text", "metadata": "jsonb",
    "content_hash": "text", "parser_version": "text", "chunker_version": "text", "embedding_model": "text",
    "chat_model": "text", "summary_key": "text",
}  # fmt: skip
CHUNK_COLUMNS = {
    "chunk_id": "text", "file_id": "text", "ordinal": "int4", "text": "text", "heading_path": "text[]",
    "clause": "text", "page": "int4", "char_start": "int4", "char_end": "int4", "embedding": "vector",
    "terms": "text[]", "length": "int4", "weights": "sparsevec", "mean_length": "float8",
    "chunker_version": "text", "changes": "jsonb", "page_is_estimated": "bool",
}  # fmt: skip
CODE_COLUMNS = {"file_id": "text", "ordinal": "int4", "code": "bit", "fine": "bit"}

OWN = -1
"""Stands in the place of a chunk's ordinal for the embedding of the file itself."""

WRITER_LOCKS = 0x77726974
"""Advisory locks of those who write files ("writ"): one for each file, and one for all of them."""
MOST_LOCKS = 1000
"""Files that are locked one by one; a server has places for some thousand locks."""


def refresh_file(connection: Connection, file: FileRef, content_hash: str) -> bool:
    """Enter what differs of a file whose content, name, type and folder are those of the index; returns whether they
    are."""
    _wait_for_other_writers(connection, [file.file_id])
    return connection.execute(SQL.refresh, columns_of(file) | {"content_hash": content_hash}).rowcount > 0


def write_files(connection: Connection, entries: Sequence[IndexEntry], pipeline_version: str) -> None:
    """Put files in the place of what the index holds of them. Raises DimensionMismatch."""
    entries = list({entry.file.file_id: entry for entry in entries}.values())
    ids = [entry.file.file_id for entry in entries]
    claim_profile(connection, entries)
    _wait_for_other_writers(connection, ids)
    removed = _take_out(connection, ids)
    mean = _mean_length(connection, entries)
    copy_rows(connection, "drive_file_index", FILE_COLUMNS, map(_file_row, entries))
    copy_rows(
        connection, "file_chunk", CHUNK_COLUMNS, (_chunk_row(e, chunk, mean) for e in entries for chunk in e.chunks)
    )
    if embeddings := [each for entry in entries for each in _embeddings(entry)]:
        copy_rows(connection, "embedding_code", CODE_COLUMNS, code_rows(embeddings))
    with connection.cursor() as cursor:
        cursor.executemany(SQL.mark_indexed, [_state_row(entry, pipeline_version) for entry in entries])
    added = [(list(term_counts(chunk.terms)), chunk.terms.length) for entry in entries for chunk in entry.chunks]
    update_statistics(connection, added=added, removed=removed)
    if any(entry.embedding is not None and not has_profile(entry.embedding_model) for entry in entries):
        [[chunks, _]] = connection.execute(SQL.totals).fetchall()
        renew_background(connection, chunks)
    settle_entries(connection, entries)


def withdraw_files(connection: Connection, file_ids: Sequence[str]) -> None:
    """Take out what the index holds of some files, within the transaction of the caller; the registry keeps them."""
    ids = [file_id for (file_id,) in connection.execute(SQL.held, {"files": list(file_ids)})]
    if ids:
        _wait_for_other_writers(connection, ids)
        update_statistics(connection, added=[], removed=_take_out(connection, ids))


def remove_files(connection: Connection, file_ids: Sequence[str]) -> int:
    """Take files out with everything kept of them, their registry rows too; returns how many were there."""
    ids = list(dict.fromkeys(file_ids))
    _wait_for_other_writers(connection, ids)
    removed = connection.execute(SQL.remove_chunks, {"files": ids}).fetchall()
    update_statistics(connection, added=[], removed=removed)
    [[gone]] = connection.execute(SQL.forget, {"files": ids}).fetchall()
    return int(gone)


def _wait_for_other_writers(connection: Connection, file_ids: Sequence[str]) -> None:
    """Writers of one file follow each other until they commit.

    A lock on the file's row would not do: a row that another transaction is about to insert cannot be locked, and its
    chunks would be deleted along with it without being taken out of the statistics.
    """
    values = {"locks": WRITER_LOCKS, "files": list(file_ids)}
    if len(file_ids) > MOST_LOCKS:
        connection.execute(SQL.wait_for_all_writers, values)
    else:
        connection.execute(SQL.be_one_of_many, values)
        connection.execute(SQL.wait_for_writers, values)


def _take_out(connection: Connection, file_ids: Sequence[str]) -> list[ChunkTerms]:
    """Delete what the index holds of some files. What is returned was deleted by this transaction and by no other."""
    return connection.execute(SQL.take_out, {"files": list(file_ids)}).fetchall()


def copy_rows(connection: Connection, table: str, columns: dict[str, str], rows: Iterable[dict[str, object]]) -> None:
    """Binary COPY of rows by column name; `columns` gives the types. As text, an embedding would cost 1.6 ms."""
    with connection.cursor() as cursor, cursor.copy(_copying(table, *columns)) as copy:
        copy.set_types(list(columns.values()))
        for row in rows:
            copy.write_row([row[name] for name in columns])


@cache
def _copying(table: str, *columns: str) -> bytes:
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    return sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(sql.Identifier(table), names).as_bytes()


def code_rows(embeddings: Sequence[tuple[str, int, Vector]]) -> list[dict[str, object]]:
    """Rows of `embedding_code` for embeddings, each after its file id and ordinal."""
    codes = binary_codes(np.stack([embedding for _, _, embedding in embeddings]))
    return [
        {"file_id": file_id, "ordinal": ordinal, "code": Bit(code.signs), "fine": Bit(code.fine)}
        for (file_id, ordinal, _), code in zip(embeddings, codes, strict=True)
    ]


def name_key(file_name: str) -> str:
    """The key by which a question equals the name of a file, with or without its suffix."""
    return normalise(without_suffix(clean(file_name))[0])


def _mean_length(connection: Connection, entries: Sequence[IndexEntry]) -> float:
    """The mean length of a chunk with these files; what they replace still counts, which changes next to nothing."""
    [[chunks, total_length]] = connection.execute(SQL.totals).fetchall()
    lengths = [chunk.terms.length for entry in entries for chunk in entry.chunks]
    return float(max(1.0, (total_length + sum(lengths)) / max(1, chunks + len(lengths))))


def _embeddings(entry: IndexEntry) -> list[tuple[str, int, Vector]]:
    """The embedding of a file itself and those of its chunks, as far as there are any."""
    embeddings = [(OWN, entry.embedding), *((one.chunk.ordinal, one.embedding) for one in entry.chunks)]
    return [(entry.file.file_id, ordinal, vector) for ordinal, vector in embeddings if vector is not None]


def _file_row(entry: IndexEntry) -> dict[str, object]:
    period, names = entry.document_period, term_counts(entry.name_terms)
    return {
        **columns_of(entry.file),
        **columns_of(entry.summary),
        "drive_modified_at": entry.file.modified_at,
        "embedding": entry.embedding,
        "document_period": Range(period.start, period.end) if period else None,
        "name_terms": list(names),
        "name_weights": name_weights(names),
        "name_key": name_key(entry.file.file_name),
        "metadata": Jsonb(clean_json(entry.metadata)),
        "content_hash": entry.content_hash,
        "parser_version": entry.parser_version,
        "chunker_version": entry.chunker_version,
        "embedding_model": entry.embedding_model,
        "chat_model": entry.chat_model,
        "summary_key": entry.summary_key,
    }


def _chunk_row(entry: IndexEntry, indexed: IndexedChunk, mean_length: float) -> dict[str, object]:
    chunk, counts = indexed.chunk, term_counts(indexed.terms)
    return {
        **columns_of(chunk),
        "chunk_id": f"{entry.file.file_id}#{chunk.ordinal}",
        "file_id": entry.file.file_id,
        "char_start": chunk.start,
        "char_end": chunk.end,
        "embedding": indexed.embedding,
        "terms": list(counts),
        "length": indexed.terms.length,
        "weights": text_weights(counts, term_counts(entry.name_terms), mean_length),
        "mean_length": mean_length,
        "chunker_version": entry.chunker_version,
        "changes": Jsonb(changes_as_json(chunk.changes)),
    }


def _state_row(entry: IndexEntry, pipeline_version: str) -> dict[str, object]:
    return columns_of(entry.file) | {
        "pipeline_version": pipeline_version,
        "reason": "" if (read := text_state(entry.metadata)) == "ok" else read,
        "parser_version": entry.parser_version,
        "content_hash": entry.content_hash,
        "stand_in": entry.stand_in.reason if entry.stand_in else "",
        "attempts": entry.stand_in.attempts if entry.stand_in else 0,
        "next_try_at": entry.stand_in.next_try_at if entry.stand_in else None,
    }
