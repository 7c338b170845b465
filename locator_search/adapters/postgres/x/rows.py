"""Rows of the tables of X search as the nouns of its ports, and the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from locator_search.adapters.postgres.server.rows import clean_json
from locator_search.core.errors import AccessDenied
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.joined_posts import JoinedPost
from locator_search.ports.x.posts import Post
from locator_search.ports.x.sessions import AnswerSentence, Session


def checked_id(session_id: str) -> UUID:
    """The id as PostgreSQL wants it. Raises AccessDenied for what cannot be one."""
    try:
        return UUID(session_id)
    except ValueError:
        raise no_such_session() from None


def no_such_session() -> AccessDenied:
    """Of somebody else, expired, or never there: in the same words."""
    return AccessDenied("There is no such session, or it has expired.", hint="document-locator x sessions")


def session_of(*, answer: Any, warnings: Sequence[str], cost_usd: float, **columns: Any) -> Session:
    """A session from the columns of its row."""
    return Session(answer=answer_of(answer), warnings=tuple(warnings), cost_usd=round(cost_usd, 6), **columns)


def answer_json(answer: Sequence[AnswerSentence]) -> Any:
    """An answer as it is kept."""
    return clean_json([asdict(one) for one in answer])


def answer_of(kept: Any) -> tuple[AnswerSentence, ...] | None:
    """An answer as it was kept."""
    if kept is None:
        return None
    return tuple(AnswerSentence(one["text"], tuple(one["post_ids"]), one.get("position", False)) for one in kept)


def metadata_of(post: Post) -> Any:
    """The metadata of a post, kept besides its id and text."""
    return clean_json(
        {
            "posted_at": post.posted_at.isoformat(),
            "author_id": post.author_id,
            "author": post.author,
            "author_name": post.author_name,
            "language": post.language,
            "metrics": dict(post.metrics),
            "conversation_id": post.conversation_id,
            "joined": [asdict(one) for one in post.joined],
        }
    )


def found_post_of(
    *, post_id: str, text: str, metadata: dict[str, Any], query_ordinals: Sequence[int], **scores: Any
) -> FoundPost:
    """A post of a session with its scores, from the columns of its row."""
    posted_at = datetime.fromisoformat(metadata.pop("posted_at"))
    joined = tuple(JoinedPost(**one) for one in metadata.pop("joined", ()))
    return FoundPost(Post(post_id, text, posted_at, joined=joined, **metadata), tuple(query_ordinals), **scores)


def distinct(posts: Sequence[Post]) -> list[Post]:
    """Each post once, in the order of the ids, so that two writers never wait for each other."""
    by_id = {post.post_id: post for post in posts}
    return [by_id[post_id] for post_id in sorted(by_id)]
