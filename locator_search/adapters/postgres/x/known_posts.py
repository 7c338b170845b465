"""Posts that are kept, held against what X still has: asked for again at a price, and taken out where they are gone."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.x.pages import buy, keep_posts, may_spend
from locator_search.adapters.postgres.x.rows import answer_json, answer_of, checked_id, distinct
from locator_search.adapters.postgres.x.sessions import forget_answers
from locator_search.ports.x.posts import PostPrices, PostsLookedUp, PostSource

REMOVAL_LOCK = 0x78676F6E65
TODAY = "(now() AT TIME ZONE 'UTC')::date"


class PostgresKnownPosts:
    """KnownPosts over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, source: PostSource, session_id: str | None, owner: str | None) -> list[str]:
        """Posts X returned last before today, of a session or of all; of anybody for None; the best first."""
        query = """
            SELECT x_post_id FROM x_search_result AS post
            JOIN x_search_result_message AS link ON link.result_id = post.id
            JOIN x_search_session AS session ON session.id = link.session_id
            JOIN x_search_user AS person ON person.id = session.user_id
            WHERE session.source = %(source)s AND session.expires_at > now()
              AND (%(id)s::uuid IS NULL OR session.id = %(id)s)
              AND (%(owner)s::text IS NULL OR person.owner = %(owner)s)
              AND seen_at < date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
            GROUP BY x_post_id ORDER BY min(rank) NULLS LAST, x_post_id
        """
        values = {"source": source, "id": None if session_id is None else checked_id(session_id), "owner": owner}
        with self._database.connection() as connection:
            return [post_id for (post_id,) in connection.execute(query, values).fetchall()]

    def unpaid(self, post_ids: Sequence[str]) -> int:
        """How many of them were not bought today."""
        with self._database.connection() as connection:
            return len(post_ids) - len(_paid(connection, post_ids))

    def pay(self, post_ids: Sequence[str], prices: PostPrices, monthly_cap: float) -> list[str] | None:
        """Enter the purchase of those not bought today; None where that could go beyond the cap."""
        with self._database.transaction() as connection:
            paid = _paid(connection, post_ids)
            new = [post_id for post_id in post_ids if post_id not in paid]
            if not may_spend(connection, prices.of(len(new)), monthly_cap):
                return None
            buy(connection, None, "post", new, prices.post)
        return new

    def refund(self, post_ids: Sequence[str]) -> None:
        """Take back what was entered today for posts that X did not return."""
        query = f"DELETE FROM x_purchase WHERE day = {TODAY} AND kind = 'post' AND bought_id = ANY(%s)"  # noqa: S608
        with self._database.connection() as connection:
            connection.execute(query, [list(post_ids)])

    def keep(self, found: PostsLookedUp, prices: PostPrices) -> float:
        """The posts as they are now, in one transaction; what is gone goes from every session. The price of authors."""
        with self._database.transaction() as connection:
            if found.gone:
                _remove(connection, found.gone)
            keep_posts(connection, distinct(found.posts))
            return buy(connection, None, "user", sorted(set(found.user_ids)), prices.user)


def _paid(connection: Connection, post_ids: Sequence[str]) -> set[str]:
    query = f"SELECT bought_id FROM x_purchase WHERE day = {TODAY} AND kind = 'post' AND bought_id = ANY(%s)"  # noqa: S608
    return {post_id for (post_id,) in connection.execute(query, [list(post_ids)]).fetchall()}


def _remove(connection: Connection, gone: Sequence[str]) -> None:
    """Of every session: the posts, what rests on them alone in its answer, and their places in the order."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [REMOVAL_LOCK])
    counted = """
        UPDATE x_search_session AS session SET removed = removed + lost.posts
        FROM (SELECT session_id, count(*) AS posts
              FROM x_search_result_message JOIN x_search_result ON x_search_result.id = result_id
              WHERE x_post_id = ANY(%s) GROUP BY session_id) AS lost
        WHERE session.id = lost.session_id RETURNING session.id, session.answer
    """
    sessions = connection.execute(counted, [list(gone)]).fetchall()
    for session_id, kept in sessions:
        answer = answer_of(kept)
        if answer is not None:
            left = [one for sentence in answer if (one := sentence.without(gone))]
            connection.execute(
                "UPDATE x_search_session SET answer = %s WHERE id = %s", [Jsonb(answer_json(left)), session_id]
            )
    connection.execute("DELETE FROM x_search_result WHERE x_post_id = ANY(%s)", [list(gone)])
    _put_in_order([session_id for session_id, _ in sessions], gone, connection)
    forget_answers(connection)


def _put_in_order(session_ids: Sequence[object], gone: Sequence[str], connection: Connection) -> None:
    """Near-copies of a post that is gone are folded under the best of them, and ranks are without gaps again."""
    folded = """
        UPDATE x_search_result_message AS link SET near_copy_of = NULLIF(best.x_post_id, post.x_post_id)
        FROM x_search_result AS post, (
            SELECT DISTINCT ON (session_id, near_copy_of) session_id, near_copy_of, x_post_id
            FROM x_search_result_message JOIN x_search_result ON x_search_result.id = result_id
            WHERE session_id = ANY(%(sessions)s) AND near_copy_of = ANY(%(gone)s)
            ORDER BY session_id, near_copy_of, rank NULLS LAST, embedding_score DESC NULLS LAST, x_post_id
        ) AS best
        WHERE link.session_id = best.session_id AND link.near_copy_of = best.near_copy_of AND post.id = link.result_id
    """
    ranked = """
        UPDATE x_search_result_message AS link SET rank = place.rank FROM (
            SELECT id, row_number() OVER (PARTITION BY session_id ORDER BY rank) AS rank
            FROM x_search_result_message WHERE session_id = ANY(%(sessions)s) AND rank IS NOT NULL
        ) AS place WHERE link.id = place.id AND link.rank <> place.rank
    """
    values = {"sessions": list(session_ids), "gone": list(gone)}
    connection.execute(folded, values)
    connection.execute(ranked, values)
