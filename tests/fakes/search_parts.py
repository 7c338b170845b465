"""The other parts of a search, each with a script where it needs one and a memory of what it was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import BaseModel

from locator_search.adapters.postgres.history.own_searches import PostgresOwnSearchStore
from locator_search.core.errors import ModelUnavailable
from locator_search.model import Evidence, RetrievalQuery, SearchCoverage, SearchOutcome, UnreadFile
from locator_search.ports import Answer, Prompt
from locator_search.ports.own_searches import AskedQuestion, OwnSearch
from locator_search.ports.versions import DocumentKeys, TermCounts
from tests.builders.terms import numbered

if TYPE_CHECKING:
    from locator_search.model import Vector

ANSWERS: dict[str, dict[str, Any]] = {
    "search_keywords": {"keywords": ["資料", "営業"]},
    "narrowing_question": {"question": "どの部署の資料ですか？"},
    "rerank": {"file_ids": []},
    "rewrite": {"query": "営業部の資料", "keywords": ["営業部"]},
    "relax": {"keywords": ["資料"]},
}


@dataclass
class ScriptedModel:
    """Answers each task from `answers`; a task without an answer finds the model unavailable."""

    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: dict(ANSWERS))
    asked: list[Prompt[Any]] = field(default_factory=list)
    model_name: str = "scripted-chat"

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        self.asked.append(prompt)
        if prompt.task not in self.answers:
            raise ModelUnavailable("The model did not answer.")
        answer: BaseModel = prompt.output_model.model_validate(self.answers[prompt.task])
        return answer  # type: ignore[return-value]  # output_model is type[Answer]

    def tasks(self) -> list[str]:
        return [prompt.task for prompt in self.asked]


@dataclass
class OneVectorEmbedder:
    """The same unit vector for every text."""

    embedded: list[str] = field(default_factory=list)
    model_name: str = "one-vector"
    dimensions: int = 4

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        self.embedded += texts
        return np.tile(np.array([1, 0, 0, 0], dtype=np.float32), (len(texts), 1))


@dataclass
class KnownContents:
    """Files by what is in them: texts by file id. A file without one has a content of its own; files of one text are
    one document, and so are those of one of the `documents`."""

    texts: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)

    def keys(self, file_ids: Sequence[str]) -> Mapping[str, DocumentKeys]:
        known = {file_id: self.texts[file_id] for file_id in file_ids if file_id in self.texts}
        return {file_id: DocumentKeys(text, self.documents.get(file_id, text)) for file_id, text in known.items()}

    def term_counts(self, file_ids: Sequence[str]) -> Mapping[str, TermCounts]:
        return {file_id: numbered(Counter(self.texts.get(file_id, file_id).split())) for file_id in file_ids}


@dataclass
class SourceWithout:
    """A source from which some files are gone."""

    gone: frozenset[str] = frozenset()
    checked: list[str] = field(default_factory=list)

    def check(self, evidence: Sequence[Evidence], *, names_alone: bool = False) -> list[Evidence]:
        self.checked += [item.file_id for item in evidence]
        return [item for item in evidence if item.file_id not in self.gone]


@dataclass
class EverythingRead:
    """An index that lacks none of the files, or those it is made with."""

    unread: Sequence[UnreadFile] = ()
    asked: list[RetrievalQuery] = field(default_factory=list)

    def matching(self, query: RetrievalQuery, limit: int) -> list[UnreadFile]:
        self.asked.append(query)
        return list(self.unread[:limit])

    def coverage(self) -> SearchCoverage:
        return SearchCoverage(100, 100 - len(self.unread))


@dataclass
class SearchLogInMemory:
    """Keeps what was recorded; ids count from 1."""

    recorded: list[tuple[str, SearchOutcome, str]] = field(default_factory=list)

    def record(
        self,
        question: str,
        outcome: SearchOutcome,
        surface: str,
        seconds: float,
        steps: Mapping[str, float] | None = None,
    ) -> int:
        self.recorded.append((question, outcome, surface))
        return len(self.recorded)

    def feedback(self, search_id: int, file_id: str, useful: bool) -> None:
        raise NotImplementedError("these tests give no feedback")

    def opened(self, search_id: int, file_id: str) -> None:
        raise NotImplementedError("these tests open nothing")


class NoSearches(PostgresOwnSearchStore):
    """Nobody has asked anything."""

    def __init__(self) -> None:
        pass

    def of(self, owner: str) -> list[OwnSearch]:
        return []

    def asked(self, owner: str, days: int, fewest: int) -> list[AskedQuestion]:
        return []
