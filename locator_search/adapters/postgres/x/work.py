"""The writes of one worker on one session.

Each is a transaction that begins by renewing the worker's lease, so a worker that was thought dead and taken over from
writes nothing more.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from psycopg.rows import scalar_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.adapters.postgres.x.pages import buy, commit_page, reserve
from locator_search.adapters.postgres.x.rows import answer_json, checked_id
from locator_search.adapters.postgres.x.sessions import add_events
from locator_search.core.errors import DimensionMismatch, LeaseLost
from locator_search.ports.x.found_posts import PostScore
from locator_search.ports.x.posts import PostPage, PostPrices
from locator_search.ports.x.sessions import AnswerSentence, Phase, QueryStatus
from locator_search.ports.x.work import LEASE_SECONDS, EventKind, SessionEvent

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)

DIMENSIONS = 1536
STATUS_EVENTS: dict[str, EventKind] = {"paused": "paused", "running": "resumed", "failed": "failed"}


class PostgresSessionWork:
    """SessionWork over PostgreSQL, by one worker with a name of its own."""

    def __init__(self, database: Database, session_id: str) -> None:
        self._database = database
        self._id = checked_id(session_id)
        self._lease = {"session": self._id, "worker": secrets.token_hex(8), "seconds": LEASE_SECONDS}

    # The lease

    def claim(self) -> bool:
        """Take the session, unless a living worker has it or it is done or gone."""
        return self._database.run(SQL.claim, self._lease) > 0

    def renew(self) -> None:
        """Hold it for LEASE_SECONDS more."""
        with self._holding():
            pass

    def release(self) -> None:
        """Let others take it. Never fails for having lost it."""
        self._database.run(SQL.release, self._lease)

    @contextmanager
    def _holding(self) -> Iterator[Connection]:
        """A transaction of a worker that has the session. Raises LeaseLost."""
        with self._database.transaction() as connection:
            if not connection.execute(SQL.renew, self._lease).rowcount:
                raise LeaseLost("Another worker has taken this session over, or it was deleted.")
            yield connection

    def _write(self, statement: str, **values: object) -> None:
        with self._holding() as connection:
            connection.execute(statement, {"session": self._id, **values})

    # Where it is

    def enter(self, phase: Phase, progress: float) -> None:
        """A phase begins; phase and progress never go back."""
        values = {"session": self._id, "phase": phase, "percent": _percent(progress)}
        with self._holding() as connection:
            if connection.execute(SQL.enter, values).rowcount:
                add_events(connection, self._id, [SessionEvent("phase", phase, progress)])

    def advance(self, progress: float, phase: Phase, seconds: float, model_cost_usd: float = 0.0) -> None:
        """Progress, seconds worked in the phase since the last report, and what models cost since."""
        self._write(
            SQL.advance, percent=_percent(progress), phase=phase, seconds=max(0.0, seconds), cost=model_cost_usd
        )

    def warn(self, warning: str) -> None:
        """Something a person should know; said once."""
        self._write(SQL.warn, warning=clean(warning))

    def pause(self, reason: str, seconds: float | None = None) -> None:
        """X asked us to wait so long, or the person stopped it."""
        self._set_status("paused", reason, seconds)

    def resume(self) -> None:
        """Resume the session after a pause."""
        self._set_status("running", "", None)

    def fail(self, reason: str) -> None:
        """End the session without a result; its posts stay, and it can be resumed."""
        self._set_status("failed", reason, None)

    def _set_status(self, status: str, reason: str, seconds: float | None) -> None:
        values = {"session": self._id, "status": status, "reason": clean(reason), "seconds": seconds}
        with self._holding() as connection:
            rows = connection.execute(SQL.set_status, values).fetchall()
            add_events(connection, self._id, [SessionEvent(STATUS_EVENTS[status], phase, at) for phase, at in rows])

    def finish(self, answer: Sequence[AnswerSentence]) -> None:
        """End the session with its answer."""
        with self._holding() as connection:
            connection.execute(SQL.finish, {"session": self._id, "answer": Jsonb(answer_json(answer))})
            add_events(connection, self._id, [SessionEvent("done", "saving", 1.0)])

    # Queries and pages

    def save_queries(self, texts: Sequence[str]) -> None:
        """The queries of the session; those it has already stay."""
        self._write(SQL.save_queries, texts=[clean(text) for text in texts])

    def reserve(self, usd: float, monthly_cap: float) -> bool:
        """Set money aside for one page; False when a budget does not allow it, pages under way elsewhere counted."""
        with self._holding() as connection:
            return reserve(connection, self._id, usd, monthly_cap)

    def commit_page(self, ordinal: int, number: int, page: PostPage, prices: PostPrices, progress: float) -> None:
        """Posts, links, cursor, purchases, progress of one page, in one transaction; a second time changes nothing."""
        with self._holding() as connection:
            commit_page(connection, self._id, ordinal, number, page, prices, _percent(progress))

    def bill(self, post_ids: Sequence[str], prices: PostPrices) -> None:
        """Enter the purchase of posts that came in a page nobody can read."""
        with self._holding() as connection:
            buy(connection, self._id, "post", sorted(post_ids), prices.post)

    def end_query(self, ordinal: int, status: QueryStatus, reason: str) -> None:
        """No more pages are asked for."""
        self._write(SQL.end_query, ordinal=ordinal, status=status, reason=clean(reason))

    def restart_query(self, ordinal: int) -> None:
        """Begin with its first page again; its cursor was refused."""
        self._write(SQL.restart_query, ordinal=ordinal)

    # Scores

    def without_embedding(self, model: str, limit: int) -> dict[str, str]:
        """Texts by post id that this model has not embedded yet."""
        return dict(self._database.rows(SQL.without_embedding, {"session": self._id, "model": model, "limit": limit}))

    def count_without_embedding(self, model: str) -> int:
        """How many of its posts this model has not embedded yet."""
        values = {"session": self._id, "model": model}
        return self._database.row(SQL.count_without_embedding, values, scalar_row) or 0

    def save_embeddings(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Embeddings by post id. Raises DimensionMismatch."""
        wrong = {len(vector) for vector in embeddings.values()} - {DIMENSIONS}
        if wrong:
            raise DimensionMismatch(
                f"{model} makes embeddings of {wrong.pop()} dimensions; posts are kept with {DIMENSIONS}.",
                hint="Choose an embedding model with 1536 dimensions (OPENAI_EMBEDDING_MODEL).",
            )
        rows = [{"post": one, "embedding": embeddings[one], "model": model} for one in sorted(embeddings)]
        with self._holding() as connection, connection.cursor() as cursor:
            cursor.executemany(SQL.save_embedding, rows)

    def cosines(self, embedding: Vector) -> dict[str, float]:
        """The cosine of every post of the session with an embedding."""
        return dict(self._database.rows(SQL.cosines, {"session": self._id, "embedding": embedding}))

    def save_ranking(self, scores: Mapping[str, float], near_copies: Mapping[str, str]) -> None:
        """Embedding scores by post id, and under which post others are folded."""
        copies = [near_copies.get(one) for one in scores]
        self._write(SQL.save_ranking, posts=list(scores), scores=list(scores.values()), copies=copies)

    def save_reranking(self, reranker: str, scores: Mapping[str, float], warning: str = "") -> None:
        """Rerank scores by post id, all by one reranker; none, and a warning, where it failed."""
        values = {
            "session": self._id,
            "reranker": clean(reranker),
            "warning": clean(warning),
            "posts": list(scores),
            "scores": list(scores.values()),
        }
        with self._holding() as connection:
            connection.execute(SQL.set_reranker, values)
            if warning:
                connection.execute(SQL.warn, values)
            connection.execute(SQL.save_reranking, values)

    def save_scores(self, scores: Sequence[PostScore]) -> None:
        """Final scores and ranks."""
        self._write(
            SQL.save_scores,
            posts=[one.post_id for one in scores],
            scores=[one.final_score for one in scores],
            ranks=[one.rank for one in scores],
        )


def _percent(progress: float) -> int:
    """Rounded down: nothing is said to be done that is not."""
    return int(100 * progress + 1e-9)
