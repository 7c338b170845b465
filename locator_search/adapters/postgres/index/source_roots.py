"""Source roots (table `source_root`): how the last listing of each went, and how many files belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from psycopg.rows import dict_row

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean
from locator_search.model import RootState, SourceRoot
from locator_search.ports import ListedRoot

ROOTS = """
WITH counted AS (
    SELECT root_id, min(source) AS source, count(*) AS files, count(missing_since) AS missing
    FROM file_state WHERE root_id <> '' GROUP BY root_id
)
SELECT root_id, COALESCE(source_root.name, '') AS name, COALESCE(source_root.source, counted.source) AS source,
       COALESCE(files, 0) AS files, COALESCE(missing, 0) AS missing, COALESCE(listed, 0) AS listed, listed_at,
       COALESCE(listed_by, '') AS listed_by, COALESCE(problem, '') AS problem, COALESCE(unlisted, '{}') AS unlisted
FROM source_root FULL JOIN counted USING (root_id) ORDER BY root_id
"""

# What a failed attempt does not tell (files, folders, when) stays as the last listing told it.
RECORD = """
INSERT INTO source_root (root_id, source, name, listed_at, listed, listed_by, problem, unlisted)
VALUES (%(root_id)s, %(source)s, %(name)s, %(listed_at)s, %(listed)s, %(listed_by)s, %(problem)s, %(unlisted)s)
ON CONFLICT (root_id) DO UPDATE SET
    source = EXCLUDED.source,
    name = CASE WHEN EXCLUDED.problem = '' THEN EXCLUDED.name ELSE source_root.name END,
    listed_at = COALESCE(EXCLUDED.listed_at, source_root.listed_at),
    listed = CASE WHEN EXCLUDED.problem = '' THEN EXCLUDED.listed ELSE source_root.listed END,
    listed_by = EXCLUDED.listed_by,
    problem = EXCLUDED.problem,
    unlisted = CASE WHEN EXCLUDED.problem = '' THEN EXCLUDED.unlisted ELSE source_root.unlisted END
"""

ADOPT = """
UPDATE file_state SET root_id = %(root_id)s
WHERE root_id = '' AND source = %(source)s AND (%(place)s = '' OR starts_with(location, %(place)s))
"""


def root_states(connection: Connection) -> list[RootState]:
    """Every root that has been listed, or that files belong to, by id."""
    return [
        RootState(
            SourceRoot(row["root_id"], row["name"] or row["root_id"].partition(":")[2], row["source"]),
            files=row["files"],
            missing=row["missing"],
            listed=row["listed"],
            listed_at=row["listed_at"],
            listed_by=row["listed_by"],
            problem=row["problem"],
            unlisted=tuple(row["unlisted"]),
        )
        for row in connection.cursor(row_factory=dict_row).execute(ROOTS)
    ]


def write_roots(connection: Connection, listed: Sequence[ListedRoot], now: datetime, listed_by: str) -> None:
    """Keep how a listing of some roots went, and who made it."""
    rows = [
        {
            "root_id": clean(one.root.root_id),
            "source": one.root.source,
            "name": clean(one.root.name),
            "listed_at": None if one.problem else now,
            "listed": one.files,
            "listed_by": clean(listed_by),
            "problem": clean(one.problem),
            "unlisted": [clean(name) for name in one.unlisted],
        }
        for one in sorted(listed, key=lambda one: one.root.root_id)  # two writers lock the rows in the same order
    ]
    with connection.cursor() as cursor:
        cursor.executemany(RECORD, rows)


def adopt_files(connection: Connection, root: SourceRoot, place: str) -> None:
    """Files below a path (all of their source, where it is empty) that have no root belong to this one."""
    connection.execute(ADOPT, {"root_id": root.root_id, "source": root.source, "place": clean(place)})


def remove_root(connection: Connection, root_id: str) -> None:
    """Forget a root that no file belongs to, its folders too."""
    connection.execute("DELETE FROM folder_tree WHERE root_id = %s", [root_id])
    connection.execute(
        "DELETE FROM source_root WHERE root_id = %s AND NOT EXISTS (SELECT FROM file_state WHERE root_id = %s)",
        [root_id, root_id],
    )
