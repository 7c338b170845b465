"""Request slots that count instead of limiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock


@dataclass
class CountingSlots:
    """Every request gets its slot at once. `taken` counts them by service, `held` says how many are held now."""

    taken: Counter[str] = field(default_factory=Counter)
    held: int = 0
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def slot(self, service: str) -> Iterator[None]:
        with self._lock:
            self.taken[service] += 1
            self.held += 1
        try:
            yield
        finally:
            with self._lock:
                self.held -= 1
