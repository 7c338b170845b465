"""Pages of posts: money set aside before one is bought, everything of it written at once when it is here.

X bills a post once per UTC day, so a post that was bought today costs nothing more, whichever session it comes to.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.locks import lock_until_commit, share_until_commit
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.adapters.postgres.x.rows import distinct, metadata_of
from locator_search.adapters.postgres.x.sessions import POSTS_LOCK, add_events
from locator_search.ports.x.posts import Post, PostPage, PostPrices
from locator_search.ports.x.work import SessionEvent

SQL = statements(__name__)

PURCHASE_LOCK = 0x78627579
CENT_FRACTION = 1e-9
"""US dollars that sums of floats may be off by."""


def reserve(connection: Connection, session_id: UUID, usd: float, monthly_cap: float) -> bool:
    """Set money aside for one page of the session. One at a time, so that two never take the same last dollar."""
    values = {"session": session_id, "usd": usd}
    [[left]] = connection.execute(SQL.free_reservation, values).fetchall()
    if usd and (usd > left + CENT_FRACTION or not may_spend(connection, usd, monthly_cap)):
        return False
    connection.execute(SQL.reserve, values)
    return True


def may_spend(connection: Connection, usd: float, monthly_cap: float) -> bool:
    """Whether the month allows it, what is set aside elsewhere counted; holds the budget until the transaction ends.

    What a worker that died had set aside stays so until its session goes on or goes: X may have billed the page.
    """
    lock_until_commit(connection, PURCHASE_LOCK)
    [[taken]] = connection.execute(SQL.taken_this_month).fetchall()
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
    values: dict[str, object] = {"session": session_id, "ordinal": ordinal, "page": number}
    if connection.execute(SQL.known_page, values).fetchone() is not None:
        return
    posts = distinct(page.posts)
    post_ids = [post.post_id for post in posts]
    keep_posts(connection, posts)
    links = connection.execute(SQL.link_posts, values | {"posts": post_ids}).fetchall()
    fresh = sum(found_by == 1 for (found_by,) in links)
    cost = buy(connection, session_id, "post", sorted(set(page.returned)), prices.post)
    cost += buy(connection, session_id, "user", sorted(set(page.user_ids)), prices.user)
    cost += buy(connection, session_id, "post", sorted(set(page.joined_ids)), prices.joined)
    values |= {
        "posts": len(posts),
        "fresh": fresh,
        "cost": cost,
        "seconds": page.seconds,
        "token": None if page.next_token is None else clean(page.next_token),
        "fetched": len(page.returned),
        "withheld": list(page.withheld),
        "unreadable": list(page.unreadable),
        "percent": percent,
    }
    connection.execute(SQL.record_page, values)
    connection.execute(SQL.move_cursor, values)
    [[progress]] = connection.execute(SQL.progress, values).fetchall()
    add_events(connection, session_id, [SessionEvent("posts", "searching", progress, tuple(post_ids))])


def keep_posts(connection: Connection, posts: Sequence[Post]) -> None:
    """Each post once. One that is known gets its present numbers; an edited text loses its embedding."""
    share_until_commit(connection, POSTS_LOCK)
    values = {
        "posts": [post.post_id for post in posts],
        "texts": [clean(post.text) for post in posts],
        "metadata": [Jsonb(metadata_of(post)) for post in posts],
    }
    connection.execute(SQL.keep_posts, values)


def buy(connection: Connection, session_id: UUID | None, kind: str, bought: Sequence[str], price: float) -> float:
    """Enter a purchase; returns its price in US dollars: nothing for what was bought today already."""
    if not price or not bought:
        return 0.0
    values = {"kind": kind, "price": price, "session": session_id, "bought": list(bought)}
    return connection.execute(SQL.buy, values).rowcount * price
