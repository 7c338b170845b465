"""People's judgements of results (tables `search_feedback`, `search_opening`), and the texts of the index."""

from __future__ import annotations

from collections.abc import Iterator

from psycopg.rows import args_row

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import IndexedText, Judgement

SQL = statements(__name__)


class PostgresFeedbackReader:
    """A FeedbackReader over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
