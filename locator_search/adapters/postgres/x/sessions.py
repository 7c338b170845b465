"""Sessions of X search as everybody sees them, their events, and what posts cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.x.rows import (
    QUERY_COLUMNS,
    SESSION_COLUMNS,
    checked_id,
    found_post_of,
    no_such_session,
    query_of,
    session_of,
)
from locator_search.ports.x.sessions import FoundPost, QueryState, Session, SessionRequest
from locator_search.ports.x.work import SessionEvent

EXPIRED = "expires_at < now() AND COALESCE(lease_until, '-infinity') < now()"
POSTS_LOCK = 0x78706F737473
"""Shared by who links posts to sessions, held by who removes posts that no session uses."""


class PostgresSessionStore:
    """A SessionStore over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, request: SessionRequest, keep_hours: int) -> Session:
        """A new session, or the one this owner and message made already."""
        user = """
            INSERT INTO x_search_user (owner) VALUES (%s)
            ON CONFLICT (owner) DO UPDATE SET owner = EXCLUDED.owner RETURNING id
        """
        session = """
            INSERT INTO x_search_session (user_id, message_id, query, model_id, status, language, source, page_size,
                                          budget, expires_at)
            VALUES (%s, %s, %s, %s, 'running', %s, %s, %s, %s, now() + make_interval(hours => %s))
            ON CONFLICT (user_id, message_id) DO UPDATE SET message_id = EXCLUDED.message_id RETURNING id::text
        """
        with self._database.transaction() as connection:
            [[user_id]] = connection.execute(user, [clean(request.owner)]).fetchall()
            values = [
                user_id,
                clean(request.message_id),
                clean(request.question),
                request.model_id,
                request.language,
                request.source,
                request.page_size,
                request.budget_usd,
                keep_hours,
            ]
            [[session_id]] = connection.execute(session, values).fetchall()
        return self.get(session_id, request.owner)

    def get(self, session_id: str, owner: str | None) -> Session:
        """A session of that owner, of anybody for None. Raises AccessDenied, also where there is none."""
        condition = f"session.id = %(id)s AND (%(owner)s::text IS NULL OR person.owner = %(owner)s) AND NOT ({EXPIRED})"
        values = {"id": checked_id(session_id), "owner": None if owner is None else clean(owner)}
        with self._database.connection() as connection:
            found = _sessions(connection, condition, values)
        if not found:
            raise no_such_session()
        return found[0]

    def latest(self, owner: str, limit: int = 20) -> list[Session]:
        """The newest sessions of that owner."""
        condition = "person.owner = %(owner)s ORDER BY session.created_at DESC, session.id LIMIT %(limit)s"
        with self._database.connection() as connection:
            return _sessions(connection, condition, {"owner": clean(owner), "limit": limit})

    def queries(self, session_id: str) -> list[QueryState]:
        """Its queries, by ordinal."""
        query = f"SELECT {QUERY_COLUMNS} FROM x_search_query WHERE session_id = %s ORDER BY ordinal"  # noqa: S608
        with self._database.connection() as connection:
            return [query_of(row) for row in connection.execute(query, [checked_id(session_id)]).fetchall()]

    def posts(self, session_id: str) -> list[FoundPost]:
        """What was found so far, best first; before there are scores, newest first."""
        query = """
            SELECT x_post_id, content, metadata, query_ordinals, embedding_score, rerank_score, final_score, rank,
                   near_copy_of
            FROM x_search_result_message JOIN x_search_result ON x_search_result.id = result_id
            WHERE session_id = %s
            ORDER BY rank NULLS LAST, embedding_score DESC NULLS LAST, metadata ->> 'posted_at' DESC, x_post_id
        """
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [found_post_of(row) for row in cursor.execute(query, [checked_id(session_id)])]

    def forget(self, session_id: str | None, owner: str | None) -> int:
        """Delete one session of that owner, or all, with every post no other session uses; how many went."""
        query = """
            DELETE FROM x_search_session USING x_search_user
            WHERE x_search_user.id = user_id AND (%(owner)s::text IS NULL OR owner = %(owner)s)
              AND (%(id)s::uuid IS NULL OR x_search_session.id = %(id)s)
        """
        values = {
            "id": None if session_id is None else checked_id(session_id),
            "owner": None if owner is None else clean(owner),
        }
        return self._delete(query, values)

    def sweep(self) -> int:
        """Delete what has expired, of everybody; how many sessions went."""
        return self._delete(f"DELETE FROM x_search_session WHERE {EXPIRED}", {})  # noqa: S608 - ours

    def _delete(self, query: str, values: Mapping[str, object]) -> int:
        with self._database.transaction() as connection:
            gone = connection.execute(query, values).rowcount
            if gone:
                _remove_unused_posts(connection)
                forget_answers(connection)
        return gone


def _sessions(connection: Connection, condition: str, values: Mapping[str, object]) -> list[Session]:
    query = f"""
        SELECT {SESSION_COLUMNS}
        FROM x_search_session AS session JOIN x_search_user AS person ON person.id = session.user_id
        WHERE {condition}
    """  # noqa: S608 - both are ours
    with connection.cursor(row_factory=dict_row) as cursor:
        return [session_of(row) for row in cursor.execute(query, values)]


def _remove_unused_posts(connection: Connection) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [POSTS_LOCK])
    connection.execute(
        "DELETE FROM x_search_result WHERE NOT EXISTS"
        " (SELECT FROM x_search_result_message WHERE result_id = x_search_result.id)"
    )


def forget_answers(connection: Connection) -> None:
    """What models wrote from posts, which is remembered beside the sessions so that nobody pays twice after a crash."""
    connection.execute("DELETE FROM model_answer WHERE task = 'x_answer'")


class PostgresSessionEvents:
    """SessionEvents over the table `x_search_event` and LISTEN."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, session_id: str, events: Sequence[SessionEvent]) -> None:
        """Add events, in one transaction, and tell who listens."""
        with self._database.transaction() as connection:
            add_events(connection, checked_id(session_id), events)

    def since(self, session_id: str, sequence: int) -> list[SessionEvent]:
        """Events after one, oldest first."""
        query = """
            SELECT kind, phase, progress / 100.0::float8, post_ids, sequence FROM x_search_event
            WHERE session_id = %s AND sequence > %s ORDER BY sequence
        """
        with self._database.connection() as connection:
            rows = connection.execute(query, [checked_id(session_id), sequence]).fetchall()
        return [SessionEvent(kind, phase, progress, tuple(ids), at) for kind, phase, progress, ids, at in rows]

    def wait(self, session_id: str, seconds: float) -> None:
        """Return when something happened to the session, at the latest after so many seconds.

        What happened just before is not noticed; who needs every event reads `since`.
        """
        with self._database.translated(), self._database.connect() as connection:
            connection.execute("LISTEN x_search")
            for notice in connection.notifies(timeout=seconds):
                if notice.payload == session_id:
                    return


def add_events(connection: psycopg.Connection[object], session_id: UUID, events: Sequence[SessionEvent]) -> None:
    """Insert events over a connection inside a transaction."""
    query = """
        INSERT INTO x_search_event (session_id, kind, phase, progress, post_ids) VALUES (%s, %s, %s, %s, %s)
    """
    with connection.cursor() as cursor:
        cursor.executemany(
            query,
            [(session_id, one.kind, one.phase, round(100 * one.progress), list(one.post_ids)) for one in events],
        )


class PostgresSpendMeter:
    """A SpendMeter over the table `x_purchase`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def this_month(self) -> float:
        """US dollars since the first of this month, UTC, over all sessions."""
        query = """
            SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE day >= date_trunc('month', now() AT TIME ZONE 'UTC')
        """
        with self._database.connection() as connection:
            return round(float(connection.execute(query).fetchall()[0][0]), 6)

    def of_session(self, session_id: str) -> float:
        """US dollars of one session."""
        query = "SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE session_id = %s"
        with self._database.connection() as connection:
            return round(float(connection.execute(query, [checked_id(session_id)]).fetchall()[0][0]), 6)
