"""The searches people come back to, whether a saved one has new hits, and why its result changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode
from zoneinfo import ZoneInfo

from locator_search.config.synonyms import matching_of
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.page_filters import PageFilters, filters_from_query
from locator_search.drive_search.questions import Reading, checked_question, read_question
from locator_search.drive_search.replay import Replay, replayed, same_result
from locator_search.llm.question_models import embed_question, retrieve_or_words
from locator_search.model import Evidence, Retrieval, RetrievalQuery, SearchFilters
from locator_search.ports.own_searches import KeptHit, Look, OwnSearch
from locator_search.retrieval.confirmed import confirmed, missing_of
from locator_search.retrieval.grouping import files_of, folded, placed_for

if TYPE_CHECKING:
    from datetime import datetime

    from locator_search.config.settings import Settings
    from locator_search.core.model_results import ModelResult
    from locator_search.ports import AccessChecker, Clock, Embedder, IndexStore, VersionReader
    from locator_search.ports.own_searches import OwnSearchStore

MOST_RECENT = 30
MOST_SAVED = 20
MOST_KEPT = 50
"""Documents of which the versions are kept with each look."""
MOST_LOOKS = 10
"""Looks at a saved search that are kept, each unlike the one before: about 50 kB in all."""
MOST_WATCHED = 200
"""Documents among which new ones are told. Of more hits than these no list of all is made."""


class OwnSearches:
    """The searches of people, each by its owner. New hits are looked for by the retriever alone: no chat model is
    asked, and nothing is logged. With an `access_checker`, what the source does not confirm is no hit."""

    def __init__(
        self,
        store: OwnSearchStore,
        index: IndexStore,
        versions: VersionReader,
        embedder: Embedder,
        clock: Clock,
        settings: Settings,
        access_checker: AccessChecker | None = None,
    ) -> None:
        self._store = store
        self._access_checker = access_checker
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
            self._see(owner, own, asked, filters)

    def save(self, owner: str, question: str, filters: PageFilters) -> bool:
        """Keep a search for good, with its hits of now as those that were seen; False where MOST_SAVED are kept. Raises
        ConfigurationError."""
        asked = self._checked(question)
        own = search_id(asked, filters)
        kept = self._store.save(owner, own, asked, address_of(filters), MOST_SAVED)
        if kept:
            self._see(owner, own, asked, filters)
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

    def looks(self, owner: str, search: OwnSearch) -> list[Look]:
        """The looks at a saved search to which it can be compared, newest first."""
        return self._store.looks(owner, search.search_id)

    def replay(self, owner: str, search: OwnSearch, until: datetime | None = None) -> Replay | None:
        """The difference from the last look until then; else from the last one that found something else, if any did.
        None where no look is kept. Raises StoreError."""
        looks = [look for look in self.looks(owner, search) if until is None or look.looked_at <= until]
        if not looks:
            return None
        now = self.look(search)
        then = looks[0] if until else next((look for look in looks if not same_result(look, now)), looks[0])
        return self._replayed(then, now)

    def replay_from(self, search: OwnSearch, then: Look, state: str) -> Replay:
        """The difference from what the same search finds in a state of the index that is kept under that name. Raises
        StoreError."""
        return replace(self._replayed(then, self.look(search)), state=state)

    def look(self, search: OwnSearch) -> Look:
        """The look of now at a search, saved or not. Raises StoreError."""
        return self._look(search.question, filters_of(search))[0]

    def _replayed(self, then: Look, now: Look) -> Replay:
        files = sorted({hit.file_id for look in (then, now) for hit in look.found})
        return replayed(then, now, self._store.files_now(files))

    def _see(self, owner: str, own: str, question: str, filters: PageFilters) -> None:
        look, files = self._look(question, filters)
        self._store.see(owner, own, None if look.hit_count > MOST_WATCHED else files)
        self._store.keep_look(owner, own, look, MOST_LOOKS)

    def _look(self, question: str, filters: PageFilters) -> tuple[Look, list[str]]:
        """The look of now, and all files of its hits."""
        reading = self._reading(question, filters)
        found = self._first_round(question, reading, filters)
        hits = folded(found.value.evidence, self._versions, question)
        first = hits[:MOST_KEPT]
        known = self._store.files_now([hit.file_id for hit in first])
        index, files, newest = self._store.index_now()
        matching = matching_of(self._settings, filters.matching_off)
        words = (matching.synonyms, matching.ignored, matching.placements)
        limits = (reading.filters.modified_after, reading.filters.modified_before)
        made_with = {
            **index,
            "answered_by": found.model,
            "program": version("document-locator"),
            "dictionary": hashlib.sha256(repr(words).encode()).hexdigest()[:12] if any(words) else "",
            "rules": ", ".join(matching.off),
            "conditions": ", ".join(
                (*(one.label for one in reading.conditions), *(f"{limit:%Y-%m-%d}" for limit in limits if limit))
            ),
        }
        kept = tuple(
            KeptHit(
                hit.file_id,
                {"name": hit.file_name, **known[hit.file_id].versions, "placement": _placement(hit)},
                tuple(member.evidence.file_id for member in hit.group),
            )
            for hit in first
            if hit.file_id in known
        )
        look = Look(self._clock.now(), found.value.hit_count, kept, made_with, files, newest)
        return look, sorted(file.file_id for file in files_of(hits))

    def _hits(self, question: str, filters: PageFilters) -> tuple[Evidence, ...] | None:
        """All hits of the first round of a search, one for each document; None where they are too many."""
        found = self._first_round(question, self._reading(question, filters), filters).value
        return None if found.hit_count > MOST_WATCHED else folded(found.evidence, self._versions, question)

    def _reading(self, question: str, filters: PageFilters) -> Reading:
        now, zone = self._clock.now(), ZoneInfo(self._settings.locator_time_zone)
        explicit, today = filters.as_search_filters(now, zone), now.astimezone(zone).date()
        start = self._settings.locator_fiscal_year_start
        return read_question(question, explicit, today, start, self._say, filters.ignored)

    def _first_round(self, question: str, reading: Reading, filters: PageFilters) -> ModelResult[Retrieval]:
        """Under a period of the question, the files that state it; where none is a hit, whatever may be of it."""
        stated = reading.in_stated_period(reading.filters)
        found = self._confirmed(question, reading, stated, filters)
        if found.value.hit_count or stated == reading.filters:
            return found
        return self._confirmed(question, reading, reading.filters, filters)

    def _confirmed(
        self, question: str, reading: Reading, limits: SearchFilters, filters: PageFilters
    ) -> ModelResult[Retrieval]:
        """The hits without those that the source does not confirm among the first."""
        checker = self._access_checker
        if checker is None:
            return self._found(question, reading, limits, filters)

        def left_out(found: ModelResult[Retrieval]) -> set[str]:
            first = found.value.evidence[:MOST_KEPT]
            return missing_of(first, checker.check(first))

        return confirmed(limits, lambda limits: self._found(question, reading, limits, filters), left_out)

    def _found(
        self, question: str, reading: Reading, limits: SearchFilters, filters: PageFilters
    ) -> ModelResult[Retrieval]:
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
        return retrieve_or_words(self._index, query, embedded)

    def _checked(self, question: str) -> str:
        return checked_question(question, self._settings.locator_language)

    @property
    def _say(self) -> Sentences:
        return Sentences.of(self._settings.locator_language)


def _placement(hit: Evidence) -> str:
    """How the owner's dictionary places a document, as a line of it begins."""
    return ", ".join(f"{way.removeprefix('placed_')}: {phrase}" for way, phrase in placed_for(hit))


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
