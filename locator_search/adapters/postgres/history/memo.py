"""What is never paid or tried twice: extracted texts, answers and embeddings, committed the moment they arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.document_rows import document_as_json, document_from_json
from locator_search.adapters.postgres.server.rows import clean
from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.model import Extraction
from locator_search.ports import Refusal

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
        """Remember one extraction, good or bad; nothing is unfinished any more."""
        query = """
            INSERT INTO extracted_text (content_hash, parser_version, attempts, state, reason, document, seconds)
            VALUES (%(hash)s, %(version)s, 0, %(state)s, %(reason)s, %(document)s, %(seconds)s)
            ON CONFLICT (content_hash, parser_version) DO UPDATE SET
                attempts = 0, state = EXCLUDED.state, reason = EXCLUDED.reason, document = EXCLUDED.document,
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

    def unfinished(self, content_hash: str, parser_version: str) -> int:
        """How often a reading of this content began and nothing ever came of it: everything ended with it."""
        query = "SELECT attempts FROM extracted_text WHERE content_hash = %s AND parser_version = %s"
        with self._database.connection() as connection:
            row = connection.execute(query, [content_hash, parser_version]).fetchone()
        return int(row[0]) if row else 0

    def begun(self, content_hash: str, parser_version: str) -> None:
        """A worker holds the content: one more reading that is not finished. Committed before the file is opened."""
        query = """
            INSERT INTO extracted_text (content_hash, parser_version, attempts) VALUES (%s, %s, 1)
            ON CONFLICT (content_hash, parser_version) DO UPDATE SET attempts = extracted_text.attempts + 1
        """
        with self._database.connection() as connection:
            connection.execute(query, [content_hash, parser_version])

    def given_up(self, content_hash: str, parser_version: str) -> None:
        """A reading that began has no result, and whoever asked for it lives: it is not held against the content."""
        query = """
            UPDATE extracted_text SET attempts = greatest(0, attempts - 1)
            WHERE content_hash = %s AND parser_version = %s
        """
        with self._database.connection() as connection:
            connection.execute(query, [content_hash, parser_version])


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
        """Remember one answer, and no longer that there was none. Of two that arrive for one key the first stays, so
        every reader sees the same."""
        query = """
            INSERT INTO model_answer (key, task, prompt_version, model, answer, tokens, cost)
            VALUES (%s, %s, %s, %s, %s, %s, %s)
            ON CONFLICT (key) DO NOTHING
        """
        values = [key, task, prompt_version, model, clean(answer), usage.tokens, usage.cost_usd]
        with self._database.transaction() as connection:
            connection.execute(query, values)
            connection.execute("DELETE FROM model_refusal WHERE key = %s", [key])

    def forget(self, key: str) -> None:
        """Forget one answer, because it is of no use."""
        with self._database.connection() as connection:
            connection.execute("DELETE FROM model_answer WHERE key = %s", [key])

    def refusal(self, key: str) -> Refusal | None:
        """What is remembered of a question without a usable answer; None where there is nothing to remember."""
        query = "SELECT reason, attempts, next_try_at FROM model_refusal WHERE key = %s"
        with self._database.connection() as connection:
            row = connection.execute(query, [key]).fetchone()
        return Refusal(*row) if row else None

    def refuse(self, key: str, refusal: Refusal, *, task: str, model: str) -> None:
        """Remember that a question was paid and not answered. What is remembered as its answer is forgotten."""
        query = """
            INSERT INTO model_refusal (key, task, model, reason, attempts, next_try_at)
            VALUES (%s, %s, %s, %s, %s, %s)
            ON CONFLICT (key) DO UPDATE SET
                reason = EXCLUDED.reason, attempts = EXCLUDED.attempts, next_try_at = EXCLUDED.next_try_at,
                updated_at = now()
        """
        values = [key, task, model, clean(refusal.reason), refusal.attempts, refusal.next_try_at]
        with self._database.transaction() as connection:
            connection.execute(query, values)
            connection.execute("DELETE FROM model_answer WHERE key = %s", [key])


class PostgresEmbeddingMemo:
    """An EmbeddingMemo over the tables `text_embedding` and `embedding_width`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def learn_width(self, model: str, width: int) -> int:
        """Enter what a model answered first; returns the length that stands: the one that was entered first."""
        enter = "INSERT INTO embedding_width (model, width) VALUES (%s, %s) ON CONFLICT (model) DO NOTHING"
        with self._database.transaction() as connection:
            connection.execute(enter, [model, width])
            row = connection.execute("SELECT width FROM embedding_width WHERE model = %s", [model]).fetchone()
        return int(row[0]) if row else width

    def get(self, model: str, keys: Sequence[str]) -> dict[str, Vector]:
        """The remembered embeddings by key; those of another length than the model's own count as forgotten.

        As long as that length is not known, nothing is remembered.
        """
        query = """
            SELECT key, embedding, kept.width, model.width
            FROM text_embedding AS kept JOIN embedding_width AS model USING (model)
            WHERE model = %s AND key = ANY(%s) AND COALESCE(kept.width, model.width) = model.width
        """
        with self._database.connection() as connection:
            rows = [
                (key, kept.to_numpy(), kept_width, width)
                for key, kept, kept_width, width in connection.execute(query, [model, list(keys)], binary=True)
            ]
        return {
            key: vector
            for key, vector, kept_width, width in rows
            if kept_width is not None or filled_up_from(vector) == width
        }

    def put(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Remember embeddings by key; in one order, so that two writers never wait for each other."""
        query = """
            INSERT INTO text_embedding AS kept (model, key, embedding, width)
            VALUES (%s, %s, %b, (SELECT width FROM embedding_width WHERE model = %s))
            ON CONFLICT (model, key) DO UPDATE SET embedding = EXCLUDED.embedding, width = EXCLUDED.width
            WHERE kept.width IS DISTINCT FROM EXCLUDED.width
        """
        rows = [(model, key, embeddings[key], model) for key in sorted(embeddings)]
        with self._database.transaction() as connection, connection.cursor() as cursor:
            cursor.executemany(query, rows)


def filled_up_from(vector: Vector) -> int:
    """How many numbers an embedding had before it was filled up with zeros."""
    (used,) = vector.nonzero()
    return int(used[-1]) + 1 if used.size else 0
