"""What models cost so far (table `model_usage`): one row per day, task and model."""

from __future__ import annotations

from locator_search.adapters.postgres.server.database import Database
from locator_search.core.usage import Usage


class PostgresUsageLog:
    """A UsageLog over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, task: str, model: str, usage: Usage) -> None:
        """Enter one call; committed when this returns."""
        query = """
            INSERT INTO model_usage AS kept (task, model, calls, input_tokens, output_tokens, cost)
            VALUES (%s, %s, %s, %s, %s, %s)
            ON CONFLICT (day, task, model) DO UPDATE SET
                calls = kept.calls + EXCLUDED.calls,
                input_tokens = kept.input_tokens + EXCLUDED.input_tokens,
                output_tokens = kept.output_tokens + EXCLUDED.output_tokens,
                cost = kept.cost + EXCLUDED.cost
        """
        values = [task, model, usage.calls, usage.input_tokens, usage.output_tokens, usage.cost_usd]
        with self._database.connection() as connection:
            connection.execute(query, values)

    def total(self) -> Usage:
        """All calls together."""
        query = """
            SELECT COALESCE(sum(calls), 0)::bigint, COALESCE(sum(input_tokens), 0)::bigint,
                   COALESCE(sum(output_tokens), 0)::bigint, COALESCE(sum(cost), 0)
            FROM model_usage
        """
        with self._database.connection() as connection:
            return Usage(*connection.execute(query).fetchall()[0])
