"""The recorded sample: made-up posts that come with the program, found by the same query language, for nothing.

They lie in `locator_search/dev/sample_posts/posts.json` in the shape of X's own answers, and were written by
`tests/builders/sample_posts`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from locator_search.adapters.x_api.matching import matches
from locator_search.adapters.x_api.parsing import page_of
from locator_search.core.errors import CursorExpired
from locator_search.ports.x.posts import Post, PostPage, PostPrices, PostsLookedUp, PostSource


class RecordedPostSearch:
    """A PostSearch over a file. A query brings the same posts every time; a token is the place of the next one."""

    source: PostSource = "sample"
    prices = PostPrices()

    def __init__(self, path: Path) -> None:
        self._path = path

    def search(self, query: str, limit: int, token: str | None = None) -> PostPage:
        """One page of the posts that match, newest first. Raises QueryRefused or CursorExpired."""
        found = [post for post in self._posts if matches(query, post)]
        start = int(token) if token and token.isdecimal() else 0
        if token and not 0 < start < len(found):
            raise CursorExpired("There is no such place in the recorded sample.")
        end = start + limit
        page = tuple(found[start:end])
        return PostPage(page, str(end) if end < len(found) else None, returned=tuple(post.post_id for post in page))

    def look_up(self, post_ids: Sequence[str]) -> PostsLookedUp:
        """The posts that are in the file; the others count as gone."""
        posts = {post.post_id: post for post in self._posts}
        gone = tuple(one for one in post_ids if one not in posts)
        found = tuple(posts[one] for one in post_ids if one in posts)
        return PostsLookedUp(found, gone, returned=tuple(post.post_id for post in found))

    @cached_property
    def _posts(self) -> list[Post]:
        posts = page_of(json.loads(self._path.read_text("utf-8"))).posts
        return sorted(posts, key=lambda post: (post.posted_at, post.post_id), reverse=True)
