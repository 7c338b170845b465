"""Posts with what belongs to them: the posts they quote or answer, and those of the same thread. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.posts import Post
from locator_search.x_search.near_copies import without_links_and_handles


def joined_text(post: Post) -> str:
    """The words of a post, and in brackets behind them those of the posts it quotes or answers: "agreed" says nothing
    alone. Links and handles are left out."""
    own = without_links_and_handles(post.text) or post.text
    others = (without_links_and_handles(one.text) for one in post.joined)
    return " ".join([own, *(f"[{text}]" for text in others if text)])


def threads(found: Sequence[FoundPost]) -> list[list[FoundPost]]:
    """The posts that are shown together, the best first: those of one thread under the best of it, and near-copies
    under the post they copy. Threads are in the order of their best posts."""
    copied = {one.post.post_id: one.near_copy_of for one in found if one.near_copy_of}
    places: dict[str, str] = {}
    groups: dict[str, list[FoundPost]] = {}
    for one in found:
        post = one.post
        first = copied.get(post.post_id) or post.post_id
        place = places.get(first) or (post.conversation_id if not one.near_copy_of else "") or first
        places[post.post_id] = place
        groups.setdefault(place, []).append(one)
    return list(groups.values())
