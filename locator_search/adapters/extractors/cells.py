"""The limit on the cells of a file, over all of its sheets together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from locator_search.adapters.extractors.limits import MAX_CELLS
from locator_search.adapters.extractors.outcome import Notes


class CellLimit:
    """Counts the cells of one file, empty ones between others included."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._left = MAX_CELLS

    def within(self, rows: Iterable[list[str]]) -> Iterator[list[str]]:
        """The rows until the limit is reached, which is noted."""
        for row in rows:
            self._left -= len(row)
            if self._left < 0:
                shortfall = f"Only the first {MAX_CELLS:,} cells were read."
                if shortfall not in self._notes.shortfalls:
                    self._notes.shortfalls.append(shortfall)
                return
            yield row
