"""Forgets what is remembered of files that are gone, or may no longer be read: texts, answers and embeddings.

What no file of the index needs any more is marked with the time when that was seen, and deleted days later, unless a
file needs it again by then: a copy of the same content keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from locator_search.adapters.postgres.server.database import Connection, Database, enter_schema
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import Forgotten

SQL = statements(__name__)

OTHER_ANSWERS_LAST = timedelta(days=1)
"""Answers to questions of people belong to no file: they go after as many days, one at least, so that what a question
pays it does not pay twice on the same day."""


def forget_unused(database: Database, now: datetime, after: timedelta) -> Forgotten:
    """Delete what has not been needed for that long, and note what is not needed from now on; 0: both at once."""
    with database.transaction() as connection:
        [[under_way]] = connection.execute(SQL.under_way).fetchall()
        schemas = [schema for (schema,) in connection.execute(SQL.schemas)]
        values = {
            "now": now,
            "before": now - after,
            "before_for_people": now - max(after, OTHER_ANSWERS_LAST),
            "under_way": under_way,
        }

        def rows_of(*statements: str) -> int:
            return [connection.execute(statement, values).rowcount for statement in statements][-1]

        texts = 0
        for schema in schemas:
            _need(connection, SQL.need_contents, [schema])
            texts += rows_of(SQL.keep_texts, SQL.mark_texts, SQL.forget_texts)
        _need(connection, SQL.need_answers, [database.schema])
        answers = rows_of(SQL.keep_answers, SQL.mark_answers, SQL.forget_answers)
        answers += rows_of(SQL.forget_refusals, SQL.forget_answers_to_people)
        _need(connection, SQL.need_embeddings, schemas)
        enter_schema(connection, database.schema)
        embeddings = rows_of(SQL.keep_embeddings, SQL.mark_embeddings, SQL.forget_embeddings)
    return Forgotten(texts, answers, embeddings)


def _need(connection: Connection, statement: str, schemas: Iterable[str]) -> None:
    """Fill the table `needed` from the tables of some schemas; the last of them is the current one afterwards."""
    connection.execute(SQL.begin_needed)
    for schema in schemas:
        enter_schema(connection, schema)
        connection.execute(statement)
    connection.execute(SQL.end_needed)
