"""Batches under way at the model service, and the files that wait for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.ports import WaitingBatch

WAITING = """
SELECT number, token, batch_id, model, task, prompt_version, requests,
       (SELECT count(*) FROM model_batch_file WHERE batch = number), estimated_cost, submitted_at
FROM model_batch WHERE ended = '' ORDER BY number
"""


class PostgresBatchLog:
    """A BatchLog over the tables `model_batch` and `model_batch_file`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def prepare(
        self,
        *,
        model: str,
        task: str,
        prompt_version: str,
        keys: Mapping[str, str],
        estimated_usd: float,
        now: datetime,
    ) -> WaitingBatch:
        """Enter a batch before it is submitted. `keys`: of the answer each file waits for, by file id."""
        query = """
            INSERT INTO model_batch (model, task, prompt_version, requests, estimated_cost, submitted_at)
            VALUES (%s, %s, %s, %s, %s, %s) RETURNING number
        """
        values = [model, task, prompt_version, len(set(keys.values())), estimated_usd, now]
        with self._database.transaction() as connection, connection.cursor() as cursor:
            [(number,)] = cursor.execute(query, values).fetchall()
            cursor.executemany(
                "INSERT INTO model_batch_file (batch, file_id, key) VALUES (%s, %s, %s)",
                [(number, file_id, key) for file_id, key in keys.items()],
            )
            return next(batch for batch in waiting_batches(connection) if batch.number == number)

    def submitted(self, number: int, batch_id: str) -> None:
        """The service has accepted it."""
        with self._database.connection() as connection:
            connection.execute("UPDATE model_batch SET batch_id = %s WHERE number = %s", [batch_id, number])

    def join(self, number: int, file_id: str, key: str) -> None:
        """One more file waits for an answer that was asked for already."""
        query = """
            INSERT INTO model_batch_file (batch, file_id, key) VALUES (%s, %s, %s)
            ON CONFLICT (batch, file_id) DO UPDATE SET key = EXCLUDED.key
        """
        with self._database.connection() as connection:
            connection.execute(query, [number, file_id, key])

    def waiting(self) -> list[WaitingBatch]:
        """Batches that have not ended, oldest first."""
        with self._database.connection() as connection:
            return waiting_batches(connection)

    def keys(self, number: int) -> dict[str, str]:
        """The key of the answer each file waits for, by file id."""
        with self._database.connection() as connection:
            rows = connection.execute("SELECT file_id, key FROM model_batch_file WHERE batch = %s", [number])
            return dict(rows.fetchall())

    def end(self, number: int, ending: str, answered: int, now: datetime) -> None:
        """Nobody waits for it any more."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE model_batch SET ended = %s, answered = %s, ended_at = %s WHERE number = %s",
                [ending, answered, now, number],
            )
            connection.execute("DELETE FROM model_batch_file WHERE batch = %s", [number])


def waiting_batches(connection: Connection) -> list[WaitingBatch]:
    """Batches that have not ended, oldest first."""
    return [WaitingBatch(*row) for row in connection.execute(WAITING).fetchall()]
