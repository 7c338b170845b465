"""The positions people take: how many posts and authors, and examples. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import AnswerSentence

MOST_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Position:
    """A side that posts take: how many, near-copies counted, by how many authors, and the best ones as examples."""

    text: str
    post_ids: tuple[str, ...]
    posts: int
    authors: int
    examples: tuple[FoundPost, ...]


def sentences_of(answer: Sequence[AnswerSentence]) -> list[AnswerSentence]:
    """The sentences of an answer, without its positions."""
    return [one for one in answer if not one.position]


def positions_of(answer: Sequence[AnswerSentence], found: Sequence[FoundPost]) -> list[Position]:
    """The positions of an answer, the one of most posts first; `found` has the best post first."""
    positions = []
    for one in answer if found else ():
        taking = [post for post in found if {post.post.post_id, post.near_copy_of} & {*one.post_ids}]
        if one.position and taking:
            authors = {post.post.author_id or post.post.author or post.post.post_id for post in taking}
            own = tuple(post for post in taking if post.near_copy_of is None)
            ids = tuple(post.post.post_id for post in taking)
            positions.append(Position(one.text, ids, len(taking), len(authors), own[:MOST_EXAMPLES]))
    return sorted(positions, key=lambda position: -position.posts)
