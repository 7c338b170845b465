"""Posts that belong together: quoted ones, threads, and near-copies, which say the same but for links and marks. Pure.

Two posts are near-copies when NEAR of the character pairs of their texts, links and handles left out, are the same
(Jaccard). Each is folded under the best of its kind; short posts only under equal ones, because few pairs agree by
chance. Posts are compared with those before them that share a rare pair, not all with all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.posts import Post
from locator_search.text.normalise import normalise

NEAR = 0.85
SHORT = 12
"""Characters."""
_LINKS_AND_HANDLES = re.compile(r"https?://\S+|@\w+", re.ASCII)
_MARKS = re.compile(r"[\W_]+")


def without_links_and_handles(text: str) -> str:
    """The text without links and @handles, on one line."""
    return " ".join(_LINKS_AND_HANDLES.sub(" ", text).split())


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


def near_copies(texts: Mapping[str, str]) -> dict[str, str]:
    """Which posts are folded, and under which: by post id, the best posts first in `texts`."""
    pairs = {post_id: _pairs(_bare(text)) for post_id, text in texts.items()}
    frequency: dict[str, int] = defaultdict(int)
    for own in pairs.values():
        for pair in own:
            frequency[pair] += 1
    shown: dict[str, list[str]] = defaultdict(list)
    folded: dict[str, str] = {}
    for post_id, own in pairs.items():
        keys = _keys(own, frequency)
        candidates = dict.fromkeys(other for key in keys for other in shown[key])
        twin = next((other for other in candidates if _alike(own, pairs[other])), None)
        if twin is not None:
            folded[post_id] = twin
            continue
        for key in keys:
            shown[key].append(post_id)
    return folded


def _bare(text: str) -> str:
    return _MARKS.sub("", normalise(_LINKS_AND_HANDLES.sub(" ", text)))


def _pairs(text: str) -> frozenset[str]:
    if len(text) < SHORT:
        return frozenset([text]) if text else frozenset()
    return frozenset(text[start : start + 2] for start in range(len(text) - 1))


def _keys(pairs: frozenset[str], frequency: Mapping[str, int]) -> Sequence[str]:
    """With NEAR of the pairs in common, two posts share one of the rarest 1 - NEAR of them, and then one more."""
    count = int(len(pairs) * (1 - NEAR)) + 1
    return sorted(pairs, key=lambda pair: (frequency[pair], pair))[:count]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if min(len(one), len(other)) < NEAR * max(len(one), len(other)):  # too different in length to be near copies
        return False
    shared = len(one & other)
    return shared >= NEAR * (len(one) + len(other) - shared)
