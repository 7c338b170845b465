"""Searches, how they ended, and what people thought of the results (tables `search_log`, `search_feedback`,
`search_opening`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from psycopg.rows import args_row, scalar_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean, clean_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import SearchOutcome
from locator_search.ports import IndexedText, Judgement

SQL = statements(__name__)


class PostgresSearchLog(PostgresAdapter):
    """A SearchLog over PostgreSQL."""

    def record(
        self,
        question: str,
        outcome: SearchOutcome,
        surface: str,
        seconds: float,
        steps: Mapping[str, float] | None = None,
    ) -> int:
        """Store one finished search and how long it and its steps took; returns its id."""
        values = {
            "question": clean(question),
            "surface": surface,
            "outcome": outcome.outcome,
            "message": clean(outcome.message),
            "rounds": Jsonb([clean_json(asdict(round_)) for round_ in outcome.rounds]),
            "file_ids": [evidence.file_id for evidence in outcome.evidence],
            "calls": outcome.usage.calls,
            "tokens": outcome.usage.tokens,
            "cost": outcome.usage.cost_usd,
            "seconds": seconds,
            "step_seconds": Jsonb(dict(steps or {})),
        }
        return self._database.row(SQL.record, values, scalar_row) or 0

    def feedback(self, search_id: int, file_id: str, useful: bool) -> None:
        """Store what a person thought of one result; a second opinion replaces the first."""
        self._database.run(SQL.record_feedback, {"search_id": search_id, "file_id": file_id, "useful": useful})

    def opened(self, search_id: int, file_id: str) -> None:
        """Store that a person opened one result; the first time counts."""
        self._database.run(SQL.record_opening, {"search_id": search_id, "file_id": file_id})


class PostgresFeedbackReader(PostgresAdapter):
    """A FeedbackReader over PostgreSQL."""

    def judgements(self) -> list[Judgement]:
        """One judgement per question and indexed file, in the order of the questions: the last opinion, else that the
        file was opened."""
        return self._database.rows(SQL.judgements, make=args_row(Judgement))

    def texts(self) -> Iterator[IndexedText]:
        """All indexed files, one by one, ordered by file id."""
        with self._database.transaction() as connection, connection.cursor("texts") as cursor:
            cursor.itersize = 200
            for row in cursor.execute(SQL.texts):
                yield IndexedText(*row)
