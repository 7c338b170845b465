"""A chat model and an embedder that remember their answers, so that none is paid twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import ValidationError

from locator_search.core.usage import metered
from locator_search.indexing.in_flight import InFlight
from locator_search.ports import Answer, AnswerMemo, ChatModel, Embedder, EmbeddingMemo, Prompt, Refusal

if TYPE_CHECKING:
    from locator_search.model import Vector

EMBEDDED_AT_ONCE = 256
"""Texts between two commits: with chunks of the usual size one request."""


class MemoisedChatModel:
    """A `ChatModel` in front of another one. An answer is committed to the memo the moment it arrives."""

    def __init__(self, model: ChatModel, memo: AnswerMemo) -> None:
        self.model_name = model.model_name
        self._model = model
        self._memo = memo

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        """The remembered answer, else a new one. Raises what the model behind raises."""
        remembered = self.recall(prompt)
        if remembered is not None and not isinstance(remembered, Refusal):
            return remembered
        with metered() as meter:
            answer = self._model.answer(prompt)
        self._memo.put(
            self.key_of(prompt),
            task=prompt.task,
            prompt_version=prompt.version,
            model=self.model_name,
            answer=answer.model_dump_json(),
            usage=meter.total,
        )
        return answer

    def recall(self, prompt: Prompt[Answer]) -> Answer | Refusal | None:
        """The remembered answer or refusal, or None. An answer that no longer fits its schema is forgotten."""
        key = self.key_of(prompt)
        remembered = self._memo.get(key)
        if not isinstance(remembered, str):
            return remembered
        try:
            return prompt.output_model.model_validate_json(remembered)
        except ValidationError:
            self._memo.forget(key)
            return None

    def refuse(self, prompt: Prompt[Answer], refusal: Refusal) -> None:
        """Remember that the model gave no usable answer, so that it is not paid for another one before its time."""
        self._memo.refuse(self.key_of(prompt), refusal, task=prompt.task, model=self.model_name)

    def key_of(self, prompt: Prompt[Answer]) -> str:
        """The key of an answer in the memo: a hash of everything that would change it."""
        asked = [
            prompt.task,
            prompt.version,
            self.model_name,
            prompt.language,
            prompt.max_length,
            dict(prompt.inputs),
        ]
        canonical = json.dumps(asked, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


class MemoisedEmbedder:
    """An `Embedder` in front of another one. Embeddings are committed to the memo the moment they arrive."""

    def __init__(self, embedder: Embedder, memo: EmbeddingMemo) -> None:
        self.model_name = embedder.model_name
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._memo = memo
        self._in_flight: InFlight[Vector] = InFlight()

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 (len(texts), dimensions). Raises what the embedder behind raises.

        Each text is paid once, also where several files with it are embedded at the same time. A question waits for
        nobody.
        """
        rows = [row for group in _groups(texts) for row in self._embed_group(group, purpose)]
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimensions)

    def recall(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> dict[str, Vector]:
        """The remembered embeddings by text; the embedder behind is not asked."""
        text_of = {_key_of(text, purpose): text for text in texts}
        return {text_of[key]: row for key, row in self._memo.get(self.model_name, list(text_of)).items()}

    def _embed_group(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> list[Vector]:
        text_of = {_key_of(text, purpose): text for text in texts}

        def ask(keys: Sequence[str]) -> dict[str, Vector]:
            known = self._memo.get(self.model_name, keys)
            missing = {key: text_of[key] for key in keys if key not in known}
            if missing:
                arrived = dict(zip(missing, self._embedder.embed(list(missing.values()), purpose), strict=True))
                self._memo.put(self.model_name, arrived)
                known |= arrived
            return known

        keys = list(text_of)
        rows = ask(keys) if purpose == "query" else self._in_flight.get(keys, ask)
        return [rows[_key_of(text, purpose)] for text in texts]


def _groups(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[start : start + EMBEDDED_AT_ONCE] for start in range(0, len(texts), EMBEDDED_AT_ONCE))


def _key_of(text: str, purpose: str) -> str:
    return hashlib.sha256(f"{purpose}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
