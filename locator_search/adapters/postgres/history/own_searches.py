"""Keeps the searches people come back to, each for the one who made it (table `own_search`), and what saved ones found
(`search_look`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import kwargs_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean, clean_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports.own_searches import AskedQuestion, FileNow, KeptHit, Look, OwnSearch

SQL = statements(__name__)


class PostgresOwnSearchStore(PostgresAdapter):
    """An OwnSearchStore over PostgreSQL."""

    def ask(self, owner: str, search_id: str, question: str, filters: str, most: int) -> None:
        """Keep what was asked now; of those that are not saved, only the newest so many stay."""
        self._database.run(SQL.ask, _values(owner, search_id, question, filters))
        self._database.run(SQL.forget_oldest, {"owner": owner, "most": most})

    def save(self, owner: str, search_id: str, question: str, filters: str, most: int) -> bool:
        """Keep a search for good; False where so many are saved already."""
        return self._database.run(SQL.save, {**_values(owner, search_id, question, filters), "most": most}) > 0

    def see(self, owner: str, search_id: str, seen: Sequence[str] | None) -> None:
        """The person looks at a saved search, and these files are the hits."""
        files = None if seen is None else list(seen)
        self._database.run(SQL.see, {"owner": owner, "search": search_id, "seen": files})

    def keep_look(self, owner: str, search_id: str, look: Look, most: int) -> None:
        """Keep what a saved search found, unless it found the same the last time; the newest so many looks stay."""
        own = {"owner": owner, "search": search_id}
        found = Jsonb([clean_json([hit.file_id, hit.versions, hit.folded]) for hit in look.found])
        kept = {"hit_count": look.hit_count, "found": found, "made_with": Jsonb(clean_json(look.made_with))}
        when = {"looked_at": look.looked_at, "files": look.files, "newest": look.newest}
        self._database.run(SQL.keep_look, {**own, **kept, **when})
        self._database.run(SQL.forget_looks, {**own, "most": most})

    def looks(self, owner: str, search_id: str) -> list[Look]:
        """The looks at a search that are kept, newest first."""
        return self._database.rows(SQL.looks, {"owner": owner, "search": search_id}, kwargs_row(_look))

    def files_now(self, file_ids: Sequence[str]) -> dict[str, FileNow]:
        """Of these files those that are still listed, by id. Of what the reader may not read, that alone is told."""
        rows = self._database.rows(SQL.files_now, {"files": list(file_ids), "reader": self._database.reader})
        return {file_id: FileNow(*known) for file_id, *known in rows}

    def index_now(self) -> tuple[Mapping[str, str], int, datetime | None]:
        """The parts the index is made with, by name, how many of its files the reader may find, when one came last."""
        [(model, calibration, files, newest)] = self._database.rows(SQL.index_now, {"reader": self._database.reader})
        return {"index_model": model, "calibration": calibration}, files, newest

    def of(self, owner: str) -> list[OwnSearch]:
        """The searches of that owner, those asked last first."""
        return self._database.rows(SQL.searches, {"owner": owner}, kwargs_row(_own_search))

    def forget(self, owner: str, search_ids: Sequence[str]) -> int:
        """Forget searches of that owner; returns how many there were."""
        return self._database.run(SQL.forget, {"owner": owner, "searches": list(search_ids)})

    def asked(self, owner: str, days: int, fewest: int) -> list[AskedQuestion]:
        """Questions of so many last days that led whoever asks now to a file: own ones, and those that at least
        `fewest` people keep and that led to it at least as often; the most usual first."""
        values = {"owner": owner, "days": days, "fewest": fewest, "reader": self._database.reader}
        return self._database.rows(SQL.asked, values, kwargs_row(_asked_question))

    def parts_holding(self, terms: Collection[str]) -> dict[str, float]:
        """The part of all chunks that hold a term, in (0, 1], for each that one holds."""
        return dict(self._database.rows(SQL.parts_holding, {"terms": list(terms)}))


def _asked_question(*, file_ids: list[str], **columns: Any) -> AskedQuestion:
    return AskedQuestion(file_ids=tuple(file_ids), **columns)


def _values(owner: str, search_id: str, question: str, filters: str) -> dict[str, object]:
    return {"owner": owner, "search": search_id, "question": clean(question), "filters": clean(filters)}


def _look(*, found: list[tuple[str, dict[str, str], list[str]]], **columns: Any) -> Look:
    return Look(found=tuple(KeptHit(one, versions, tuple(folded)) for one, versions, folded in found), **columns)


def _own_search(
    *, search_id: str, question: str, filters: str, asked_at: datetime, saved: bool, seen: list[str] | None
) -> OwnSearch:
    return OwnSearch(search_id, question, filters, asked_at, saved, None if seen is None else tuple(seen))
