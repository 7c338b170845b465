"""Suggestions to somebody who types: own questions, people, and names of files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from locator_search.text.normalise import normalise

if TYPE_CHECKING:
    from locator_search.ports import Clock, DocumentReader
    from locator_search.ports.own_searches import OwnSearchStore

MOST = 8
MOST_FILES = 100_000
"""Files whose names and owners are looked through: the newest of a larger index."""
MOST_MATCHES = 1_000
"""Files of those that fit that are looked at for whether they may be read; of one person, a tenth of these."""
FRESH_FOR = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class _Known:
    """Names of files and people in the form in which they are compared, as they are, and with their file ids."""

    read_at: datetime
    files: list[tuple[str, str, str]] = field(default_factory=list)
    people: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


class Suggestions:
    """Names are kept in memory for all, so that a letter costs milliseconds; who may read them is asked each time."""

    def __init__(self, documents: DocumentReader, own_searches: OwnSearchStore, clock: Clock) -> None:
        self._documents = documents
        self._own_searches = own_searches
        self._clock = clock
        self._known: _Known | None = None

    def for_typed(self, typed: str, owner: str) -> list[str]:
        """At most MOST suggestions that hold the typed text: questions of the owner, then people with files that may be
        read, then names of such files; of each, those that begin with it first. Raises StoreError."""
        wanted = normalise(typed).strip()
        if not wanted:
            return []
        questions = _fitting(dict.fromkeys(one.question for one in self._own_searches.of(owner)), wanted)
        found = dict.fromkeys((*questions, *self._of_index(self._names(), wanted)))
        return list(islice((word for word in found if normalise(word) != wanted), MOST))

    def _of_index(self, known: _Known, wanted: str) -> Iterator[str]:
        people = _fitting(known.people, wanted)[:MOST]
        fitting = [(not key.startswith(wanted), name, file) for key, name, file in known.files if wanted in key]
        first = sorted(fitting, key=lambda one: one[0])[:MOST_MATCHES]
        theirs = [file for person in people for file in known.people[person]]
        readable = self._documents.readable([*theirs, *(file for _, _, file in first)])
        yield from (person for person in people if not readable.isdisjoint(known.people[person]))
        yield from (name for _, name, file in first if file in readable)

    def _names(self) -> _Known:
        """Names of files, newest first, at most FRESH_FOR old."""
        now, before = self._clock.now(), self._known
        if before is not None and now - before.read_at <= FRESH_FOR:
            return before
        keys = {name: key for key, name, _ in before.files} if before else {}
        known = _Known(now)
        for file, name, person in self._documents.names(MOST_FILES):
            known.files.append((keys.get(name) or normalise(name), name, file))
            if person and len(known.people[person]) < MOST_MATCHES // 10:
                known.people[person].append(file)
        self._known = known
        return known


def _fitting(words: Iterable[str], wanted: str) -> list[str]:
    fitting = [word for word in words if wanted in normalise(word)]
    return sorted(fitting, key=lambda word: not normalise(word).startswith(wanted))
