"""EmbeddingWidths without a database."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class WidthsInMemory:
    """Keeps the first length of each model."""

    known: dict[str, int] = field(default_factory=dict)

    def learn_width(self, model: str, width: int) -> int:
        return self.known.setdefault(model, width)
