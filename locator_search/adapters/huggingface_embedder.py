"""The Embedder port over sentence-transformers, on this machine: the optional extra `[huggingface]`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from locator_search.core.errors import ConfigurationError
from locator_search.llm.fitted_embeddings import DIMENSIONS, FittedEmbeddings
from locator_search.ports import EmbeddingWidths

if TYPE_CHECKING:
    from locator_search.model import Vector

E5_PREFIXES = {"query": "query: ", "document": "passage: "}
"""The e5 models were trained with these words before each text; their files do not say so."""


class HuggingFaceEmbedder:
    """Unit vectors of 1536 dimensions, filled up with zeros, which changes no cosine. The model is loaded on first use.

    Its download needs the network once; afterwards it comes from the cache of Hugging Face.
    """

    dimensions = DIMENSIONS

    def __init__(self, model_name: str, widths: EmbeddingWidths) -> None:
        self.model_name = model_name
        self._fitted = FittedEmbeddings(model_name, widths)
        self._one_at_a_time = Lock()

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 (len(texts), dimensions). Raises ConfigurationError or BadModelOutput."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._one_at_a_time:  # it computes on all cores anyway
            encode = self._model.encode_query if purpose == "query" else self._model.encode_document
            prefix = {"prompt": E5_PREFIXES[purpose]} if "e5-" in self.model_name else {}
            found = encode(list(texts), normalize_embeddings=True, show_progress_bar=False, **prefix)
        return self._fitted.rows(list(np.asarray(found, dtype=np.float32)), len(texts))

    @cached_property
    def _model(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise ConfigurationError(
                "EMBEDDING_PROVIDER=huggingface needs a package that is not installed.",
                hint="Run `pip install 'document-locator[huggingface]'`.",
            ) from None
        try:
            return SentenceTransformer(self.model_name)
        except (OSError, ValueError) as error:
            raise ConfigurationError(
                f"The model {self.model_name} could not be loaded: {' '.join(str(error).split())[:200]}",
                hint="Check OPENAI_EMBEDDING_MODEL, and the network for its first download.",
            ) from None
