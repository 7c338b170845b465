"""A UsageLog without a database."""

from __future__ import annotations

from dataclasses import dataclass, field

from locator_search.core.usage import NOTHING_USED, Usage


@dataclass
class UsageLogInMemory:
    """Keeps every call."""

    calls: list[tuple[str, str, Usage]] = field(default_factory=list)

    def add(self, task: str, model: str, usage: Usage) -> None:
        self.calls.append((task, model, usage))

    def total(self) -> Usage:
        return sum((usage for _, _, usage in self.calls), NOTHING_USED)
