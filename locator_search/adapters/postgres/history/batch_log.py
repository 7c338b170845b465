"""Batches under way at the model service, and the files that wait for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from psycopg.rows import args_row

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import WaitingBatch

SQL = statements(__name__)


class PostgresBatchLog(PostgresAdapter):
    """A BatchLog over the tables `model_batch` and `model_batch_file`."""

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
        values = {
            "model": model,
            "task": task,
            "prompt_version": prompt_version,
            "requests": len(set(keys.values())),
            "cost": estimated_usd,
            "now": now,
        }
        with self._database.transaction() as connection, connection.cursor() as cursor:
            [(number,)] = cursor.execute(SQL.prepare, values).fetchall()
            files = [{"batch": number, "file_id": file_id, "key": key} for file_id, key in keys.items()]
            cursor.executemany(SQL.join, files)
        return next(batch for batch in self.waiting() if batch.number == number)

    def submitted(self, number: int, batch_id: str) -> None:
        """The service has accepted it."""
        self._database.run(SQL.submitted, {"batch": number, "batch_id": batch_id})

    def join(self, number: int, file_id: str, key: str) -> None:
        """Add a file that waits for an answer that was asked for already."""
        self._database.run(SQL.join, {"batch": number, "file_id": file_id, "key": key})

    def waiting(self) -> list[WaitingBatch]:
        """Batches that have not ended, oldest first."""
        return self._database.rows(SQL.waiting, make=args_row(WaitingBatch))

    def keys(self, number: int) -> dict[str, str]:
        """The key of the answer each file waits for, by file id."""
        return dict(self._database.rows(SQL.keys, {"batch": number}))

    def end(self, number: int, ending: str, answered: int, now: datetime) -> None:
        """End a batch: no file waits for it any more."""
        self._database.run(SQL.end, {"batch": number, "ending": ending, "answered": answered, "now": now})
