"""Files that hold a word of the question in another spelling only, for searches with a folding rule switched off."""

from __future__ import annotations

from locator_search.adapters.postgres.search.planner_settings import by_index
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean
from locator_search.model import RetrievalQuery
from locator_search.text.variants.spellings import spellings_to_keep

# A text with the word in any spelling holds one of its terms, so few texts are read.
SPELLED_OTHERWISE = """
SELECT file_id FROM (
    SELECT c.file_id, c.text AS written FROM file_chunk AS c WHERE c.terms && %(terms)s::text[]
    UNION ALL
    SELECT f.file_id, concat_ws(' ', f.file_name, f.folder_path, array_to_string(f.keywords, ' '))
    FROM drive_file_index AS f WHERE f.name_terms && %(terms)s::text[]
) AS held
GROUP BY file_id HAVING bool_or(written ~* %(in_any_form)s) AND NOT bool_or(written ~* %(as_written)s)
"""


def files_spelled_otherwise(connection: Connection, query: RetrievalQuery) -> list[str]:
    """Their ids; none while every folding rule is on, which costs nothing."""
    found: set[str] = set()
    for spelling in spellings_to_keep(clean(" ".join((query.query, *query.keywords))), query.matching.off):
        values = {
            "terms": list(spelling.terms),
            "in_any_form": spelling.in_any_form,
            "as_written": spelling.as_written,
        }
        with by_index(connection):
            found.update(row[0] for row in connection.execute(SPELLED_OTHERWISE, values, prepare=False).fetchall())
    return sorted(found)
