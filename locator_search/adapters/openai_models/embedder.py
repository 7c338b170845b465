"""The Embedder port over the embeddings endpoint, in batches within every limit of the service."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from openai import Omit, omit

from locator_search.adapters.openai_models.client import Bill, OpenAiClient
from locator_search.core.errors import BadModelOutput
from locator_search.core.usage import Usage
from locator_search.llm.fitted_embeddings import DIMENSIONS, FittedEmbeddings
from locator_search.ports import EmbeddingWidths
from locator_search.text.cutting import estimate_tokens

if TYPE_CHECKING:
    from locator_search.model import Vector

# Limits of one request, as the SDK documents them, with a margin because tokens are estimated.
MOST_INPUTS = 2_048
MOST_TOKENS_EACH = 8_000
MOST_TOKENS_TOGETHER = 240_000
BLANK = "(空)"

ASKED_FOR_A_WIDTH = "text-embedding-3"
"""Only these models can be asked for a number of dimensions; other servers refuse the parameter."""
WIDTHS = {"text-embedding-ada-002": 1536}


class OpenAiEmbedder:
    """Unit vectors of 1536 dimensions, the width of the index.

    A model with fewer is filled up with zeros, which changes no cosine; one with more is refused, and so is every
    answer of another length than the model's own.
    """

    dimensions = DIMENSIONS

    def __init__(self, client: OpenAiClient, model_name: str, widths: EmbeddingWidths) -> None:
        self.model_name = model_name
        self._client = client
        asked = DIMENSIONS if model_name.startswith(ASKED_FOR_A_WIDTH) else None
        self._width: int | Omit = omit if asked is None else asked
        self._fitted = FittedEmbeddings(model_name, widths, asked or WIDTHS.get(model_name))
        # A third of the bytes, which not every other server can send.
        self._form: Literal["float", "base64"] = "float" if client.own_server else "base64"

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:  # noqa: ARG002 - one model for both
        """float32 (len(texts), dimensions). Blank text becomes a placeholder; over-long text is cut.

        Raises ModelUnavailable, ModelError, ConfigurationError or BadModelOutput.
        """
        prepared = [_within_limit(text.strip()) or BLANK for text in texts]
        rows = [np.zeros((0, DIMENSIONS), dtype=np.float32), *map(self._embed_batch, batches(prepared))]
        return np.concatenate(rows)

    def _embed_batch(self, batch: list[str]) -> Vector:
        # The raw answer: the vendor's types look at every single number, which takes ten times as long as reading them.
        create = self._client.api.embeddings.with_raw_response.create
        answer = self._client.send(
            lambda: json.loads(
                create(model=self.model_name, input=batch, encoding_format=self._form, dimensions=self._width).text
            ),
            dict,
            Bill("embed", self.model_name, sum(map(estimate_tokens, batch)), 0, self._usage),
        )
        try:
            places = [item["index"] for item in answer["data"]]
            vectors = [_numbers(item["embedding"]) for item in answer["data"]]
        except (KeyError, TypeError, ValueError, OverflowError):
            raise BadModelOutput(f"{self.model_name} returned something that is no list of embeddings.") from None
        by_place = dict(zip(places, vectors, strict=True))
        if len(by_place) != len(batch) or len(vectors) != len(batch) or set(by_place) != set(range(len(batch))):
            raise BadModelOutput(
                f"{self.model_name} returned {len(vectors)} embeddings for {len(batch)} texts, or said of which texts"
                " in a way that does not add up."
            )
        return self._fitted.rows([by_place[place] for place in range(len(batch))], len(batch))

    def _usage(self, answer: dict[str, Any]) -> Usage:
        used = answer.get("usage")
        counted = used.get("prompt_tokens") if isinstance(used, dict) else 0
        tokens = counted if isinstance(counted, int) else 0
        return Usage(1, tokens, 0, self._client.price(self.model_name, tokens, 0) or 0.0)


def _numbers(embedding: object) -> Vector:
    """The vector, whichever form the server chose. Raises ValueError or TypeError when it is none."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    vector = np.asarray(embedding)
    if vector.ndim != 1 or vector.dtype.kind not in "iuf":
        raise ValueError("not a list of numbers")
    return vector.astype(np.float64)


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, cut into requests that respect the number of inputs and the sum of tokens."""
    batch: list[str] = []
    tokens = 0
    for text in texts:
        cost = estimate_tokens(text)
        if batch and (len(batch) == MOST_INPUTS or tokens + cost > MOST_TOKENS_TOGETHER):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += cost
    if batch:
        yield batch


def _within_limit(text: str) -> str:
    while estimate_tokens(text) > MOST_TOKENS_EACH:
        text = text[: int(len(text) * 0.9)]
    return text
