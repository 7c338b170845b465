"""Questions as people have asked them."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg


def asked_by(url: str, question: str, people: Sequence[str], *file_ids: str, searches: int = 3, days: int = 0) -> None:
    """Each of these people asked it so many days ago, and so many searches led to these files, the best one first."""
    with psycopg.connect(url, autocommit=True) as connection:
        for person in people:
            connection.execute(
                "INSERT INTO own_search (owner, search_id, question, filters, asked_at)"
                " VALUES (%s, %s, %s, '', now() - make_interval(days => %s))",
                (person, question, question, days),
            )
        for _ in range(searches):
            connection.execute(
                "INSERT INTO search_log (question, surface, outcome, message, rounds, file_ids, created_at)"
                " VALUES (%s, 'page', 'found', '', '[]', %s, now() - make_interval(days => %s))",
                (question, list(file_ids), days),
            )
