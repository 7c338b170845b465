"""What a VersionReader tells about contents."""

from __future__ import annotations

from collections import Counter

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.index.documents import COMPARED_CHUNKS, MOST_CHUNKS, PostgresVersionReader
from locator_search.adapters.postgres.index.term_weights import weighted
from locator_search.text.terms import analyse
from tests.builders.index import file_ref, index_entry


@pytest.fixture
def reader(database: Database) -> PostgresVersionReader:
    index = PostgresIndexStore(database)
    for name in ("a", "b"):
        index.replace(index_entry(file_ref(name), ["見積書の第一章", "見積書の第二章、見積書と見積書"]), "1")
    index.replace(index_entry(file_ref("long"), [f"第{n}行" for n in range(COMPARED_CHUNKS + 5)]), "1")
    return PostgresVersionReader(database)


def test_terms_are_those_of_all_chunks_with_their_occurrences_and_not_those_of_the_name(
    reader: PostgresVersionReader,
) -> None:
    expected: Counter[int] = Counter()
    for text in ("見積書の第一章", "見積書の第二章、見積書と見積書"):
        terms = analyse(text)
        expected.update({dimension(term): n for term, n in zip(terms.terms, terms.frequencies, strict=True)})
    assert reader.term_counts(["a", "unknown"]).keys() == {"a"}
    assert held(reader, "a") == expected


def test_of_a_long_file_only_the_beginning_is_read_and_of_many_files_less_of_each(
    reader: PostgresVersionReader,
) -> None:
    def lines(*others: str) -> int:
        return held(reader, "long", *others)[dimension("w:行")]

    assert lines() == COMPARED_CHUNKS
    assert lines(*map(str, range(MOST_CHUNKS // 4 - 1))) == 4


def dimension(term: str) -> int:
    (place,) = weighted([(term, 1.0)]).indices()
    return int(place)


def held(reader: PostgresVersionReader, file_id: str, *others: str) -> Counter[int]:
    counts: Counter[int] = Counter()
    for term, count in zip(*reader.term_counts([file_id, *others])[file_id], strict=True):
        counts[int(term)] += int(count)
    return +counts


def test_no_files_are_no_contents(reader: PostgresVersionReader) -> None:
    assert (reader.keys([]), reader.term_counts([])) == ({}, {})
