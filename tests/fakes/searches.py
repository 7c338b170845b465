"""A Drive search over scripted parts, and its flow played by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from locator_search.config.settings import Settings
from locator_search.drive_search.effects import AskPerson
from locator_search.drive_search.questions import SearchInputs
from locator_search.drive_search.search_flow import search_drive
from locator_search.drive_search.searcher import DriveSearch
from locator_search.model import Retrieval, SearchFilters, SearchOutcome
from locator_search.ports import IndexStore
from tests.fakes.clock import HeldClock
from tests.fakes.scripted_index import ScriptedIndex
from tests.fakes.search_parts import (
    EverythingRead,
    KnownContents,
    OneVectorEmbedder,
    ScriptedModel,
    SearchLogInMemory,
    SourceWithout,
)

TODAY = date(2026, 11, 20)


def inputs(question: str = "営業の資料", **changes: Any) -> SearchInputs:
    """The inputs of a search in Japanese with the default options, but for the changes."""
    defaults: dict[str, Any] = {
        "question": question,
        "today": TODAY,
        "filters": SearchFilters(),
        "threshold": 0.70,
        "limit": 80,
        "show": 10,
        "max_rounds": 3,
        "language": "ja",
        "interactive": True,
        "mode": "hybrid",
        "surface": "test",
    }
    return SearchInputs(**(defaults | changes))


@dataclass
class ScriptedSearch:
    """Every part of a Drive search; change a part before `search` is used."""

    script: Sequence[Retrieval]
    index: ScriptedIndex = field(init=False)
    contents: KnownContents = field(default_factory=KnownContents)
    embedder: OneVectorEmbedder = field(default_factory=OneVectorEmbedder)
    model: ScriptedModel = field(default_factory=ScriptedModel)
    unread: EverythingRead = field(default_factory=EverythingRead)
    source: SourceWithout = field(default_factory=SourceWithout)
    log: SearchLogInMemory = field(default_factory=SearchLogInMemory)
    settings: Settings = field(default_factory=lambda: Settings(_env_file=None))

    def __post_init__(self) -> None:
        self.index = ScriptedIndex(self.script)

    @property
    def search(self) -> DriveSearch:
        return DriveSearch(
            index=cast(IndexStore, self.index),
            versions=self.contents,
            unread=self.unread,
            embedder=self.embedder,
            chat_model=self.model,
            access_checker=self.source,
            search_log=self.log,
            clock=HeldClock(),
            settings=self.settings,
        )

    def play(self, started_with: SearchInputs, answers: Sequence[str] = ()) -> SearchOutcome:
        """Drive the bare generator by `send`, answering its questions in turn; the last answer repeats."""
        handlers = self.search.handlers(started_with.language)
        steps = search_drive(started_with)
        result: Any = None
        asked = 0
        while True:
            try:
                effect = steps.send(result)
            except StopIteration as end:
                outcome: SearchOutcome = end.value
                return outcome
            if isinstance(effect, AskPerson):
                result = answers[min(asked, len(answers) - 1)]
                asked += 1
            else:
                result = handlers[type(effect)](effect)
