"""Posts of a session with their scores."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.ports.x.posts import Post


@dataclass(frozen=True, slots=True)
class FoundPost:
    """A post of a session with its scores so far. `near_copy_of` is the post it is folded under."""

    post: Post
    query_ordinals: tuple[int, ...]
    embedding_score: float | None = None
    rerank_score: float | None = None
    final_score: float | None = None
    rank: int | None = None
    near_copy_of: str | None = None


@dataclass(frozen=True, slots=True)
class PostScore:
    """The scores of one post of a session."""

    post_id: str
    final_score: float
    rank: int
