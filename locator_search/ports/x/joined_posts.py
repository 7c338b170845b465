"""Posts that come along with those that quote or answer them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Join = Literal["quoted", "replied_to"]
JOINS: tuple[Join, ...] = get_args(Join)


@dataclass(frozen=True, slots=True)
class JoinedPost:
    """The post that another one quotes or answers, as it came along with it."""

    kind: Join
    post_id: str
    text: str
    author: str = ""

    @property
    def url(self) -> str:
        """Where it stands on X."""
        return f"https://x.com/{self.author or 'i/web'}/status/{self.post_id}"
