"""Pages of posts: money set aside before one is bought, everything of it written at once when it is here.

X bills a post once per UTC day, so a post that was bought today costs nothing more, whichever session it comes to.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.x.rows import cleaned_texts, distinct, metadata_of
from locator_search.adapters.postgres.x.sessions import POSTS_LOCK, add_events
from locator_search.ports.x.posts import Post, PostPage, PostPrices
from locator_search.ports.x.work import SessionEvent

PURCHASE_LOCK = 0x78627579
CENT_FRACTION = 1e-9
"""US dollars that sums of floats may be off by."""


def reserve(connection: Connection, session_id: UUID, usd: float, monthly_cap: float) -> bool:
    """Set money aside for one page of the session. One at a time, so that two never take the same last dollar."""
    query = """
        UPDATE x_search_session SET reserved = 0 WHERE id = %(id)s
        RETURNING budget - (SELECT COALESCE(sum(price), 0) FROM x_purchase WHERE session_id = %(id)s)
    """
    [[left]] = connection.execute(query, {"id": session_id}).fetchall()
    if usd and (usd > left + CENT_FRACTION or not may_spend(connection, usd, monthly_cap)):
        return False
    connection.execute("UPDATE x_search_session SET reserved = %s WHERE id = %s", [usd, session_id])
    return True


def may_spend(connection: Connection, usd: float, monthly_cap: float) -> bool:
    """Whether the month allows it, what is set aside elsewhere counted; holds the budget until the transaction ends.

    What a worker that died had set aside stays so until its session goes on or goes: X may have billed the page.
    """
    query = """
        SELECT (SELECT COALESCE(sum(price), 0) FROM x_purchase
                WHERE day >= date_trunc('month', now() AT TIME ZONE 'UTC'))
               + (SELECT COALESCE(sum(reserved), 0) FROM x_search_session)
    """
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [PURCHASE_LOCK])
    [[taken]] = connection.execute(query).fetchall()
    return bool(not usd or taken + usd <= monthly_cap + CENT_FRACTION)


def commit_page(
    connection: Connection,
    session_id: UUID,
    ordinal: int,
    number: int,
    page: PostPage,
    prices: PostPrices,
    percent: int,
) -> None:
    """Everything of one page; nothing when this page of the query is there already."""
    known = "SELECT FROM x_search_page WHERE session_id = %s AND ordinal = %s AND page = %s"
    if connection.execute(known, [session_id, ordinal, number]).fetchone() is not None:
        return
    posts = distinct(page.posts)
    keep_posts(connection, posts)
    fresh = _link(connection, session_id, ordinal, [post.post_id for post in posts])
    cost = buy(connection, session_id, "post", [post.post_id for post in posts], prices.post)
    cost += buy(connection, session_id, "user", sorted(set(page.user_ids)), prices.user)
    connection.execute(
        "INSERT INTO x_search_page (session_id, ordinal, page, posts, fresh, cost, seconds)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s)",
        [session_id, ordinal, number, len(posts), fresh, cost, page.seconds],
    )
    _move_cursor(connection, session_id, ordinal, number, page, fresh)
    rows = connection.execute(
        "UPDATE x_search_session SET progress = greatest(progress, %s), reserved = 0 WHERE id = %s"
        " RETURNING progress / 100.0::float8",
        [percent, session_id],
    ).fetchall()
    event = SessionEvent("posts", "searching", rows[0][0], tuple(post.post_id for post in posts))
    add_events(connection, session_id, [event])


def keep_posts(connection: Connection, posts: Sequence[Post]) -> None:
    """Each post once. One that is known gets its present numbers; an edited text loses its embedding."""
    query = """
        INSERT INTO x_search_result AS kept (x_post_id, content, metadata)
        SELECT * FROM unnest(%s::text[], %s::text[], %s::jsonb[])
        ON CONFLICT (x_post_id) DO UPDATE SET
            seen_at = now(),
            content = EXCLUDED.content,
            metadata = EXCLUDED.metadata,
            embedding = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding END,
            embedding_model = CASE WHEN kept.content = EXCLUDED.content THEN kept.embedding_model END
    """
    connection.execute("SELECT pg_advisory_xact_lock_shared(%s)", [POSTS_LOCK])
    values = [[post.post_id for post in posts], cleaned_texts(posts), [Jsonb(metadata_of(post)) for post in posts]]
    connection.execute(query, values)


def _link(connection: Connection, session_id: UUID, ordinal: int, post_ids: Sequence[str]) -> int:
    """Links of the posts to the session; how many it did not have before."""
    query = """
        INSERT INTO x_search_result_message AS link (result_id, session_id, message_id, query_ordinals)
        SELECT x_search_result.id, x_search_session.id, message_id, ARRAY[%(ordinal)s::integer]
        FROM x_search_result, x_search_session
        WHERE x_post_id = ANY(%(posts)s) AND x_search_session.id = %(session)s
        ON CONFLICT (session_id, result_id) DO UPDATE
        SET query_ordinals = link.query_ordinals || EXCLUDED.query_ordinals
        WHERE NOT link.query_ordinals @> EXCLUDED.query_ordinals
        RETURNING cardinality(link.query_ordinals)
    """
    values = {"ordinal": ordinal, "posts": list(post_ids), "session": session_id}
    return sum(found_by == 1 for (found_by,) in connection.execute(query, values).fetchall())


def buy(connection: Connection, session_id: UUID | None, kind: str, bought: Sequence[str], price: float) -> float:
    """What it costs: nothing for what was bought today already."""
    query = """
        INSERT INTO x_purchase (day, kind, bought_id, price, session_id)
        SELECT (now() AT TIME ZONE 'UTC')::date, %s, bought, %s, %s FROM unnest(%s::text[]) AS bought
        ON CONFLICT DO NOTHING
    """
    if not price or not bought:
        return 0.0
    return connection.execute(query, [kind, price, session_id, list(bought)]).rowcount * price


def _move_cursor(
    connection: Connection, session_id: UUID, ordinal: int, number: int, page: PostPage, fresh: int
) -> None:
    query = """
        UPDATE x_search_query SET
            next_token = %(token)s, pages = %(number)s, fetched = fetched + %(posts)s, fresh = fresh + %(fresh)s,
            status = CASE WHEN %(token)s::text IS NULL THEN 'done' ELSE status END
        WHERE session_id = %(session)s AND ordinal = %(ordinal)s
    """
    values = {
        "token": None if page.next_token is None else clean(page.next_token),
        "number": number,
        "posts": len(page.posts),
        "fresh": fresh,
        "session": session_id,
        "ordinal": ordinal,
    }
    connection.execute(query, values)
