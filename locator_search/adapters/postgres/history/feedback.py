"""What people thought of results, and the texts of the index (tables `search_feedback`, `search_opening`)."""

from __future__ import annotations

from collections.abc import Iterator

from locator_search.adapters.postgres.server.database import Database
from locator_search.ports import IndexedText, Judgement

# The last opinion counts; that a file was opened says something only where nobody said more.
JUDGEMENTS = """
WITH judged AS (
    SELECT search_id, file_id, CASE WHEN useful THEN 2 ELSE 0 END AS grade, created_at AS at, 1 AS weight
    FROM search_feedback
    UNION ALL
    SELECT search_id, file_id, 1, opened_at, 0 FROM search_opening
), latest AS (
    SELECT DISTINCT ON (btrim(question), file_id)
           btrim(question) AS question, file_id, grade,
           min(search_id) OVER (PARTITION BY btrim(question)) AS first_asked
    FROM judged JOIN search_log USING (search_id) JOIN drive_file_index USING (file_id)
    ORDER BY btrim(question), file_id, weight DESC, at DESC
)
SELECT question, file_id, grade FROM latest WHERE question <> '' ORDER BY first_asked, file_id
"""

TEXTS = """
SELECT f.file_id, f.file_name, COALESCE(string_agg(c.text, E'\\n' ORDER BY c.ordinal), f.summary)
FROM drive_file_index AS f LEFT JOIN file_chunk AS c USING (file_id)
GROUP BY f.file_id ORDER BY f.file_id
"""


class PostgresFeedbackReader:
    """A FeedbackReader over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def judgements(self) -> list[Judgement]:
        """One per question and indexed file, in the order of the questions: the last opinion, else that it was read."""
        with self._database.connection() as connection:
            return [Judgement(*row) for row in connection.execute(JUDGEMENTS)]

    def texts(self) -> Iterator[IndexedText]:
        """All indexed files, one by one, ordered by file id."""
        with self._database.transaction() as connection, connection.cursor("texts") as cursor:
            cursor.itersize = 200
            for row in cursor.execute(TEXTS):
                yield IndexedText(*row)
