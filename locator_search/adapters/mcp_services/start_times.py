"""How long each server took to start the last time, so that a slow one, or a busy machine, is given longer."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

TIMES_THE_LAST = 3
LONGEST_SECONDS = 300.0


class StartTimes:
    """Seconds by server, kept in a file. One that cannot be read or written counts as empty: the usual limits hold."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def limit(self, name: str, usual: float) -> float:
        """Seconds to wait for a server: the `usual` ones, or three times what its last start took."""
        return max(usual, min(LONGEST_SECONDS, TIMES_THE_LAST * self._kept().get(name, 0.0)))

    def took(self, name: str, seconds: float) -> None:
        """Keep what a start took, also one that was given up after so long."""
        if self._path is not None:
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_text(json.dumps(self._kept() | {name: round(seconds, 2)}), "utf-8")

    def _kept(self) -> dict[str, float]:
        try:
            kept = json.loads(self._path.read_text("utf-8")) if self._path else {}
            return {str(name): float(seconds) for name, seconds in kept.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}
