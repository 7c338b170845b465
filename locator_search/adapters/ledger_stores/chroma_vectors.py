"""Vectors in a local Chroma collection. The optional extra `[chroma]`.

Chroma is given vectors and never text: it loads no model of its own, and its telemetry is off. It keeps an index in
memory, so what another process adds is seen by this one after it is opened again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locator_search.core.errors import ConfigurationError, StoreError

if TYPE_CHECKING:
    from locator_search.model import Vector

COLLECTION = "chunks"
BATCH = 1_000
"""Vectors per call; Chroma itself takes about 5,000."""


class ChromaVectors:
    """ChunkVectors over Chroma, in a folder of their own. Raises ConfigurationError without the package."""

    def __init__(self, folder: Path) -> None:
        chromadb = _chromadb()
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        with self._translated():
            self._client = chromadb.PersistentClient(
                path=str(folder), settings=chromadb.config.Settings(anonymized_telemetry=False)
            )
            self._collection = self._client.get_or_create_collection(
                COLLECTION, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )

    def add(self, vectors: Mapping[str, Vector]) -> None:
        """Add unit vectors; a key that is there already gets the new one."""
        with self._translated():
            for keys in _batches(list(vectors)):
                self._collection.upsert(ids=keys, embeddings=np.asarray([vectors[key] for key in keys], np.float32))

    def remove(self, keys: Sequence[str]) -> None:
        """Remove vectors; unknown keys are ignored."""
        with self._translated():
            for some in _batches(keys):
                self._collection.delete(ids=some)

    def nearest(self, vector: Vector, k: int, among: Sequence[str] | None = None) -> list[tuple[str, float]]:
        """The `k` keys with the highest cosine to a unit vector, best first."""
        with self._translated():
            options = {} if among is None else {"ids": self._present(among)}
            found = self._collection.query(
                query_embeddings=np.asarray([vector], np.float32), n_results=k, include=["distances"], **options
            )
        return [(key, 1.0 - distance) for key, distance in zip(found["ids"][0], found["distances"][0], strict=True)]

    def keys(self) -> set[str]:
        """Every key."""
        with self._translated():
            return set(self._collection.get(include=[])["ids"])

    def close(self) -> None:
        """Free the client, which processes share by folder."""
        self._client.close()

    def _present(self, keys: Sequence[str]) -> list[str]:
        """Those of the keys that are there: a query among an unknown one fails as a whole."""
        return [key for some in _batches(keys) for key in self._collection.get(ids=some, include=[])["ids"]]

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # the vendor raises whatever its parts raise
            raise StoreError(
                f"The Chroma store {self._folder} failed: {' '.join(str(error).split())[:200]}",
                hint="When it stays so, delete that folder: the ledger makes it anew from its catalogue.",
            ) from error


def _chromadb() -> Any:
    try:
        import chromadb
    except ImportError:
        raise ConfigurationError(
            "The vector store chroma needs a package that is not installed.",
            hint="Run `pip install 'document-locator[chroma]'`.",
        ) from None
    return chromadb


def _batches(keys: Sequence[str]) -> Iterator[list[str]]:
    return (list(keys[start : start + BATCH]) for start in range(0, len(keys), BATCH))
