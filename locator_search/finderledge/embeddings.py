"""The embedding model of a ledger: one of the product's, or a LangChain `Embeddings` the caller brings along."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from locator_search.app.model_choice import chosen_embedding_model
from locator_search.core.errors import BadModelOutput, ConfigurationError

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.model import Vector
    from locator_search.ports import Embedder

WIDTH = 1536
"""Dimensions of the index."""


class EmbeddingModelFactory:
    """Makes the embedding model that arguments and environment choose."""

    @staticmethod
    def create_embeddings(locator: Locator, embeddings: object | None = None) -> Embedder:
        """The model of the settings (openai, ollama, local, huggingface or offline), or the `embeddings` given.

        Raises ConfigurationError when a key or a package is missing, before anything is embedded.
        """
        if embeddings is not None:
            return GivenEmbeddings(embeddings)
        provider = chosen_embedding_model(locator.settings).provider
        if provider == "openai" and not locator.settings.uses_openai:
            raise ConfigurationError(
                "The embedding provider openai needs a key.",
                hint="Set OPENAI_API_KEY (or OPENAI_BASE_URL for another server), or take another provider.",
            )
        if provider == "huggingface" and find_spec("sentence_transformers") is None:
            raise ConfigurationError(
                "The embedding provider huggingface needs a package that is not installed.",
                hint="Run `pip install 'document-locator[huggingface]'`.",
            )
        return locator.embedder


class GivenEmbeddings:
    """A LangChain `Embeddings` as an Embedder: rows of length 1, filled up with zeros to the width of the index, which
    changes no cosine."""

    dimensions = WIDTH

    def __init__(self, embeddings: Any) -> None:
        if not hasattr(embeddings, "embed_documents") or not hasattr(embeddings, "embed_query"):
            raise ConfigurationError(
                f"A {type(embeddings).__name__} is no embedding model.",
                hint="It needs the methods embed_documents and embed_query of LangChain's Embeddings.",
            )
        self.given = embeddings
        names = (getattr(embeddings, name, None) for name in ("model", "model_name", "deployment"))
        name = next((name for name in names if isinstance(name, str) and name), type(embeddings).__name__)
        widths = (getattr(embeddings, width, None) for width in ("dimensions", "size"))
        # Two widths of one model are two models.
        self.model_name = " ".join([name, *(f"({width})" for width in widths if isinstance(width, int))])
        self._width: int | None = None

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 (len(texts), dimensions). Raises BadModelOutput."""
        if not texts:
            return np.zeros((0, WIDTH), dtype=np.float32)
        given = self.given
        found = (
            [given.embed_query(text) for text in texts] if purpose == "query" else given.embed_documents(list(texts))
        )
        rows = unit_rows(found, len(texts), self.model_name)
        width = len(found[0])
        self._width = self._width or width
        if width != self._width:
            raise BadModelOutput(
                f"Embeddings of {self.model_name} had {self._width} numbers before, and {width} came back."
            )
        return rows


def unit_rows(embeddings: object, count: int, model_name: str) -> Vector:
    """Embeddings of somebody else, float32 (count, WIDTH), every row of length 1. Raises BadModelOutput."""
    try:
        rows = np.asarray(embeddings, dtype=np.float32)
    except (TypeError, ValueError):
        raise BadModelOutput(f"{model_name} returned something that is no list of embeddings.") from None
    if rows.ndim != 2 or len(rows) != count or not 0 < rows.shape[1] <= WIDTH:
        raise BadModelOutput(
            f"{model_name} returned embeddings of the shape {rows.shape} for {count} texts; "
            f"the index takes up to {WIDTH} dimensions."
        )
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise BadModelOutput(f"{model_name} returned an embedding without a direction.")
    return np.pad(rows / lengths, ((0, 0), (0, WIDTH - rows.shape[1])))
