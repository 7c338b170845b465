"""Finds the files whose text is not in the index, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

from psycopg.rows import args_row, dict_row

from locator_search.adapters.postgres.index.term_weights import NAME, weighted
from locator_search.adapters.postgres.search.keyword_question import KeywordQuestion, keyword_question
from locator_search.adapters.postgres.search.scope import values_of
from locator_search.adapters.postgres.search.side_by_side import by_index
from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.statements import statements
from locator_search.indexing.entry import terms_of_name
from locator_search.model import FileRef, RetrievalQuery, SearchCoverage, SearchFilters, UnreadFile
from locator_search.retrieval.calibration import keyword_calibration
from locator_search.retrieval.query_terms import QueryTerm
from locator_search.retrieval.unread import says_whole_name
from locator_search.text.file_types import MIME_ALIASES

SQL = statements(__name__)

CANDIDATES = 200
"""Names that are compared with the question."""

LEAST_SHARE = 0.2
"""Share of the question below which a file is not even a candidate: the least of a name said within a long question."""

OWN_SHARE = 0.5
"""Part of what a file holds of the question that its own name must hold. The rest may be its folder's."""


class PostgresUnreadReader:
    """An UnreadReader over PostgreSQL. Periods of questions are those of `time_zone`."""

    def __init__(self, database: Database, *, time_zone: str = "Asia/Tokyo") -> None:
        self._database = database
        self._time_zone = time_zone

    def matching(self, query: RetrievalQuery, limit: int) -> list[UnreadFile]:
        """At most `limit` files, those first of which the query says the whole name."""
        reader = self._database.reader
        with self._database.searched.snapshot() as connection:
            question = keyword_question(connection, query, reader)
            rows = self._candidates(connection, question, query.filters, reader)
            left_out = {
                row["file_id"]
                for other in query.filters.but_not
                for row in self._candidates(connection, question, other, reader)
            }
        least = keyword_calibration(question.chunks).raw_at(query.threshold)
        found = [_unread(row, query.query) for row in rows if row["file_id"] not in left_out]
        named = [one for one, _ in found if one.named]
        fitting = (one for one, share in found if not one.named and share >= least and _by_itself(one, question, share))
        return list(islice(chain(named, fitting), limit))

    def coverage(self) -> SearchCoverage:
        """How many files are listed, and how many are searched."""
        return self._database.row(
            SQL.coverage, {"reader": self._database.reader}, args_row(SearchCoverage)
        ) or SearchCoverage(0, 0)

    def _candidates(
        self, connection: Connection, question: KeywordQuestion, filters: SearchFilters, reader: list[str] | None
    ) -> list[dict[str, Any]]:
        wanted = set(filters.mime_types)
        values = {
            **values_of(filters, self._time_zone),
            "reader": reader,
            "suffixes": [suffix for suffix, types in MIME_ALIASES.items() if wanted.intersection(types)],
            "held": weighted(
                (NAME + one, max(term.mass, term.floor))
                for term, spellings in zip(question.terms, question.spellings, strict=True)
                for one in spellings
            ),
            "decisive": _decisive(question.terms),
            "limit": CANDIDATES,
        }
        with by_index(connection), connection.cursor(row_factory=dict_row) as cursor:
            # Not prepared: a generic plan would not see how rare the terms are.
            return cursor.execute(SQL.unread_like, values, prepare=False).fetchall()


def _decisive(terms: Sequence[QueryTerm]) -> list[str]:
    """The rarest terms, of which every file with LEAST_SHARE holds one; those of no indexed file among them."""
    chosen: list[str] = []
    rest = 1.0
    for term in terms:
        if rest < LEAST_SHARE:
            break
        chosen += (term.term, *term.alternatives)
        rest -= term.mass
    return chosen


def _unread(row: dict[str, Any], question: str) -> tuple[UnreadFile, float]:
    share = row.pop("share")
    file = {name: row.pop(name) for name in FileRef.__dataclass_fields__ if name in row}
    known = FileRef(**file | {"parent_ids": tuple(file["parent_ids"])})
    return UnreadFile(known, **row, named=says_whole_name(question, known.file_name)), share


def _by_itself(one: UnreadFile, question: KeywordQuestion, share: float) -> bool:
    own = set(terms_of_name(one.file.file_name).terms)
    held = sum(term.mass for term in question.terms if own.intersection((term.term, *term.alternatives)))
    return held >= OWN_SHARE * share
