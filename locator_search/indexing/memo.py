"""Models are paid once: a chat model and an embedder that remember what they said."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import ValidationError

from locator_search.metering import metered
from locator_search.ports import Answer, AnswerMemo, ChatModel, Embedder, EmbeddingMemo, Prompt

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
        if remembered is not None:
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

    def recall(self, prompt: Prompt[Answer]) -> Answer | None:
        """The remembered answer, or None. One that no longer fits its schema counts as forgotten."""
        remembered = self._memo.get(self.key_of(prompt))
        if remembered is None:
            return None
        try:
            return prompt.output_model.model_validate_json(remembered)
        except ValidationError:
            return None

    def key_of(self, prompt: Prompt[Answer]) -> str:
        """What the answer to a prompt is remembered under: everything that would change it."""
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

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 (len(texts), dimensions); each text is paid once. Raises what the embedder behind raises."""
        rows = [row for group in _groups(texts) for row in self._embed_group(group, purpose)]
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimensions)

    def _embed_group(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> list[Vector]:
        keys = [_key_of(text, purpose) for text in texts]
        known = self._memo.get(self.model_name, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            arrived = dict(zip(missing, self._embedder.embed(list(missing.values()), purpose), strict=True))
            self._memo.put(self.model_name, arrived)
            known |= arrived
        return [known[key] for key in keys]


def _groups(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[start : start + EMBEDDED_AT_ONCE] for start in range(0, len(texts), EMBEDDED_AT_ONCE))


def _key_of(text: str, purpose: str) -> str:
    return hashlib.sha256(f"{purpose}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
