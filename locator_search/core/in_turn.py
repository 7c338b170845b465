"""Several lists as one, each having its say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def in_turn(lists: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """The first of each list, then the second of each, and so on."""
    longest = max((len(items) for items in lists), default=0)
    return (items[place] for place in range(longest) for items in lists if place < len(items))
