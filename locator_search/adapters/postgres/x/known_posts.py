"""Posts that are kept, held against what X still has: asked for again at a price, and taken out where they are gone."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.rows import scalar_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection, PostgresAdapter
from locator_search.adapters.postgres.server.locks import lock_until_commit
from locator_search.adapters.postgres.server.statements import statements
from locator_search.adapters.postgres.x.pages import buy, keep_posts, may_spend
from locator_search.adapters.postgres.x.rows import answer_json, answer_of, checked_id, distinct
from locator_search.adapters.postgres.x.sessions import forget_answers
from locator_search.ports.x.posts import PostPrices, PostsLookedUp, PostSource

SQL = statements(__name__)

REMOVAL_LOCK = 0x78676F6E65


class PostgresKnownPosts(PostgresAdapter):
    """KnownPosts over PostgreSQL."""

    def due(self, source: PostSource, session_id: str | None, owner: str | None) -> list[str]:
        """Posts X returned last before today, of a session or of all; of anybody for None; the best first."""
        session = None if session_id is None else checked_id(session_id)
        return self._database.rows(SQL.due, {"source": source, "session": session, "owner": owner}, scalar_row)

    def unpaid(self, post_ids: Sequence[str]) -> int:
        """How many of them were not bought today."""
        with self._database.connection() as connection:
            return len(post_ids) - len(_bought_today(connection, post_ids))

    def pay(self, post_ids: Sequence[str], prices: PostPrices, monthly_cap: float) -> list[str] | None:
        """Enter the purchase of those not bought today; None where that could go beyond the cap."""
        with self._database.transaction() as connection:
            bought = _bought_today(connection, post_ids)
            new = [post_id for post_id in post_ids if post_id not in bought]
            if not may_spend(connection, prices.of(len(new)), monthly_cap):
                return None
            buy(connection, None, "post", new, prices.post)
        return new

    def refund(self, post_ids: Sequence[str]) -> None:
        """Take back what was entered today for posts that X did not return."""
        self._database.run(SQL.refund, {"posts": list(post_ids)})

    def keep(self, found: PostsLookedUp, prices: PostPrices) -> float:
        """The posts as they are now, in one transaction; what is gone goes from every session. The price of what came
        along."""
        with self._database.transaction() as connection:
            if found.gone:
                _remove(connection, found.gone)
            keep_posts(connection, distinct(found.posts))
            joined = buy(connection, None, "post", sorted(set(found.joined_ids)), prices.joined)
            return joined + buy(connection, None, "user", sorted(set(found.user_ids)), prices.user)


def _bought_today(connection: Connection, post_ids: Sequence[str]) -> set[str]:
    return {post_id for (post_id,) in connection.execute(SQL.bought_today, {"posts": list(post_ids)})}


def _remove(connection: Connection, gone: Sequence[str]) -> None:
    """Of every session: the posts, what rests on them alone in its answer, and their places in the order."""
    lock_until_commit(connection, REMOVAL_LOCK)
    values: dict[str, object] = {"gone": list(gone)}
    sessions = connection.execute(SQL.count_removed, values).fetchall()
    for session_id, kept in sessions:
        answer = answer_of(kept)
        if answer is not None:
            left = [one for sentence in answer if (one := sentence.without(gone))]
            connection.execute(SQL.set_answer, {"answer": Jsonb(answer_json(left)), "session": session_id})
    values["sessions"] = [session_id for session_id, _ in sessions]
    for statement in (SQL.remove_posts, SQL.fold_anew, SQL.close_gaps):
        connection.execute(statement, values)
    forget_answers(connection)
