"""Rows of the tables of X search as the nouns of its ports, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from locator_search.adapters.postgres.server.rows import clean, clean_json
from locator_search.core.errors import AccessDenied
from locator_search.model import JsonValue
from locator_search.ports.x.posts import Post
from locator_search.ports.x.sessions import AnswerSentence, FoundPost, QueryState, Session

SESSION_COLUMNS = """
    session.id::text AS session_id, session.message_id, session.query AS question, session.model_id, session.status,
    session.progress, session.phase, session.language, session.source, session.page_size, session.budget,
    session.model_cost, session.reason, session.warnings, session.reranker, session.answer, session.phase_seconds,
    session.resume_after, session.created_at, session.expires_at,
    COALESCE(session.lease_until > now(), false) AS worked_on,
    (SELECT COALESCE(sum(cost), 0) FROM x_search_page WHERE session_id = session.id) AS cost,
    (SELECT COALESCE(sum(seconds), 0) FROM x_search_page WHERE session_id = session.id) AS service_seconds,
    (SELECT count(*) FROM x_search_result_message WHERE session_id = session.id) AS posts, session.removed
"""
QUERY_COLUMNS = "ordinal, text, status, reason, next_token, pages, fetched, fresh, restarted"


def checked_id(session_id: str) -> UUID:
    """The id as PostgreSQL wants it. Raises AccessDenied for what cannot be one."""
    try:
        return UUID(session_id)
    except ValueError:
        raise no_such_session() from None


def no_such_session() -> AccessDenied:
    """Of somebody else, expired, or never there: in the same words."""
    return AccessDenied("There is no such session, or it has expired.", hint="document-locator x sessions")


def session_of(row: Mapping[str, Any]) -> Session:
    """A row of SESSION_COLUMNS."""
    return Session(
        session_id=row["session_id"],
        message_id=row["message_id"],
        question=row["question"],
        model_id=row["model_id"],
        status=row["status"],
        progress=row["progress"] / 100,
        phase=row["phase"],
        language=row["language"],
        source=row["source"],
        page_size=row["page_size"],
        budget_usd=row["budget"],
        cost_usd=round(row["cost"], 6),
        model_cost_usd=row["model_cost"],
        reason=row["reason"],
        warnings=tuple(row["warnings"]),
        reranker=row["reranker"],
        answer=answer_of(row["answer"]),
        seconds=row["phase_seconds"],
        service_seconds=row["service_seconds"],
        posts=row["posts"],
        removed=row["removed"],
        worked_on=row["worked_on"],
        resume_after=row["resume_after"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
    )


def query_of(row: Sequence[Any]) -> QueryState:
    """A row of QUERY_COLUMNS."""
    return QueryState(*row)


def answer_json(answer: Sequence[AnswerSentence]) -> JsonValue:
    """An answer as it is kept."""
    return clean_json([{"text": one.text, "post_ids": list(one.post_ids)} for one in answer])


def metadata_of(post: Post) -> JsonValue:
    """What is kept of a post besides its id and text."""
    return clean_json(
        {
            "posted_at": post.posted_at.isoformat(),
            "author_id": post.author_id,
            "author": post.author,
            "author_name": post.author_name,
            "language": post.language,
            "metrics": dict(post.metrics),
        }
    )


def found_post_of(row: Mapping[str, Any]) -> FoundPost:
    """A post of a session with its scores."""
    metadata = row["metadata"]
    post = Post(
        post_id=row["x_post_id"],
        text=row["content"],
        posted_at=datetime.fromisoformat(metadata["posted_at"]),
        author_id=metadata["author_id"],
        author=metadata["author"],
        author_name=metadata["author_name"],
        language=metadata["language"],
        metrics=metadata["metrics"],
    )
    return FoundPost(
        post=post,
        query_ordinals=tuple(row["query_ordinals"]),
        embedding_score=row["embedding_score"],
        rerank_score=row["rerank_score"],
        final_score=row["final_score"],
        rank=row["rank"],
        near_copy_of=row["near_copy_of"],
    )


def distinct(posts: Sequence[Post]) -> list[Post]:
    """Each post once, in the order of the ids, so that two writers never wait for each other."""
    by_id = {post.post_id: post for post in posts}
    return [by_id[post_id] for post_id in sorted(by_id)]


def cleaned_texts(posts: Sequence[Post]) -> list[str]:
    """The texts as PostgreSQL accepts them."""
    return [clean(post.text) for post in posts]


def answer_of(kept: object) -> tuple[AnswerSentence, ...] | None:
    """An answer as it was kept."""
    if kept is None:
        return None
    return tuple(AnswerSentence(str(one["text"]), tuple(one["post_ids"])) for one in cast("list[dict[str, Any]]", kept))
