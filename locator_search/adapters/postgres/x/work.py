"""The writes of one worker on one session.

Each is a transaction that begins by renewing the worker's lease, so a worker that was thought dead and taken over from
writes nothing more.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.x.pages import commit_page, reserve
from locator_search.adapters.postgres.x.rows import answer_json, checked_id
from locator_search.adapters.postgres.x.sessions import add_events
from locator_search.core.errors import DimensionMismatch, LeaseLost
from locator_search.ports.x.posts import PostPage, PostPrices
from locator_search.ports.x.sessions import AnswerSentence, Phase, PostScore, QueryStatus
from locator_search.ports.x.work import LEASE_SECONDS, EventKind, SessionEvent

if TYPE_CHECKING:
    from locator_search.model import Vector

DIMENSIONS = 1536
PHASES = "ARRAY['query_generation', 'searching', 'embedding', 'ranking', 'reranking', 'saving']"


class PostgresSessionWork:
    """SessionWork over PostgreSQL, by one worker with a name of its own."""

    def __init__(self, database: Database, session_id: str) -> None:
        self._database = database
        self._id = checked_id(session_id)
        self._worker = secrets.token_hex(8)

    # The lease

    def claim(self) -> bool:
        """Take the session, unless a living worker has it or it is done or gone."""
        query = """
            UPDATE x_search_session SET lease_owner = %s, lease_until = now() + make_interval(secs => %s)
            WHERE id = %s AND status <> 'done' AND COALESCE(lease_until, '-infinity') < now() RETURNING id
        """
        with self._database.connection() as connection:
            return connection.execute(query, [self._worker, LEASE_SECONDS, self._id]).fetchone() is not None

    def renew(self) -> None:
        """Hold it for LEASE_SECONDS more."""
        with self._holding():
            pass

    def release(self) -> None:
        """Let others take it. Never fails for having lost it."""
        query = """
            UPDATE x_search_session SET lease_owner = NULL, lease_until = NULL, reserved = 0
            WHERE id = %s AND lease_owner = %s
        """
        with self._database.connection() as connection:
            connection.execute(query, [self._id, self._worker])

    @contextmanager
    def _holding(self) -> Iterator[Connection]:
        query = """
            UPDATE x_search_session SET lease_until = now() + make_interval(secs => %s)
            WHERE id = %s AND lease_owner = %s RETURNING id
        """
        with self._database.transaction() as connection:
            if connection.execute(query, [LEASE_SECONDS, self._id, self._worker]).fetchone() is None:
                raise LeaseLost("Another worker has taken this session over, or it was deleted.")
            yield connection

    # Where it is

    def enter(self, phase: Phase, progress: float) -> None:
        """A phase begins; phase and progress never go back."""
        query = f"""
            UPDATE x_search_session SET phase = %(phase)s, progress = greatest(progress, %(progress)s)
            WHERE id = %(id)s AND array_position({PHASES}, %(phase)s) > array_position({PHASES}, phase) RETURNING id
        """  # noqa: S608 - ours
        with self._holding() as connection:
            values = {"phase": phase, "progress": _percent(progress), "id": self._id}
            if connection.execute(query, values).fetchone() is not None:
                add_events(connection, self._id, [SessionEvent("phase", phase, progress)])

    def advance(self, progress: float, phase: Phase, seconds: float, model_cost_usd: float = 0.0) -> None:
        """Progress, seconds worked in the phase since the last report, and what models cost since."""
        query = """
            UPDATE x_search_session SET
                progress = greatest(progress, %(progress)s),
                model_cost = model_cost + %(cost)s,
                phase_seconds = phase_seconds || jsonb_build_object(%(phase)s::text,
                    COALESCE((phase_seconds ->> %(phase)s)::float8, 0) + %(seconds)s)
            WHERE id = %(id)s
        """
        values = {
            "progress": _percent(progress),
            "cost": model_cost_usd,
            "phase": phase,
            "seconds": max(0.0, seconds),
            "id": self._id,
        }
        with self._holding() as connection:
            connection.execute(query, values)

    def warn(self, warning: str) -> None:
        """Something a person should know; said once."""
        with self._holding() as connection:
            self._warn(connection, warning)

    def _warn(self, connection: Connection, warning: str) -> None:
        query = """
            UPDATE x_search_session SET warnings = warnings || %(new)s::text
            WHERE id = %(id)s AND NOT %(new)s = ANY(warnings)
        """
        connection.execute(query, {"new": clean(warning), "id": self._id})

    def pause(self, reason: str, seconds: float | None = None) -> None:
        """X asked us to wait so long, or the person stopped it."""
        self._set_status("paused", reason, seconds)

    def resume(self) -> None:
        """It goes on."""
        self._set_status("running", "", None)

    def fail(self, reason: str) -> None:
        """It ends without a result; what was found stays and it can be resumed."""
        self._set_status("failed", reason, None)

    def _set_status(self, status: str, reason: str, seconds: float | None) -> None:
        query = """
            UPDATE x_search_session SET status = %s, reason = %s, reserved = 0,
                resume_after = now() + make_interval(secs => %s)
            WHERE id = %s RETURNING phase, progress / 100.0::float8
        """
        kinds: dict[str, EventKind] = {"paused": "paused", "running": "resumed", "failed": "failed"}
        with self._holding() as connection:
            rows = connection.execute(query, [status, clean(reason), seconds, self._id]).fetchall()
            add_events(connection, self._id, [SessionEvent(kinds[status], phase, at) for phase, at in rows])

    def finish(self, answer: Sequence[AnswerSentence]) -> None:
        """It is done."""
        query = """
            UPDATE x_search_session SET status = 'done', progress = 100, reason = '', resume_after = NULL, answer = %s
            WHERE id = %s
        """
        with self._holding() as connection:
            connection.execute(query, [Jsonb(answer_json(answer)), self._id])
            add_events(connection, self._id, [SessionEvent("done", "saving", 1.0)])

    # Queries and pages

    def save_queries(self, texts: Sequence[str]) -> None:
        """The queries of the session; those it has already stay."""
        query = """
            INSERT INTO x_search_query (session_id, ordinal, text) SELECT %s, ordinality, text
            FROM unnest(%s::text[]) WITH ORDINALITY AS given (text, ordinality) ON CONFLICT DO NOTHING
        """
        with self._holding() as connection:
            connection.execute(query, [self._id, [clean(text) for text in texts]])

    def reserve(self, usd: float, monthly_cap: float) -> bool:
        """Set money aside for one page; False when a budget does not allow it, pages under way elsewhere counted."""
        with self._holding() as connection:
            return reserve(connection, self._id, usd, monthly_cap)

    def commit_page(self, ordinal: int, number: int, page: PostPage, prices: PostPrices, progress: float) -> None:
        """Posts, links, cursor, purchases, progress of one page, in one transaction; a second time changes nothing."""
        with self._holding() as connection:
            commit_page(connection, self._id, ordinal, number, page, prices, _percent(progress))

    def end_query(self, ordinal: int, status: QueryStatus, reason: str) -> None:
        """No more pages are asked for."""
        query = "UPDATE x_search_query SET status = %s, reason = %s WHERE session_id = %s AND ordinal = %s"
        with self._holding() as connection:
            connection.execute(query, [status, clean(reason), self._id, ordinal])

    def restart_query(self, ordinal: int) -> None:
        """Begin with its first page again; its cursor was refused."""
        query = "UPDATE x_search_query SET next_token = NULL, restarted = true WHERE session_id = %s AND ordinal = %s"
        with self._holding() as connection:
            connection.execute(query, [self._id, ordinal])

    # Scores

    def without_embedding(self, model: str, limit: int) -> dict[str, str]:
        """Texts by post id that this model has not embedded yet."""
        query = """
            SELECT x_post_id, content
            FROM x_search_result JOIN x_search_result_message ON result_id = x_search_result.id
            WHERE session_id = %s AND embedding_model IS DISTINCT FROM %s ORDER BY x_post_id LIMIT %s
        """
        with self._database.connection() as connection:
            return dict(connection.execute(query, [self._id, model, limit]).fetchall())

    def count_without_embedding(self, model: str) -> int:
        """How many of its posts this model has not embedded yet."""
        query = """
            SELECT count(*) FROM x_search_result JOIN x_search_result_message ON result_id = x_search_result.id
            WHERE session_id = %s AND embedding_model IS DISTINCT FROM %s
        """
        with self._database.connection() as connection:
            return int(connection.execute(query, [self._id, model]).fetchall()[0][0])

    def save_embeddings(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Embeddings by post id. Raises DimensionMismatch."""
        wrong = {len(vector) for vector in embeddings.values()} - {DIMENSIONS}
        if wrong:
            raise DimensionMismatch(
                f"{model} makes embeddings of {wrong.pop()} dimensions; posts are kept with {DIMENSIONS}.",
                hint="Choose an embedding model with 1536 dimensions (OPENAI_EMBEDDING_MODEL).",
            )
        query = "UPDATE x_search_result SET embedding = %b, embedding_model = %s WHERE x_post_id = %s"
        rows = [(embeddings[post_id], model, post_id) for post_id in sorted(embeddings)]
        with self._holding() as connection, connection.cursor() as cursor:
            cursor.executemany(query, rows)

    def cosines(self, embedding: Vector) -> dict[str, float]:
        """The cosine of every post of the session with an embedding."""
        query = """
            SELECT x_post_id, 1 - (embedding <=> %b)
            FROM x_search_result JOIN x_search_result_message ON result_id = x_search_result.id
            WHERE session_id = %s AND embedding IS NOT NULL
        """
        with self._database.connection() as connection:
            return dict(connection.execute(query, [embedding, self._id]).fetchall())

    def save_ranking(self, scores: Mapping[str, float], near_copies: Mapping[str, str]) -> None:
        """Embedding scores by post id, and under which post others are folded."""
        post_ids = sorted(scores)
        values = [post_ids, [scores[one] for one in post_ids], [near_copies.get(one) for one in post_ids]]
        self._update_links(
            "embedding_score = given.score, near_copy_of = given.copy",
            "unnest(%s::text[], %s::float8[], %s::text[]) AS given (post_id, score, copy)",
            values,
        )

    def save_reranking(self, reranker: str, scores: Mapping[str, float], warning: str = "") -> None:
        """Rerank scores by post id, all by one reranker; none, and a warning, where it failed."""
        post_ids = sorted(scores)
        with self._holding() as connection:
            connection.execute("UPDATE x_search_session SET reranker = %s WHERE id = %s", [clean(reranker), self._id])
            if warning:
                self._warn(connection, warning)
            self._update_links_over(
                connection,
                "rerank_score = given.score",
                "unnest(%s::text[], %s::float8[]) AS given (post_id, score)",
                [post_ids, [scores[one] for one in post_ids]],
            )

    def save_scores(self, scores: Sequence[PostScore]) -> None:
        """Final scores and ranks."""
        values = [[one.post_id for one in scores], [one.final_score for one in scores], [one.rank for one in scores]]
        self._update_links(
            "final_score = given.score, rank = given.rank",
            "unnest(%s::text[], %s::float8[], %s::integer[]) AS given (post_id, score, rank)",
            values,
        )

    def _update_links(self, assignments: str, given: str, values: Sequence[object]) -> None:
        with self._holding() as connection:
            self._update_links_over(connection, assignments, given, values)

    def _update_links_over(
        self, connection: Connection, assignments: str, given: str, values: Sequence[object]
    ) -> None:
        query = f"""
            UPDATE x_search_result_message AS link SET {assignments}
            FROM x_search_result AS post, {given}
            WHERE post.x_post_id = given.post_id AND link.result_id = post.id AND link.session_id = %s
        """  # noqa: S608 - ours
        connection.execute(query, [*values, self._id])


def _percent(progress: float) -> int:
    """Rounded down: nothing is said to be done that is not."""
    return int(100 * progress + 1e-9)
