"""What migrations cannot do in SQL: rows that are there already get what is computed here when a row is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

import psycopg
from pgvector.psycopg import register_vector

from locator_search.adapters.postgres.index_writes import CODE_COLUMNS, OWN, code_rows, copy_rows, name_key
from locator_search.adapters.postgres.term_weights import name_weights, text_weights

if TYPE_CHECKING:
    from locator_search.model import Vector

BATCH = 500
"""Rows read, computed and written at a time."""

CHUNKS = """
SELECT c.file_id, c.ordinal, c.frequencies, f.name_terms, c.embedding
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id) ORDER BY c.file_id, c.ordinal
"""
FILES = "SELECT file_id, file_name, name_terms, embedding FROM drive_file_index"

CHUNK_ARMS = {"file_id": "text", "ordinal": "int4", "weights": "sparsevec"}
FILE_ARMS = {"file_id": "text", "name_weights": "sparsevec", "name_key": "text"}

UPDATE_CHUNKS = """
UPDATE file_chunk SET weights = made.weights, mean_length = %(mean)s
FROM made_for_chunks AS made WHERE file_chunk.file_id = made.file_id AND file_chunk.ordinal = made.ordinal
"""
UPDATE_FILES = """
UPDATE drive_file_index SET name_weights = made.name_weights, name_key = made.name_key
FROM made_for_files AS made WHERE drive_file_index.file_id = made.file_id
"""


def fill_search_arms(connection: psycopg.Connection[Any]) -> None:
    """Codes, weights and names of files and chunks that were written before 0008."""
    register_vector(connection)
    row = connection.execute("SELECT total_length::float8 / greatest(chunks, 1) FROM keyword_total").fetchone()
    mean = max(1.0, row[0] if row else 1.0)
    connection.execute(
        "CREATE TEMPORARY TABLE made_for_chunks (file_id text, ordinal integer, weights sparsevec) ON COMMIT DROP;"
        "CREATE TEMPORARY TABLE made_for_files (file_id text, name_weights sparsevec, name_key text) ON COMMIT DROP"
    )
    for rows in _batches(connection, CHUNKS):
        _fill_chunks(connection, rows, mean)
    for rows in _batches(connection, FILES):
        _fill_files(connection, rows)


AFTER: Mapping[str, Callable[[psycopg.Connection[Any]], None]] = {"0008_search_arms": fill_search_arms}
"""What follows a migration, in its transaction."""


def _fill_chunks(connection: psycopg.Connection[Any], rows: list[tuple[Any, ...]], mean: float) -> None:
    connection.execute("TRUNCATE made_for_chunks")
    copy_rows(
        connection,
        "made_for_chunks",
        CHUNK_ARMS,
        (
            {"file_id": file_id, "ordinal": ordinal, "weights": text_weights(frequencies, names, mean)}
            for file_id, ordinal, frequencies, names, _ in rows
        ),
    )
    connection.execute(UPDATE_CHUNKS, {"mean": mean})
    for file_id, chunks in groupby(rows, key=lambda row: str(row[0])):
        vectors: list[tuple[int, Vector]] = [(chunk[1], chunk[4].to_numpy()) for chunk in chunks]
        copy_rows(connection, "embedding_code", CODE_COLUMNS, code_rows(file_id, vectors))


def _fill_files(connection: psycopg.Connection[Any], rows: list[tuple[Any, ...]]) -> None:
    connection.execute("TRUNCATE made_for_files")
    copy_rows(
        connection,
        "made_for_files",
        FILE_ARMS,
        (
            {"file_id": file_id, "name_weights": name_weights(names), "name_key": name_key(file_name)}
            for file_id, file_name, names, _ in rows
        ),
    )
    connection.execute(UPDATE_FILES)
    for file_id, _, _, embedding in rows:
        copy_rows(connection, "embedding_code", CODE_COLUMNS, code_rows(file_id, [(OWN, embedding.to_numpy())]))


def _batches(connection: psycopg.Connection[Any], query: str) -> Iterator[list[tuple[Any, ...]]]:
    with connection.cursor("to_fill", binary=True) as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(BATCH):
            yield rows
