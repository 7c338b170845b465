"""Words and vectors look at a part of the index first: it holds what a look at everything finds, filtered or not."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.search import index_search, keyword_search, vector_search
from locator_search.adapters.postgres.search import keyword_question as questions
from locator_search.adapters.postgres.search.keyword_question import KeywordQuestion, NameCounts, keyword_question
from locator_search.adapters.postgres.search.keyword_search import KeywordSearch
from locator_search.adapters.postgres.search.scope import EVERYTHING, Scope, scope_of
from locator_search.adapters.postgres.server.database import Connection
from locator_search.model import IndexEntry, RetrievalMode, RetrievalQuery, SearchFilters, Unit
from tests.builders.index import file_ref, index_entry, unit_vector, vector_at

FILES = 600
QUESTION = unit_vector("question")
FILTERS = [
    SearchFilters(),
    SearchFilters(mime_types=("text/plain", "text/html")),
    SearchFilters(mime_types=("text/html",)),
    SearchFilters(mime_types=("text/csv",)),
]
"""Pass all files, 19 in 20, one in 20, and three."""


def cosine_of(number: int) -> float:
    """Close together, in no order."""
    return 0.6 - 0.3 * (number * 7919 % FILES) / FILES


def entry(number: int) -> IndexEntry:
    mime_type = "text/html" if number % 20 == 0 else "text/csv" if number % 200 == 7 else "text/plain"
    words = " ".join(word for word, every in (("麒麟", 3), ("河馬", 7), ("犀", 11)) if number % every == 0)
    return index_entry(
        file_ref(f"file-{number:04}", mime_type=mime_type),
        [f"{words} 動物の話{' 麒麟' * (number % 5)}"],
        embedding=vector_at(0.0, QUESTION, f"own {number}"),
        chunk_embeddings=[vector_at(cosine_of(number), QUESTION, number)],
    )


@pytest.fixture(scope="module")
def entries() -> list[IndexEntry]:
    return [entry(number) for number in range(FILES)]


@pytest.fixture
def index(database: Database, entries: list[IndexEntry]) -> PostgresIndexStore:
    index = PostgresIndexStore(database)
    index.replace_many(entries, "pipeline-1")
    return index


def asked(mode: RetrievalMode, filters: SearchFilters, threshold: float = 0.0) -> RetrievalQuery:
    return RetrievalQuery(
        "麒麟と河馬と犀", filters=filters, threshold=threshold, mode=mode, with_facets=False, limit=15
    )


def passing(entries: list[IndexEntry], filters: SearchFilters) -> list[IndexEntry]:
    return [one for one in entries if not filters.mime_types or one.file.mime_type in filters.mime_types]


def test_the_nearest_are_the_nearest_of_all_that_pass_and_all_that_pass_are_counted(
    index: PostgresIndexStore, entries: list[IndexEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    for codes in (vector_search.CODES, 100):  # every code, and a few of them
        monkeypatch.setattr(vector_search, "CODES", codes)
        monkeypatch.setattr(vector_search, "FIRST", 20)
        for filters in FILTERS:
            pass_it = passing(entries, filters)
            cosines = {one.file.file_id: float(np.asarray(one.chunks[0].embedding) @ QUESTION) for one in pass_it}
            least = sorted(cosines.values())[-min(15, len(cosines))]
            found = index.retrieve(asked("vector", filters), QUESTION)
            right = [one for one in found.evidence if cosines[one.file_id] >= least - 1e-6]
            assert len(found.evidence) == min(15, len(cosines))
            assert len(right) / len(found.evidence) >= 0.9, (codes, filters)
            assert found.hit_count == len(pass_it)
            assert np.isclose(max(cosines.values()), found.evidence[0].cosine or 0.0, atol=1e-5)


def test_words_are_found_alike_by_the_texts_that_pass_and_by_those_that_hold_them(
    index: PostgresIndexStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for threshold, filters in product((0.0, 0.7), FILTERS[1:]):
        answers = []
        for few in (0, 10**9):
            monkeypatch.setattr(keyword_search, "FEW_CHUNKS", few)
            found = index.retrieve(asked("keyword", filters, threshold), None)
            answers.append([(one.file_id, one.score) for one in found.evidence])
            assert found.hit_count > 0 or threshold
        assert answers[0] == answers[1]


def test_the_first_by_words_are_found_where_rare_words_and_pairs_of_common_ones_are(
    index: PostgresIndexStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyword_search, "LEADING_CHUNKS", 60)  # the rhinoceros is in 55 chunks, the hippopotamus in 86
    with database.snapshot() as connection:
        question = keyword_question(connection, asked("keyword", SearchFilters()))
        words = KeywordSearch(question, EVERYTHING)
        looked_at: dict[int, tuple[list[str], int]] = {}
        for depth in (8, 280):
            explained: Any = Explained(connection)
            looked_at[depth] = words.first(explained, depth), len(explained.plans)
        monkeypatch.setattr(keyword_search, "leading", lambda *_: None)
        of_all = words.first(connection, 280)
    assert len(of_all) == 280
    assert looked_at[8] == (of_all[:8], 1)
    assert looked_at[280] == (of_all, 2), "where these are too few, all are looked at"


def test_a_filter_that_lets_everything_through_costs_as_much_as_none(
    index: PostgresIndexStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    scopes: list[Scope] = []

    def searched(question: KeywordQuestion, scope: Scope, unit: Unit) -> KeywordSearch:
        scopes.append(scope)
        return KeywordSearch(question, scope, unit)

    monkeypatch.setattr(index_search, "KeywordSearch", searched)
    every = SearchFilters(mime_types=("text/plain", "text/html", "text/csv"))
    assert index.retrieve(asked("keyword", every), None) == index.retrieve(asked("keyword", FILTERS[0]), None)
    index.retrieve(asked("keyword", FILTERS[1]), None)
    assert scopes[:2] == [EVERYTHING, EVERYTHING]
    assert scopes[2].limits


@pytest.mark.parametrize(("filters", "one_by_one"), [(FILTERS[1], False), (FILTERS[3], True)])
def test_texts_that_pass_are_read_one_by_one_where_these_are_fewer_than_those_with_the_words(
    index: PostgresIndexStore, database: Database, filters: SearchFilters, *, one_by_one: bool
) -> None:
    _, first, hits, _ = plans_of_the_words(database, filters)
    assert ("file_chunk_terms" in hits) != one_by_one
    for plan in (first, hits):
        assert "Seq Scan on drive_file_index" not in plan, "nor are all names read"
    assert ("drive_file_index_name_terms" in hits) != one_by_one


def test_names_that_hold_a_term_are_counted_once_a_minute_where_they_are_many(
    index: PostgresIndexStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report is in all names and in no text, the giraffe is in texts."""
    clock = [0.0]
    monkeypatch.setattr(questions, "monotonic", lambda: clock[0])
    monkeypatch.setattr(questions, "MANY_NAMES", FILES)
    query, kept = replace(asked("keyword", SearchFilters()), query="報告書 麒麟"), NameCounts()

    def counted(names: NameCounts | None = None, reader: list[str] | None = None) -> dict[str, int]:
        with database.snapshot() as connection:
            question = keyword_question(connection, query, reader, names=names)
        return {term.term: term.frequency for term in question.terms}

    exact = counted(kept)
    assert max(exact.values()) == FILES > exact["w:麒麟"] > 0
    assert set(kept.fresh().values()) == {FILES}, "few are counted each time"
    index.replace_many([entry(FILES), entry(FILES + 1)], "pipeline-1")
    more = counted()
    assert max(more.values()) == FILES + 2
    assert counted(kept) == more | {term: FILES for term, number in exact.items() if number == FILES}
    assert counted(kept)["w:麒麟"] == more["w:麒麟"] > exact["w:麒麟"]
    assert not any(counted(kept, ["anyone"]).values()), "nobody may read a file"
    clock[0] = questions.NAMES_KEPT_SECONDS
    assert counted(kept) == more


def test_to_a_reader_common_words_are_not_looked_up_once_a_readable_text_holds_them(
    index: PostgresIndexStore, database: Database
) -> None:
    query, everybody = asked("keyword", SearchFilters()), ["anyone"]
    with database.snapshot() as connection:
        unread = keyword_question(connection, query, everybody)
        known = keyword_question(connection, query, everybody, [f"file-{number:04}" for number in range(12)])
        whole = keyword_question(connection, query)
    assert not any(term.found for term in unread.terms), "nobody may read a file"
    assert known.terms == whole.terms


class Explained:
    """A connection that keeps the plan of every query."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.plans: list[str] = []

    def execute(self, statement: str, values: Any = None, **how: Any) -> Any:
        if not statement.startswith("SET"):
            rows = self.connection.execute("EXPLAIN " + statement, values, prepare=False).fetchall()
            self.plans.append("\n".join(row[0] for row in rows))
        return self.connection.execute(statement, values, **how)


def plans_of_the_words(database: Database, filters: SearchFilters) -> list[str]:
    with database.snapshot() as connection:
        explained: Any = Explained(connection)
        query = asked("keyword", filters)
        question, scope = keyword_question(explained, query), scope_of(connection, query, "UTC")
        KeywordSearch(question, scope).first(explained, 10)
        KeywordSearch(question, scope).hits(explained, 0.5, [])
        KeywordSearch(question, scope, "chunk").first(explained, 10)
        assert connection.execute("SHOW enable_seqscan").fetchone() == ("on",)
    plans: list[str] = explained.plans
    return plans


@pytest.mark.parametrize("filters", [SearchFilters(), SearchFilters(mime_types=("text/html",))])
def test_words_are_looked_up_by_their_index_even_where_the_planner_takes_a_scan_for_cheaper(
    index: PostgresIndexStore, database: Database, filters: SearchFilters, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = plans_of_the_words(database, filters)
    assert len(plans) == 4
    assert not [plan for plan in plans if "Seq Scan on file_chunk" in plan]
    monkeypatch.setattr(questions, "by_index", nullcontext)
    monkeypatch.setattr(keyword_search, "by_index", nullcontext)
    assert [plan for plan in plans_of_the_words(database, filters) if "Seq Scan on file_chunk" in plan]


def test_what_is_not_asked_for_leaves_the_plan(index: PostgresIndexStore, database: Database) -> None:
    """Without a filter nothing is joined with the files that pass, nor are the texts of few files read one by one."""
    for plan in plans_of_the_words(database, SearchFilters())[1:]:
        assert "Scan on passing" not in plan
