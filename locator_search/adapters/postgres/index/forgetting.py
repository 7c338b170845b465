"""Forgets what is remembered of files that are gone, or may no longer be read: texts, answers and embeddings.

What no file of the index needs any more is marked with the time when that was seen, and deleted days later, unless a
file needs it again by then: a copy of the same content keeps it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from psycopg import sql

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.ports import Forgotten

OTHER_ANSWERS_LAST = timedelta(days=1)
"""Answers to questions of people belong to no file: they go after as many days, one at least, so that what a question
pays it does not pay twice on the same day."""

# Work that is under way has paid for what no row names yet.
UNDER_WAY = "EXISTS (SELECT FROM file_state WHERE state = 'pending' OR done_revision IS DISTINCT FROM revision)"

NEEDED_CONTENTS = """
SELECT content_hash FROM {schema}.file_state
WHERE content_hash IS NOT NULL AND state NOT IN ('no_access', 'out_of_scope')
UNION ALL SELECT content_hash FROM {schema}.contribution_document
"""
NEEDED_ANSWERS = """
SELECT summary_key FROM drive_file_index WHERE summary_key IS NOT NULL
UNION ALL SELECT key FROM model_batch_file
"""
# As `MemoisedEmbedder` and `embed_file` name and put together what is embedded of a file.
NEEDED_EMBEDDINGS = r"""
SELECT encode(sha256(convert_to(E'document\n' || text, 'UTF8')), 'hex') FROM {schema}.file_chunk
UNION ALL
SELECT encode(sha256(convert_to(concat(E'document\n', summary, E'\n', array_to_string(keywords, ' '), E'\n', file_name),
                                'UTF8')), 'hex')
FROM {schema}.drive_file_index
"""

SCHEMAS = "SELECT schemaname FROM pg_catalog.pg_tables WHERE tablename = 'contribution_document' ORDER BY 1"
NEEDED_AGAIN = """
UPDATE {table} SET unused_since = NULL WHERE unused_since IS NOT NULL AND {key} IN (SELECT key FROM needed)
"""
UNUSED = """
UPDATE {table} AS kept SET unused_since = %(now)s
WHERE unused_since IS NULL AND {condition} AND (created_at < %(now)s - interval '1 day' OR NOT {under_way})
  AND NOT EXISTS (SELECT FROM needed WHERE needed.key = kept.{key})
"""
FORGET = "DELETE FROM {table} WHERE unused_since <= %(before)s"
FORGET_ANSWERS_TO_PEOPLE = "DELETE FROM model_answer WHERE task <> 'summarise' AND created_at <= %(before)s"
FORGET_REFUSALS = """
DELETE FROM model_refusal AS kept
WHERE updated_at <= %(before)s AND NOT EXISTS (SELECT FROM needed WHERE needed.key = kept.key)
"""


def forget_unused(database: Database, now: datetime, after: timedelta) -> Forgotten:
    """Delete what has not been needed for that long, and note what is not needed from now on; 0: both at once."""
    values = {"now": now, "before": now - after}
    with database.transaction() as connection:
        schemas = [sql.Identifier(name) for (name,) in connection.execute(SCHEMAS)]
        texts = 0
        for schema in schemas:
            _need(connection, sql.SQL(NEEDED_CONTENTS).format(schema=schema))
            texts += _sweep(connection, sql.SQL("{}.extracted_text").format(schema), "content_hash", values)
        _need(connection, sql.SQL(NEEDED_ANSWERS))
        answers = _sweep(connection, sql.SQL("model_answer"), "key", values, "task = 'summarise'")
        connection.execute(FORGET_REFUSALS, values)
        people = {"before": now - max(after, OTHER_ANSWERS_LAST)}
        answers += connection.execute(FORGET_ANSWERS_TO_PEOPLE, people).rowcount
        _need(connection, *(sql.SQL(NEEDED_EMBEDDINGS).format(schema=schema) for schema in schemas))
        embeddings = _sweep(connection, sql.SQL("text_embedding"), "key", values)
    return Forgotten(texts, answers, embeddings)


def _need(connection: Connection, *queries: sql.Composable) -> None:
    """What is needed from here on, as the table `needed`."""
    connection.execute("DROP TABLE IF EXISTS pg_temp.needed")
    connection.execute("CREATE TEMPORARY TABLE needed (key text) ON COMMIT DROP")
    for query in queries:
        connection.execute(sql.SQL("INSERT INTO needed ") + query)
    connection.execute("CREATE INDEX ON needed (key)")
    connection.execute("ANALYZE needed")


def _sweep(
    connection: Connection, table: sql.Composable, key: str, values: dict[str, datetime], condition: str = "true"
) -> int:
    parts = {
        "table": table,
        "key": sql.Identifier(key),
        "condition": sql.SQL(condition),
        "under_way": sql.SQL(UNDER_WAY),
    }
    connection.execute(sql.SQL(NEEDED_AGAIN).format(**parts))
    connection.execute(sql.SQL(UNUSED).format(**parts), values)
    return connection.execute(sql.SQL(FORGET).format(**parts), values).rowcount
