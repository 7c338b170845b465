"""The composition root over a scripted search, for tests of what a surface makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.drive_search.asked_questions import AskedQuestions
from tests.fakes.clock import HeldClock
from tests.fakes.search_parts import NoSearches
from tests.fakes.searches import ScriptedSearch


@dataclass
class ScriptedLocator:
    """The parts of `Locator` that the search and evidence commands use."""

    parts: ScriptedSearch

    def __post_init__(self) -> None:
        self.clock = HeldClock()
        self.drive_search = self.parts.search
        self.index = self.parts.index
        self.embedder = self.parts.embedder
        self.audit = None
        self.asked_questions = AskedQuestions(NoSearches(), shared=True)

    def __enter__(self) -> ScriptedLocator:
        return self

    def __exit__(self, *exc_info: object) -> None:
        pass
