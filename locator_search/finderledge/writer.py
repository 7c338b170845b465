"""Writes documents into both stores and takes them out, in the order that keeps readers and crashes harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import islice

from locator_search.core.errors import ExtractionError, SourceError
from locator_search.finderledge.loader import LoadedDocument, OnSkip, skipped
from locator_search.finderledge.stores import BM25DocumentStore, VectorDocumentStore, version_of
from locator_search.model import IndexEntry
from locator_search.ports import Chunker, FileLocks
from locator_search.ports.ledger import LedgerCatalogue

GROUP = 32
"""Documents that become visible at one moment."""
READ_AT_ONCE = 2


class LedgerWriter:
    """Writers follow each other where vectors lie outside the catalogue, because there two stores are kept in step."""

    def __init__(
        self,
        catalogue: LedgerCatalogue,
        vector_store: VectorDocumentStore,
        keyword_store: BM25DocumentStore,
        locks: Callable[[], FileLocks],
        name: str,
    ) -> None:
        self._catalogue = catalogue
        self._vector_store = vector_store
        self._keyword_store = keyword_store
        self._locks = locks
        self._name = f"ledger {name}"

    def match(self) -> None:
        """Clear up what a crash left, unless somebody is writing just now and will do it."""
        if self._vector_store.in_catalogue or self._locks().is_held(self._name):
            return
        with self._turn():
            self._vector_store.match(self._catalogue)

    def put(self, documents: Iterable[LoadedDocument], splitter: Chunker, on_skip: OnSkip | None) -> list[str]:
        """Write documents that are new or changed; returns the ids of all, in order, unreadable files left out."""
        ids: list[str] = []
        for group in _groups(documents):
            ids += self._put_group(group, splitter, on_skip)
        return ids

    def remove(self, document_ids: Sequence[str]) -> int:
        """Remove documents from both stores; returns how many were there."""
        with self._turn():
            keys = self._keys(document_ids)
            removed = self._keyword_store.remove_documents(document_ids)
            self._vector_store.forget(keys)
        return removed

    def _put_group(self, group: Sequence[LoadedDocument], splitter: Chunker, on_skip: OnSkip | None) -> list[str]:
        with self._catalogue.view() as view:
            kept = view.versions([document.document_id for document in group])
        # Of two documents with the same id the last one counts, as everywhere.
        latest = {document.document_id: document for document in group}
        changed = [document for id_, document in latest.items() if kept.get(id_) != version_of(document, splitter)]
        unreadable: set[str] = set()

        def prepared(document: LoadedDocument) -> IndexEntry | None:
            try:
                return self._vector_store.prepare(document, splitter)
            except (ExtractionError, SourceError) as error:
                if not document.from_folder:
                    raise
                skipped(document.file, error.message, on_skip)
                unreadable.add(document.document_id)
                return None

        with ThreadPoolExecutor(READ_AT_ONCE) as pool:
            entries = [entry for entry in pool.map(prepared, changed) if entry is not None]
        if entries:
            self._write(entries)
        return [document.document_id for document in group if document.document_id not in unreadable]

    def _write(self, entries: Sequence[IndexEntry]) -> None:
        ids = [entry.file.file_id for entry in entries]
        with self._turn():
            before = self._keys(ids)
            self._vector_store.add_documents(entries)
            self._keyword_store.add_documents(entries)
            self._vector_store.forget(sorted(set(before) - set(self._keys(ids))))

    def _keys(self, document_ids: Sequence[str]) -> list[str]:
        if self._vector_store.in_catalogue:
            return []
        with self._catalogue.view() as view:
            return view.vector_keys(documents=document_ids)

    def _turn(self) -> AbstractContextManager[None]:
        return nullcontext() if self._vector_store.in_catalogue else self._locks().hold(self._name)


def _groups(documents: Iterable[LoadedDocument]) -> Iterator[list[LoadedDocument]]:
    waiting = iter(documents)
    while group := list(islice(waiting, GROUP)):
        yield group
