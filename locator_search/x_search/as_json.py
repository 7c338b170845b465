"""A session as JSON, for the command and for programs. The keys of sessions and posts are a contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import AnswerSentence, QueryState, Session
from locator_search.x_search.answering import Position, positions_of, sentences_of
from locator_search.x_search.rechecking import Recheck, Rechecked

Json = dict[str, object]


def session_as_json(session: Session, queries: Sequence[QueryState], found: Sequence[FoundPost]) -> Json:
    """Everything a session came to, whether it has ended or not."""
    ranks = {one.post.post_id: place for place, one in enumerate(found, start=1)}
    return {
        **session_line_as_json(session),
        "queries": [
            {
                "query": one.text,
                "status": one.status,
                "reason": one.reason,
                "pages": one.pages,
                "fetched": one.fetched,
                "new": one.fresh,
            }
            for one in queries
        ],
        "posts": [found_post_as_json(one) for one in found],
        "answer": answer_text(sentences_of(session.answer or ()), ranks),
        "sentences": [
            {"text": one.text, "supported": bool(one.post_ids), "post_ids": list(one.post_ids)}
            for one in sentences_of(session.answer or ())
        ],
        "positions": [_position(one) for one in positions_of(session.answer or (), found)],
        "warnings": list(session.warnings),
        "reranker": session.reranker,
        "seconds": {phase: round(seconds, 3) for phase, seconds in session.seconds.items()},
        "x_seconds": round(session.service_seconds, 3),
    }


def session_line_as_json(session: Session) -> Json:
    """A session in a list."""
    return {
        "session_id": session.session_id,
        "question": session.question,
        "status": session.status,
        "phase": session.phase,
        "progress": session.progress,
        "reason": session.reason,
        "source": session.source,
        "model": session.model_id,
        "budget_usd": session.budget_usd,
        "cost_usd": round(session.cost_usd + session.model_cost_usd, 6),
        "x_cost_usd": session.cost_usd,
        "model_cost_usd": session.model_cost_usd,
        "found": session.posts,
        "removed": session.removed,
        "withheld": session.withheld,
        "unreadable": session.unreadable,
        "resume_after": session.resume_after,
        "created_at": session.created_at,
        "expires_at": session.expires_at,
    }


def found_post_as_json(found: FoundPost) -> Json:
    """A post with its scores."""
    post = found.post
    return {
        "rank": found.rank,
        "post_id": post.post_id,
        "text": post.text,
        "author": post.author or post.author_id,
        "author_name": post.author_name,
        "created_at": post.posted_at,
        "url": post.url,
        "language": post.language,
        "metrics": dict(post.metrics),
        "embedding_score": found.embedding_score,
        "rerank_score": found.rerank_score,
        "final_score": found.final_score,
        "queries": list(found.query_ordinals),
        "near_copy_of": found.near_copy_of,
        "conversation_id": post.conversation_id or None,
        "joined": [{**asdict(one), "url": one.url} for one in post.joined],
    }


def _position(one: Position) -> Json:
    examples = [{"post_id": each.post.post_id, "text": each.post.text, "url": each.post.url} for each in one.examples]
    return {
        "text": one.text,
        "posts": one.posts,
        "authors": one.authors,
        "post_ids": list(one.post_ids),
        "examples": examples,
    }


def rechecked_as_json(recheck: Recheck, done: Rechecked) -> Json:
    """The result of looking at posts again."""
    return {
        "due": len(recheck.post_ids),
        "at_most_usd": round(recheck.at_most, 6),
        "still_there": done.still_there,
        "removed": list(done.gone),
        "left": done.left,
        "cost_usd": done.cost_usd,
        "why_ended": done.why_ended or None,
    }


def answer_text(answer: Sequence[AnswerSentence], ranks: dict[str, int]) -> str:
    """The answer with the ranks of the cited posts in brackets after each sentence."""
    return " ".join(
        one.text + "".join(f"[{ranks[post_id]}]" for post_id in one.post_ids if post_id in ranks) for one in answer
    )
