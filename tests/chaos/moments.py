"""When to strike: not at some time of the wall clock, but while something is being done."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import LiteralString

from tests.chaos.world import World

LOOK_SECONDS = 0.004

_COUNTS: Mapping[str, LiteralString] = {
    "listed": "SELECT count(*) FROM file_state",
    "read": "SELECT count(*) FROM extracted_text",
    "indexed": "SELECT count(*) FROM drive_file_index",
}
_WRITING: LiteralString = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL
"""


@dataclass(frozen=True)
class Moment:
    """`kind` is `asked` (a model request is under way), `listed`, `read`, `indexed` (so many rows are there), or
    `writing` (so many files are indexed and a transaction is open that writes). `count` is reckoned from the start of
    the wait.
    """

    kind: str
    count: int

    def wait(self, world: World, gone: Callable[[], bool]) -> bool:
        """Until the moment has come; False when `gone` says that it will not come any more."""
        if self.kind == "asked":
            return world.models.wait_for(len(world.models.requests) + self.count, gone)
        query = _COUNTS["indexed" if self.kind == "writing" else self.kind]
        wanted: int | None = None
        while not gone():
            found = world.observer.number(query)
            if wanted is None and found is not None:
                wanted = found + self.count
            if wanted is not None and found is not None and found >= wanted and self._writes(world):
                return True
            time.sleep(LOOK_SECONDS)
        return False

    def _writes(self, world: World) -> bool:
        return self.kind != "writing" or bool(world.observer.number(_WRITING))


def some_moment(chance: Random, files: int, *, at_most: float = 0.8) -> Moment:
    """A moment of a crawl of so many files; never later than `at_most` of it."""
    kind = chance.choice(("asked", "asked", "read", "indexed", "indexed", "writing", "writing"))
    return Moment(kind, chance.randint(1, max(2, int(files * 0.6 * at_most))))
