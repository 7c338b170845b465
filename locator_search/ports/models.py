"""Language and embedding models, and the memory that pays for no answer twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.locales import Language

if TYPE_CHECKING:
    from locator_search.model import Vector

Answer = TypeVar("Answer", bound=BaseModel)
Task = Literal[
    "summarise", "search_keywords", "narrowing_question", "rerank", "rewrite", "relax", "more_evidence",
    "analyse_contribution", "compare_contributions", "compare_revisions", "live_queries", "live_answer",
    "x_queries", "x_relevance", "x_answer",
]  # fmt: skip


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    model_name: str
    dimensions: int

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 of shape (len(texts), dimensions), every row of length 1. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Prompt(Generic[Answer]):
    """One structured question to a model.

    `inputs` are data (file text, names, the person's words) and are sent apart from `instructions`, so a sentence
    inside a file cannot pass for an instruction. `version` belongs to the task's wording: a new version means new
    answers. `max_length` bounds the answer in characters where the task writes prose.
    """

    task: Task
    version: str
    instructions: str
    inputs: Mapping[str, object]
    output_model: type[Answer]
    max_tokens: int = 400
    max_length: int = 400
    language: Language = "ja"


class ChatModel(Protocol):
    """A language model that answers in a schema. Offline stand-ins answer by `prompt.task`."""

    model_name: str

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        """A validated instance of `prompt.output_model`. Raises ModelUnavailable or BadModelOutput."""
        ...


@dataclass(frozen=True, slots=True)
class Refusal:
    """A question that a model gave no usable answer to, `attempts` times by now. It is asked again at `next_try_at`;
    None: not by itself."""

    reason: str
    attempts: int
    next_try_at: datetime | None


class AnswerMemo(Protocol):
    """Remembers model answers, so that none is paid twice. Committed the moment an answer arrives."""

    def get(self, key: str) -> str | Refusal | None:
        """The remembered answer as JSON, or that there was none; None where the question was never asked."""
        ...

    def put(
        self, key: str, *, task: str, prompt_version: str, model: str, answer: str, usage: Usage = NOTHING_USED
    ) -> None:
        """Remember one answer and what was paid for it. The question counts as refused no longer."""
        ...

    def forget(self, key: str) -> None:
        """Forget one answer, because it is of no use."""
        ...

    def refuse(self, key: str, refusal: Refusal, *, task: str, model: str) -> None:
        """Remember that a question was paid and not answered. What is remembered as its answer is forgotten."""
        ...


class EmbeddingWidths(Protocol):
    """How many numbers an embedding of each model has."""

    def learn_width(self, model: str, width: int) -> int:
        """Enter what a model answered first; returns the length that stands: the one that was entered first."""
        ...


class EmbeddingMemo(EmbeddingWidths, Protocol):
    """Remembers embeddings that were paid for, by model and key. Committed the moment they arrive."""

    def get(self, model: str, keys: Sequence[str]) -> dict[str, Vector]:
        """The remembered embeddings by key; those of another length than the model's own count as forgotten."""
        ...

    def put(self, model: str, embeddings: Mapping[str, Vector]) -> None:
        """Remember embeddings by key."""
        ...


class UsageLog(Protocol):
    """Everything ever asked of models that count tokens: of this index, by whatever process."""

    def add(self, task: str, model: str, usage: Usage) -> None:
        """Enter one call; committed when this returns."""
        ...

    def total(self) -> Usage:
        """All calls together."""
        ...
