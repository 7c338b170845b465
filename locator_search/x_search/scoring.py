"""The scores of a session. Pure.

    final = 0.35 x embedding + 0.65 x rerank

`embedding` is the calibrated cosine of question and post, `rerank` what the reranker says, both in [0, 1]. A post that
was not reranked (beyond the best MOST_RERANKED, folded under another one, or because the reranker failed) keeps only
its embedding share, so that scores of two kinds are never mixed as if they were one. Ties go by post id.
"""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.ports.x.found_posts import FoundPost, PostScore

EMBEDDING_SHARE = 0.35
RERANK_SHARE = 0.65
MOST_RERANKED = 100


def final_score(embedding: float, rerank: float | None) -> float:
    """The final score in [0, 1]."""
    return EMBEDDING_SHARE * embedding + RERANK_SHARE * (rerank or 0.0)


def scored(found: Sequence[FoundPost]) -> list[PostScore]:
    """Final scores and ranks from 1, best first."""
    finals = [(final_score(one.embedding_score or 0.0, one.rerank_score), one.post.post_id) for one in found]
    ordered = sorted(finals, key=lambda pair: (-pair[0], pair[1]))
    return [PostScore(post_id, score, rank) for rank, (score, post_id) in enumerate(ordered, start=1)]


def to_rerank(found: Sequence[FoundPost]) -> list[FoundPost]:
    """The posts a reranker is asked about: the best by embedding, none that is folded under another one."""
    own = [one for one in found if one.near_copy_of is None]
    return sorted(own, key=lambda one: (-(one.embedding_score or 0.0), one.post.post_id))[:MOST_RERANKED]
