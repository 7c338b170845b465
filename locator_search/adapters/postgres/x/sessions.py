"""Sessions of X search as everybody sees them, their events, and what posts cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg.rows import args_row, kwargs_row, scalar_row

from locator_search.adapters.postgres.server.database import Connection, PostgresAdapter
from locator_search.adapters.postgres.server.locks import lock_until_commit
from locator_search.adapters.postgres.server.rows import clean, columns_of
from locator_search.adapters.postgres.server.statements import statements
from locator_search.adapters.postgres.x.rows import checked_id, found_post_of, no_such_session, session_of
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.posts import PostSource
from locator_search.ports.x.sessions import QueryState, Session, SessionRequest
from locator_search.ports.x.work import SessionEvent

SQL = statements(__name__)

POSTS_LOCK = 0x78706F737473
"""Shared by who links posts to sessions, held by who removes posts that no session uses."""


class PostgresSessionStore(PostgresAdapter):
    """A SessionStore over PostgreSQL."""

    def create(self, request: SessionRequest, keep_hours: int) -> Session:
        """A new session, or the one this owner and message made already."""
        values = columns_of(request) | {"keep_hours": keep_hours}
        with self._database.transaction() as connection:
            [[user_id]] = connection.execute(SQL.put_owner, values).fetchall()
            [[session_id]] = connection.execute(SQL.create, values | {"user_id": user_id}).fetchall()
        return self.get(session_id, request.owner)

    def get(self, session_id: str, owner: str | None) -> Session:
        """A session of that owner, of anybody for None. Raises AccessDenied, also where there is none."""
        session = self._database.row(SQL.get, _of(session_id, owner), kwargs_row(session_of))
        if session is None:
            raise no_such_session()
        return session

    def latest(self, owner: str, limit: int = 20) -> list[Session]:
        """The newest sessions of that owner."""
        return self._database.rows(SQL.latest, {"owner": clean(owner), "limit": limit}, kwargs_row(session_of))

    def abandoned(self, source: PostSource) -> list[tuple[str, int]]:
        """Ids and progress in percent of the sessions whose worker died, oldest first."""
        return self._database.rows(SQL.abandoned, {"source": source})

    def queries(self, session_id: str) -> list[QueryState]:
        """Its queries, by ordinal."""
        return self._database.rows(SQL.queries, {"session": checked_id(session_id)}, args_row(QueryState))

    def posts(self, session_id: str) -> list[FoundPost]:
        """The posts found so far, best first; before there are scores, newest first."""
        return self._database.rows(SQL.posts, {"session": checked_id(session_id)}, kwargs_row(found_post_of))

    def forget(self, session_id: str | None, owner: str | None) -> int:
        """Delete one session of that owner, or all, with every post no other session uses; how many went."""
        return self._delete(SQL.forget, _of(session_id, owner))

    def sweep(self) -> int:
        """Delete what has expired, of everybody; how many sessions went."""
        return self._delete(SQL.sweep, {})

    def _delete(self, statement: str, values: Mapping[str, object]) -> int:
        with self._database.transaction() as connection:
            gone = connection.execute(statement, values).rowcount
            if gone:
                lock_until_commit(connection, POSTS_LOCK)
                connection.execute(SQL.remove_unused_posts)
                forget_answers(connection)
        return gone


def forget_answers(connection: Connection) -> None:
    """Forget what models wrote from posts, within the transaction that removes some."""
    connection.execute(SQL.forget_answers)


class PostgresSessionEvents(PostgresAdapter):
    """SessionEvents over the table `x_search_event` and LISTEN."""

    def append(self, session_id: str, events: Sequence[SessionEvent]) -> None:
        """Add events, in one transaction, and tell who listens."""
        with self._database.transaction() as connection:
            add_events(connection, checked_id(session_id), events)

    def since(self, session_id: str, sequence: int) -> list[SessionEvent]:
        """Events after one, oldest first."""
        rows = self._database.rows(SQL.events_since, {"session": checked_id(session_id), "sequence": sequence})
        return [SessionEvent(kind, phase, progress, tuple(ids), at) for kind, phase, progress, ids, at in rows]

    def wait(self, session_id: str, seconds: float) -> None:
        """Return when something happened to the session, at the latest after so many seconds.

        What happened just before is not noticed; who needs every event reads `since`.
        """
        with self._database.translated(), self._database.connect() as connection:
            connection.execute(SQL.listen)
            for notice in connection.notifies(timeout=seconds):
                if notice.payload == session_id:
                    return


def add_events(connection: Connection, session_id: UUID, events: Sequence[SessionEvent]) -> None:
    """Insert events over a connection inside a transaction."""
    rows = [
        {
            "session": session_id,
            "kind": event.kind,
            "phase": event.phase,
            "progress": round(100 * event.progress),
            "posts": list(event.post_ids),
        }
        for event in events
    ]
    with connection.cursor() as cursor:
        cursor.executemany(SQL.add_event, rows)


class PostgresSpendMeter(PostgresAdapter):
    """A SpendMeter over the table `x_purchase`."""

    def this_month(self) -> float:
        """US dollars since the first of this month, UTC, over all sessions."""
        return round(self._database.row(SQL.spent_this_month, {}, scalar_row) or 0.0, 6)

    def of_session(self, session_id: str) -> float:
        """US dollars of one session."""
        return round(
            self._database.row(SQL.spent_on_session, {"session": checked_id(session_id)}, scalar_row) or 0.0, 6
        )


def _of(session_id: str | None, owner: str | None) -> dict[str, object]:
    return {
        "session": None if session_id is None else checked_id(session_id),
        "owner": None if owner is None else clean(owner),
    }
