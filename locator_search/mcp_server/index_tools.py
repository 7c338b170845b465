"""The tools: they look into the index, ask the source whether the files may be shown, and answer.

Reads what is indexed and nothing else: no path is ever opened, and no language model is called. (The embedding model
turns a query into a vector; where it does not answer, keywords alone are searched for, and the answer says so.) What is
written is the search log.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from locator_search.core.clock import deadline
from locator_search.core.errors import ConfigurationError, LocatorError
from locator_search.drive_search.policy import RELAXED
from locator_search.mcp_server.document_ids import parsed
from locator_search.mcp_server.documents import PART_LENGTH, fetched
from locator_search.mcp_server.filters import search_filters
from locator_search.mcp_server.found import found_evidence
from locator_search.mcp_server.schemas import (
    EvidenceAnswer,
    EvidenceFilters,
    FetchedDocument,
    SearchAnswer,
)
from locator_search.mcp_server.texts import Sentences
from locator_search.model import Evidence, SearchFilters

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.config.settings import Settings
    from locator_search.drive_search.searcher import DriveSearch
    from locator_search.ports import (
        AccessChecker,
        DocumentReader,
        Embedder,
        IndexStore,
        NotedEvidenceProvider,
        StatusReader,
        VersionReader,
    )
    from locator_search.ports.search import AuditLog

FOUND_DOCUMENTS = 10
"""The most documents `search` returns."""

logger = logging.getLogger(__name__)


class UnknownDocument(LocatorError):  # noqa: N818 - named like the errors it belongs to
    """The index has no such document or part, or it may not be shown."""


@dataclass(frozen=True, slots=True)
class _Parts:
    search: DriveSearch
    index: IndexStore
    embedder: Embedder
    chunk_evidence: NotedEvidenceProvider
    access_checker: AccessChecker
    documents: DocumentReader
    versions: VersionReader
    status_reader: StatusReader
    audit: AuditLog | None


@dataclass(frozen=True, slots=True)
class _Found:
    """A retrieval, the part of it that may be shown, and the notes on who embedded the query."""

    found: list[Evidence]
    shown: list[Evidence]
    told: list[str]
    left_out: set[str]


class IndexTools:
    """Answers out of the index of these settings. Thread-safe; nothing is imported or connected before a question.

    Every method raises LocatorError with a sentence for the person.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._say = Sentences.of(settings.locator_language)
        self._lock = threading.RLock()
        self._locator: Locator | None = None
        self._parts: _Parts | None = None

    def close(self) -> None:
        """Close the database, if it was opened; the embedded server stops with its last user."""
        with self._lock:
            if self._locator is not None:
                self._locator.close()
            self._locator = self._parts = None

    def search(self, query: str) -> SearchAnswer:
        """The end of a branching search, as on the page: what fits a query, best first, or a narrowing question."""
        from locator_search.mcp_server.searching import carried_out, search_answer, split_answers

        text, answers = split_answers(query)
        question, given = self._checked(text), [self._checked(answer) for answer in answers]
        run = carried_out(self._opened().search, question, given, FOUND_DOCUMENTS)
        return search_answer(run, query.strip(), self._say)

    def fetch(self, document_id: str) -> FetchedDocument:
        """The text of one document, or a part of it."""
        asked = parsed(document_id)
        parts = self._opened()
        part = parts.documents.part(asked.file_id, asked.part, PART_LENGTH) if asked else None
        checked = parts.access_checker.check([part.file]) if part else []
        if part is None or not checked:
            raise UnknownDocument(self._say.no_such_document)
        if part.number > part.count:
            raise UnknownDocument(self._say.no_such_part.format(parts=part.count))
        if parts.audit is not None:
            parts.audit.opened(part.file.file_id, "mcp")
        return fetched(checked[0], part, self._say)

    def get_evidence(
        self, query: str, top_k: int, document_ids: Sequence[str] | None, filters: EvidenceFilters | None
    ) -> EvidenceAnswer:
        """Evidence for a query, best first: the best place of each document, or any place of the documents named."""
        limits = search_filters(filters or EvidenceFilters(), document_ids, self._settings, self._say)
        question, parts = self._checked(query), self._opened()
        if parts.audit is not None:
            parts.audit.asked(question, "mcp")
        with deadline(self._settings.locator_search_seconds):
            found = self._find(parts, question, limits, top_k)
            return EvidenceAnswer(
                evidence=[found_evidence(item) for item in found.shown], note=self._note(parts, found, limits)
            )

    def _find(self, parts: _Parts, question: str, filters: SearchFilters, limit: int) -> _Found:
        """Where permissions count, as if there were none of the files that may not be shown."""
        from locator_search.retrieval.confirmed import confirmed

        look = partial(self._found, parts, question, limit)
        if not self._settings.locator_permissions:
            return look(filters)
        found = confirmed(filters, look, lambda found: found.left_out)
        return replace(found, found=found.shown, left_out=set())

    def _note(self, parts: _Parts, found: _Found, filters: SearchFilters) -> str:
        told = list(found.told)
        if not found.found:
            searchable = parts.search.unread.coverage().searchable
            told.append(self._say.nothing_found if searchable else self._say.index_empty)
        elif not filters.file_ids and max(item.similarity for item in found.found) < RELAXED:
            told.append(self._say.only_close)
        if found.left_out:
            told.append(self._say.left_out.format(count=len(found.left_out)))
        return " ".join(told)

    def _found(self, parts: _Parts, question: str, limit: int, filters: SearchFilters) -> _Found:
        from locator_search.retrieval.confirmed import missing_of
        from locator_search.retrieval.grouping import files_of, folded, left_of

        found, told = self._retrieved(parts, question, filters, limit)
        if filters.file_ids:  # several places of each document
            every, shown = found, parts.access_checker.check(found)
        else:
            documents = folded(found, parts.versions, question)[:limit]
            every = list(files_of(documents))
            checked = {item.file_id: item for item in parts.access_checker.check(every)}
            shown = [left for item in documents for left in left_of(item, checked)][:limit]
        return _Found(found, shown, told, missing_of(every, shown))

    def _checked(self, query: str) -> str:
        from locator_search.drive_search.questions import checked_question

        try:
            return checked_question(query, self._settings.locator_language)
        except ConfigurationError as error:  # its hint is about the command
            raise ConfigurationError(error.message) from None

    def _retrieved(
        self, parts: _Parts, question: str, filters: SearchFilters, limit: int
    ) -> tuple[list[Evidence], list[str]]:
        from locator_search.config.synonyms import matching_of
        from locator_search.locales.model_failures import without_embedding_model
        from locator_search.retrieval.evidence import IndexEvidenceProvider

        if filters.file_ids:
            looked = parts.chunk_evidence.look(question, filters, limit)
        else:
            by_document = IndexEvidenceProvider(
                parts.index, parts.embedder, matching=partial(matching_of, self._settings), unit="document"
            )
            looked = by_document.look(question, filters, limit)
        if looked.failure is None:
            return looked.value, []
        return looked.value, [without_embedding_model(looked.failure, self._settings.locator_language)]

    def _opened(self) -> _Parts:
        """The parts of the locator that the tools use, made on the first question."""
        with self._lock:
            if self._parts is None:
                from locator_search.app.locator import open_locator

                locator = self._locator = self._locator or open_locator(self._settings)
                self._parts = _Parts(
                    search=locator.model_free_search,
                    index=locator.index,
                    embedder=locator.embedder,
                    chunk_evidence=locator.chunk_evidence,
                    access_checker=locator.access_checker,
                    documents=locator.documents,
                    versions=locator.versions,
                    status_reader=locator.status_reader,
                    audit=locator.audit,
                )
            return self._parts
