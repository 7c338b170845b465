"""The searches people come back to, and whether a saved one has new hits."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode
from zoneinfo import ZoneInfo

from locator_search.config.synonyms import matching_of
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.page_filters import PageFilters, filters_from_query
from locator_search.drive_search.questions import Reading, checked_question, read_question
from locator_search.drive_search.steps import folded
from locator_search.llm.question_models import embed_question, retrieve_or_words
from locator_search.model import Evidence, Retrieval, RetrievalQuery, SearchFilters
from locator_search.ports.own_searches import OwnSearch
from locator_search.retrieval.grouping import files_of

if TYPE_CHECKING:
    from locator_search.config.settings import Settings
    from locator_search.ports import Clock, Embedder, IndexStore, VersionReader
    from locator_search.ports.own_searches import OwnSearchStore

MOST_RECENT = 30
MOST_SAVED = 20
MOST_WATCHED = 200
"""Documents among which new ones are told. Of more hits than these no list of all is made."""


class OwnSearches:
    """The searches of people, each by its owner. New hits are looked for by the retriever alone: no chat model is
    asked, and nothing is logged."""

    def __init__(
        self,
        store: OwnSearchStore,
        index: IndexStore,
        versions: VersionReader,
        embedder: Embedder,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._store = store
        self._index = index
        self._versions = versions
        self._embedder = embedder
        self._clock = clock
        self._settings = settings

    def of(self, owner: str) -> list[OwnSearch]:
        """The searches of that owner, those asked last first."""
        return self._store.of(owner)

    def ask(self, owner: str, question: str, filters: PageFilters) -> None:
        """Remember what was asked; who asks a saved search again has seen its hits. Raises ConfigurationError."""
        asked = self._checked(question)
        own = search_id(asked, filters)
        self._store.ask(owner, own, asked, address_of(filters), MOST_RECENT)
        if self.find(owner, asked, filters):
            self._store.see(owner, own, self._files(asked, filters))

    def save(self, owner: str, question: str, filters: PageFilters) -> bool:
        """Keep a search for good, with its hits of now as those that were seen; False where MOST_SAVED are kept. Raises
        ConfigurationError."""
        asked = self._checked(question)
        own = search_id(asked, filters)
        kept = self._store.save(owner, own, asked, address_of(filters), MOST_SAVED)
        if kept:
            self._store.see(owner, own, self._files(asked, filters))
        return kept

    def forget(self, owner: str, search_ids: list[str]) -> int:
        """Forget searches of that owner; returns how many there were."""
        return self._store.forget(owner, search_ids)

    def find(self, owner: str, question: str, filters: PageFilters) -> OwnSearch | None:
        """That search, if its owner saved it."""
        own = search_id(self._checked(question), filters)
        return next((one for one in self._store.of(owner) if one.saved and one.search_id == own), None)

    def forget_recent(self, owner: str) -> int:
        """Forget the searches of that owner that are not saved; returns how many there were."""
        return self._store.forget(owner, [one.search_id for one in self._store.of(owner) if not one.saved])

    def new_hits(self, search: OwnSearch) -> int | None:
        """How many documents are hits of a saved search and were none, in any version, when its owner looked last; None
        where hits are or were too many to tell. Raises StoreError."""
        found = self._hits(search.question, filters_of(search))
        if found is None or search.seen is None:
            return None
        seen = set(search.seen)
        return sum(any(file.file_id not in seen for file in files_of([item])) for item in found)

    def _files(self, question: str, filters: PageFilters) -> list[str] | None:
        found = self._hits(question, filters)
        return None if found is None else sorted(file.file_id for file in files_of(found))

    def _hits(self, question: str, filters: PageFilters) -> tuple[Evidence, ...] | None:
        """All hits of the first round of a search, one for each document; None where they are too many."""
        reading = self._reading(question, filters)
        ways = dict.fromkeys((reading.in_stated_period(reading.filters), reading.filters))
        found = next((one for way in ways if (one := self._found(question, reading, way, filters)).hit_count), None)
        if found is None:
            return ()
        return None if found.hit_count > MOST_WATCHED else folded(found.evidence, self._versions, question)

    def _reading(self, question: str, filters: PageFilters) -> Reading:
        now, zone = self._clock.now(), ZoneInfo(self._settings.locator_time_zone)
        explicit, today = filters.as_search_filters(now, zone), now.astimezone(zone).date()
        start = self._settings.locator_fiscal_year_start
        return read_question(question, explicit, today, start, self._say, filters.ignored)

    def _found(self, question: str, reading: Reading, limits: SearchFilters, filters: PageFilters) -> Retrieval:
        query = RetrievalQuery(
            reading.text or question,
            filters=limits,
            threshold=0.70 if reading.text else 0.0,
            limit=MOST_WATCHED,
            with_facets=not reading.text,
            matching=matching_of(self._settings, filters.matching_off),
            unit="document",
        )
        embedded = embed_question(self._embedder, query.query, query.matching.ignored)
        return retrieve_or_words(self._index, query, embedded).value

    def _checked(self, question: str) -> str:
        return checked_question(question, self._settings.locator_language)

    @property
    def _say(self) -> Sentences:
        return Sentences.of(self._settings.locator_language)


def recent(searches: Sequence[OwnSearch], most: int) -> list[OwnSearch]:
    """The last questions that are not saved, each once, as it was asked last."""
    saved = {one.question for one in searches if one.saved}
    last = {one.question: one for one in reversed(searches) if one.question not in saved}
    return sorted(last.values(), key=lambda one: one.asked_at, reverse=True)[:most]


def search_id(question: str, filters: PageFilters) -> str:
    """The id of a search: the same for the same question under the same filters."""
    return hashlib.sha256(f"{question}\n{address_of(filters)}".encode()).hexdigest()[:16]


def address_of(filters: PageFilters) -> str:
    """The filters as the address of the page says them."""
    return urlencode(filters.as_query(), doseq=True)


def filters_of(search: OwnSearch) -> PageFilters:
    """The filters of a search."""
    return filters_from_query(parse_qs(search.filters))
