"""Keeps what was asked and how it ended (tables `search_log`, `search_feedback`, `search_opening`)."""

from __future__ import annotations

from dataclasses import asdict

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.model import SearchOutcome


class PostgresSearchLog:
    """A SearchLog over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, question: str, outcome: SearchOutcome, surface: str) -> int:
        """Store one finished search; returns its id."""
        query = """
            INSERT INTO search_log
                (question, surface, outcome, message, rounds, file_ids, model_calls, tokens, cost)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING search_id
        """
        values = [
            clean(question),
            surface,
            outcome.outcome,
            clean(outcome.message),
            Jsonb([{name: _clean(value) for name, value in asdict(round_).items()} for round_ in outcome.rounds]),
            [evidence.file_id for evidence in outcome.evidence],
            outcome.usage.calls,
            outcome.usage.tokens,
            outcome.usage.cost_usd,
        ]
        with self._database.connection() as connection:
            row = connection.execute(query, values).fetchone()
        return int(row[0]) if row else 0

    def feedback(self, search_id: int, file_id: str, useful: bool) -> None:
        """Store what a person thought of one result; a second opinion replaces the first."""
        query = """
            INSERT INTO search_feedback (search_id, file_id, useful) VALUES (%s, %s, %s)
            ON CONFLICT (search_id, file_id) DO UPDATE SET useful = EXCLUDED.useful, created_at = now()
        """
        with self._database.connection() as connection:
            connection.execute(query, [search_id, file_id, useful])

    def opened(self, search_id: int, file_id: str) -> None:
        """Store that a person opened one result; the first time counts."""
        query = "INSERT INTO search_opening (search_id, file_id) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        with self._database.connection() as connection:
            connection.execute(query, [search_id, file_id])


def _clean(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    return [_clean(item) for item in value] if isinstance(value, tuple) else value
