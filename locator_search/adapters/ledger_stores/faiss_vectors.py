"""Vectors in a FAISS index: exact inner products, in memory, kept in one file. The optional extra `[faiss]`.

The file is written anew with every change and takes the place of the old one at once, so a process that dies leaves
one or the other. Another process that changed it is noticed before every use; writers follow each other because the
ledger holds a lock while it writes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from locator_search.core.errors import ConfigurationError, StoreError

if TYPE_CHECKING:
    from locator_search.model import Vector

FILE_NAME = "vectors.npz"


class FaissVectors:
    """ChunkVectors over FAISS, in a folder of their own. Raises ConfigurationError without the package."""

    def __init__(self, folder: Path, dimensions: int) -> None:
        self._faiss = _faiss()
        self._dimensions = dimensions
        self._path = folder / FILE_NAME
        self._lock = threading.RLock()
        self._stamp: tuple[int, ...] | None = None
        self._keys: list[str] = []
        self._index: Any = self._faiss.IndexFlatIP(dimensions)
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, vectors: Mapping[str, Vector]) -> None:
        """Add unit vectors; a key that is there already keeps its vector."""
        with self._lock:
            self._refresh()
            known = set(self._keys)
            fresh = {key: vector for key, vector in vectors.items() if key not in known}
            if fresh:
                self._index.add(np.asarray(list(fresh.values()), dtype=np.float32))
                self._keys.extend(fresh)
                self._save()

    def remove(self, keys: Sequence[str]) -> None:
        """Remove vectors; unknown keys are ignored."""
        with self._lock:
            self._refresh()
            gone = set(keys)
            places = [place for place, key in enumerate(self._keys) if key in gone]
            if places:
                self._index.remove_ids(np.asarray(places, dtype=np.int64))
                self._keys = [key for key in self._keys if key not in gone]
                self._save()

    def nearest(self, vector: Vector, k: int, among: Sequence[str] | None = None) -> list[tuple[str, float]]:
        """The `k` keys with the highest cosine to a unit vector, best first."""
        with self._lock:
            self._refresh()
            options = {} if among is None else {"params": self._only(among)}
            found = min(k, len(self._keys))
            if not found:
                return []
            cosines, places = self._index.search(np.asarray([vector], dtype=np.float32), found, **options)
            return [
                (self._keys[place], float(cosine))
                for place, cosine in zip(places[0], cosines[0], strict=True)
                if place >= 0
            ]

    def keys(self) -> set[str]:
        """Every key."""
        with self._lock:
            self._refresh()
            return set(self._keys)

    def close(self) -> None:
        """Do nothing: no file is kept open."""

    def _only(self, among: Sequence[str]) -> Any:
        wanted = set(among)
        places = [place for place, key in enumerate(self._keys) if key in wanted]
        selector = self._faiss.IDSelectorBatch(np.asarray(places, dtype=np.int64))
        return self._faiss.SearchParameters(sel=selector)

    def _refresh(self) -> None:
        stamp = _stamp(self._path)
        if stamp is None or stamp == self._stamp:
            return
        try:
            with np.load(self._path, allow_pickle=False) as kept:
                index, keys = self._faiss.deserialize_index(kept["index"]), [str(key) for key in kept["keys"]]
        except (OSError, ValueError, KeyError, RuntimeError, EOFError, BadZipFile) as error:
            raise StoreError(
                f"The FAISS index {self._path} cannot be read: {type(error).__name__}.",
                hint="Delete it: the ledger makes it anew from its catalogue.",
            ) from None
        if index.d != self._dimensions or index.ntotal != len(keys):
            raise StoreError(
                f"The FAISS index {self._path} is not one of this ledger.",
                hint="Delete it: the ledger makes it anew from its catalogue.",
            )
        self._index, self._keys, self._stamp = index, keys, stamp

    def _save(self) -> None:
        unfinished = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        with unfinished.open("wb") as stream:
            np.savez(stream, index=self._faiss.serialize_index(self._index), keys=np.asarray(self._keys, dtype=str))
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(self._path)
        self._stamp = _stamp(self._path)


def _faiss() -> Any:
    try:
        import faiss
    except ImportError:
        raise ConfigurationError(
            "The vector store faiss needs a package that is not installed.",
            hint="Run `pip install 'document-locator[faiss]'`.",
        ) from None
    return faiss


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
