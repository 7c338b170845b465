"""Extracted texts, answers and embeddings, so that nothing is paid or tried twice; committed when they arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from psycopg.rows import args_row, scalar_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean, columns_of, document_as_json, document_from_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.model import Extraction, ExtractionState
from locator_search.ports import Refusal

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)


class PostgresExtractionMemo(PostgresAdapter):
    """An ExtractionMemo over the table `extracted_text`."""

    def get(self, content_hash: str, parser_version: str) -> tuple[Extraction | None, int]:
        """The remembered extraction, or None; and how often a reading of this content began and never came to an end,
        because the process ended with it."""
        found = self._database.row(SQL.extraction, _read(content_hash, parser_version), args_row(_extraction))
        return found or (None, 0)

    def put(self, content_hash: str, parser_version: str, extraction: Extraction) -> None:
        """Remember one extraction, good or bad; nothing is unfinished any more."""
        found = {
            "state": extraction.state,
            "reason": clean(extraction.reason),
            "document": Jsonb(document_as_json(extraction.document)),
            "seconds": extraction.seconds,
        }
        self._database.run(SQL.keep_extraction, _read(content_hash, parser_version) | found)

    def begun(self, content_hash: str, parser_version: str) -> None:
        """A worker begins to read the content. Committed before the file is opened."""
        self._database.run(SQL.begin_reading, _read(content_hash, parser_version))

    def given_up(self, content_hash: str, parser_version: str) -> None:
        """A reading that began has no result although its process lives: it is not held against the content."""
        self._database.run(SQL.give_up_reading, _read(content_hash, parser_version))


class PostgresAnswerMemo(PostgresAdapter):
    """An AnswerMemo over the tables `model_answer` and `model_refusal`."""

    def get(self, key: str) -> str | Refusal | None:
        """The remembered answer as JSON, or that there was none; None where the question was never asked."""
        return self._database.row(SQL.answer, {"key": key}, args_row(_answer))

    def put(
        self, key: str, *, task: str, prompt_version: str, model: str, answer: str, usage: Usage = NOTHING_USED
    ) -> None:
        """Remember one answer, and no longer that there was none. Of two that arrive for one key the first stays, so
        every reader sees the same."""
        values = {
            "key": key,
            "task": task,
            "prompt_version": prompt_version,
            "model": model,
            "answer": clean(answer),
            "tokens": usage.tokens,
            "cost": usage.cost_usd,
        }
        self._database.run(SQL.keep_answer, values)

    def forget(self, key: str) -> None:
        """Forget one answer, because it is of no use."""
        self._database.run(SQL.forget_answer, {"key": key})

    def refuse(self, key: str, refusal: Refusal, *, task: str, model: str) -> None:
        """Remember that a question was paid and not answered. What is remembered as its answer is forgotten."""
        values = columns_of(refusal) | {"key": key, "task": task, "model": model}
        with self._database.transaction() as connection:
            connection.execute(SQL.keep_refusal, values)
            connection.execute(SQL.forget_answer, {"key": key})


class PostgresEmbeddingMemo(PostgresAdapter):
    """An EmbeddingMemo over the tables `text_embedding` and `embedding_width`."""

    def learn_width(self, model: str, width: int) -> int:
        """Enter the length of a model's first embedding; returns the length that was entered first."""
        self._database.run(SQL.learn_width, {"model": model, "width": width})
        return self._database.row(SQL.width, {"model": model}, scalar_row) or width

    def get(self, model: str, keys: Sequence[str]) -> dict[str, Vector]:
        """The remembered embeddings by key; those of another length than the model's own count as forgotten.

        As long as that length is not known, nothing is remembered.
        """
        rows = self._database.rows(SQL.embeddings, {"model": model, "keys": list(keys)}, binary=True)
        vectors = [(key, embedding.to_numpy(), kept_width, width) for key, embedding, kept_width, width in rows]
        return {
            key: vector
            for key, vector, kept_width, width in vectors
            if kept_width is not None or filled_up_from(vector) == width
        }

    def put(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Remember embeddings by key; in one order, so that two writers never wait for each other."""
        rows = [{"model": model, "key": key, "embedding": embeddings[key]} for key in sorted(embeddings)]
        with self._database.transaction() as connection, connection.cursor() as cursor:
            cursor.executemany(SQL.keep_embedding, rows)


def filled_up_from(vector: Vector) -> int:
    """How many numbers an embedding had before it was filled up with zeros."""
    (used,) = vector.nonzero()
    return int(used[-1]) + 1 if used.size else 0


def _read(content_hash: str, parser_version: str) -> dict[str, object]:
    return {"hash": content_hash, "version": parser_version}


def _extraction(
    attempts: int, state: ExtractionState | None, reason: str, document: dict[str, Any], seconds: float
) -> tuple[Extraction | None, int]:
    if state is None:
        return None, attempts
    return Extraction(state, document_from_json(document), reason, seconds), attempts


def _answer(answer: str | None, *refusal: Any) -> str | Refusal:
    return Refusal(*refusal) if answer is None else answer
