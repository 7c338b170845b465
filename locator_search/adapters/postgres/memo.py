"""What is never paid or tried twice: extracted texts, answers and embeddings, committed the moment they arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.database import Database
from locator_search.adapters.postgres.document_rows import document_as_json, document_from_json
from locator_search.adapters.postgres.rows import clean
from locator_search.metering import NOTHING_USED, Usage
from locator_search.model import Extraction

if TYPE_CHECKING:
    from locator_search.model import Vector


class PostgresExtractionMemo:
    """An ExtractionMemo over the table `extracted_text`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, content_hash: str, parser_version: str) -> Extraction | None:
        """The remembered extraction, or None."""
        query = """
            SELECT state, reason, document, seconds FROM extracted_text
            WHERE content_hash = %s AND parser_version = %s AND state IS NOT NULL
        """
        with self._database.connection() as connection:
            row = connection.execute(query, [content_hash, parser_version]).fetchone()
        if row is None:
            return None
        state, reason, document, seconds = row
        return Extraction(state=state, document=document_from_json(document), reason=reason, seconds=seconds)

    def put(self, content_hash: str, parser_version: str, extraction: Extraction) -> None:
        """Remember one extraction (good or bad: a poison file is tried once)."""
        query = """
            INSERT INTO extracted_text (content_hash, parser_version, attempts, state, reason, document, seconds)
            VALUES (%(hash)s, %(version)s, 1, %(state)s, %(reason)s, %(document)s, %(seconds)s)
            ON CONFLICT (content_hash, parser_version) DO UPDATE SET
                state = EXCLUDED.state, reason = EXCLUDED.reason, document = EXCLUDED.document,
                seconds = EXCLUDED.seconds
        """
        values = {
            "hash": content_hash,
            "version": parser_version,
            "state": extraction.state,
            "reason": clean(extraction.reason),
            "document": Jsonb(document_as_json(extraction.document)),
            "seconds": extraction.seconds,
        }
        with self._database.connection() as connection:
            connection.execute(query, values)

    def attempts(self, content_hash: str, parser_version: str) -> int:
        """Count one more attempt, committed before the work begins, and return the count (1 for the first)."""
        query = """
            INSERT INTO extracted_text (content_hash, parser_version, attempts) VALUES (%s, %s, 1)
            ON CONFLICT (content_hash, parser_version) DO UPDATE SET attempts = extracted_text.attempts + 1
            RETURNING attempts
        """
        with self._database.connection() as connection:
            row = connection.execute(query, [content_hash, parser_version]).fetchone()
        return int(row[0]) if row else 1


class PostgresAnswerMemo:
    """An AnswerMemo over the table `model_answer`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> str | None:
        """The remembered answer as JSON, or None."""
        with self._database.connection() as connection:
            row = connection.execute("SELECT answer FROM model_answer WHERE key = %s", [key]).fetchone()
        return str(row[0]) if row else None

    def put(
        self, key: str, *, task: str, prompt_version: str, model: str, answer: str, usage: Usage = NOTHING_USED
    ) -> None:
        """Remember one answer. Of two that arrive for one key the first stays, so every reader sees the same."""
        query = """
            INSERT INTO model_answer (key, task, prompt_version, model, answer, tokens, cost)
            VALUES (%s, %s, %s, %s, %s, %s, %s)
            ON CONFLICT (key) DO NOTHING
        """
        values = [key, task, prompt_version, model, clean(answer), usage.tokens, usage.cost_usd]
        with self._database.connection() as connection:
            connection.execute(query, values)


class PostgresEmbeddingMemo:
    """An EmbeddingMemo over the table `text_embedding`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, model: str, keys: Sequence[str]) -> dict[str, Vector]:
        """The remembered embeddings by key."""
        query = "SELECT key, embedding FROM text_embedding WHERE model = %s AND key = ANY(%s)"
        with self._database.connection() as connection:
            rows = connection.execute(query, [model, list(keys)], binary=True)
            return {key: kept.to_numpy() for key, kept in rows}

    def put(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Remember embeddings by key; in one order, so that two writers never wait for each other."""
        query = """
            INSERT INTO text_embedding (model, key, embedding) VALUES (%s, %s, %b) ON CONFLICT (model, key) DO NOTHING
        """
        rows = [(model, key, embeddings[key]) for key in sorted(embeddings)]
        with self._database.transaction() as connection, connection.cursor() as cursor:
            cursor.executemany(query, rows)
