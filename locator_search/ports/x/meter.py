"""The spending of X search."""

from __future__ import annotations

from typing import Protocol


class SpendMeter(Protocol):
    """Knows what posts have cost."""

    def this_month(self) -> float:
        """US dollars since the first of this month, UTC, over all sessions."""
        ...

    def of_session(self, session_id: str) -> float:
        """US dollars of one session."""
        ...
