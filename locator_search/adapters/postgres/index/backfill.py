"""What migrations cannot do in SQL: rows that are there already get what is computed here when a row is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql

from locator_search.adapters.postgres.index.index_writes import CODE_COLUMNS, OWN, code_rows, copy_rows, name_key
from locator_search.adapters.postgres.index.term_weights import name_weights, text_weights

BATCH = 500
"""Rows read, computed and written at a time."""

CHUNKS = """
SELECT c.file_id, c.ordinal, c.frequencies, f.name_terms
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id) ORDER BY c.file_id, c.ordinal
"""
FILES = "SELECT file_id, file_name, name_terms FROM drive_file_index"
EMBEDDINGS = f"""
SELECT file_id, {OWN} AS ordinal, embedding FROM drive_file_index
UNION ALL
SELECT file_id, ordinal, embedding FROM file_chunk
"""  # noqa: S608 - our own number

CHUNK_ARMS = {"file_id": "text", "ordinal": "int4", "weights": "sparsevec"}
FILE_ARMS = {"file_id": "text", "name_weights": "sparsevec", "name_key": "text"}

MADE = """
CREATE TEMPORARY TABLE made_for_chunks (
    file_id text, ordinal integer, weights sparsevec, PRIMARY KEY (file_id, ordinal)) ON COMMIT DROP;
CREATE TEMPORARY TABLE made_for_files (
    file_id text PRIMARY KEY, name_weights sparsevec, name_key text) ON COMMIT DROP
"""

# An UPDATE would leave both tables twice as large; to change the type of a column writes them anew (and forgets how
# the column is stored).
PUT_IN = """
CREATE FUNCTION pg_temp.made_weights(text, integer) RETURNS sparsevec STABLE
    AS 'SELECT weights FROM pg_temp.made_for_chunks WHERE file_id = $1 AND ordinal = $2' LANGUAGE sql;
CREATE FUNCTION pg_temp.made_name_weights(text) RETURNS sparsevec STABLE
    AS 'SELECT name_weights FROM pg_temp.made_for_files WHERE file_id = $1' LANGUAGE sql;
CREATE FUNCTION pg_temp.made_name_key(text) RETURNS text STABLE
    AS 'SELECT name_key FROM pg_temp.made_for_files WHERE file_id = $1' LANGUAGE sql;
ALTER TABLE file_chunk
    ALTER COLUMN weights TYPE sparsevec(1000000000) USING pg_temp.made_weights(file_id, ordinal),
    ALTER COLUMN weights SET STORAGE MAIN,
    ALTER COLUMN mean_length TYPE double precision USING {mean}::double precision;
ALTER TABLE drive_file_index
    ALTER COLUMN name_weights TYPE sparsevec(1000000000) USING pg_temp.made_name_weights(file_id),
    ALTER COLUMN name_weights SET STORAGE MAIN,
    ALTER COLUMN name_key TYPE text USING pg_temp.made_name_key(file_id);
DROP FUNCTION pg_temp.made_weights, pg_temp.made_name_weights, pg_temp.made_name_key
"""


def fill_search_arms(connection: psycopg.Connection[Any]) -> None:
    """Weights and names of files and chunks that were written before 0008."""
    register_vector(connection)
    row = connection.execute("SELECT total_length::float8 / greatest(chunks, 1) FROM keyword_total").fetchone()
    mean = max(1.0, row[0] if row else 1.0)
    connection.execute(MADE)
    for rows in _batches(connection, CHUNKS):
        _fill_chunks(connection, rows, mean)
    for rows in _batches(connection, FILES):
        _fill_files(connection, rows)
    connection.execute(sql.SQL(PUT_IN).format(mean=sql.Literal(mean)))


def fill_codes(connection: psycopg.Connection[Any]) -> None:
    """Codes of the embeddings that were written before 0041."""
    register_vector(connection)
    for rows in _batches(connection, EMBEDDINGS):
        vectors = [(file_id, ordinal, embedding.to_numpy()) for file_id, ordinal, embedding in rows]
        copy_rows(connection, "embedding_code", CODE_COLUMNS, code_rows(vectors))


AFTER: Mapping[str, Callable[[psycopg.Connection[Any]], None]] = {
    "0008_search_arms": fill_search_arms,
    "0041_fine_codes": fill_codes,
}
"""What follows a migration, in its transaction."""


def _fill_chunks(connection: psycopg.Connection[Any], rows: list[tuple[Any, ...]], mean: float) -> None:
    copy_rows(
        connection,
        "made_for_chunks",
        CHUNK_ARMS,
        (
            {"file_id": file_id, "ordinal": ordinal, "weights": text_weights(frequencies, names, mean)}
            for file_id, ordinal, frequencies, names in rows
        ),
    )


def _fill_files(connection: psycopg.Connection[Any], rows: list[tuple[Any, ...]]) -> None:
    copy_rows(
        connection,
        "made_for_files",
        FILE_ARMS,
        (
            {"file_id": file_id, "name_weights": name_weights(names), "name_key": name_key(file_name)}
            for file_id, file_name, names in rows
        ),
    )


def _batches(connection: psycopg.Connection[Any], query: str) -> Iterator[list[tuple[Any, ...]]]:
    with connection.cursor("to_fill", binary=True) as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(BATCH):
            yield rows
