"""Keyword scores are those of BM25 over what the index holds now, whatever it held before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locator_search.adapters.ledger_stores.catalogue import PostgresLedgerCatalogue
from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresIndexStore
from locator_search.model import IndexEntry, Matching, RetrievalQuery
from locator_search.retrieval.query_terms import terms_of
from locator_search.retrieval.term_weights import LENGTH_NORMALISATION, SATURATION
from locator_search.text.terms import analyse
from tests.builders.index import file_ref, index_entry
from tests.builders.registry import all_known

WORDS = ("予算", "会議", "麒麟", "A-100", "budget", "経費精算", "plan", "議事録")
QUESTIONS = ("予算の会議", "A-100 budget plan", "麒麟", "経費精算の議事録、予算と会議と plan")

Texts = tuple[str, ...]
Step = tuple[str, dict[str, Texts]]
"""A step of a test: files written one by one, written at once, or deleted."""

texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map("、".join)
    # A word that is repeated, and a chunk that is far longer than the others: the mean length moves.
    | st.tuples(st.sampled_from(WORDS), st.integers(1, 300)).map(lambda pair: "、".join([pair[0]] * pair[1])),
    max_size=4,
).map(tuple)
steps = st.lists(
    st.tuples(
        st.sampled_from(["one by one", "at once", "delete"]),
        st.dictionaries(st.sampled_from([f"file-{n}" for n in range(6)]), texts, min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=8,
)

ONE_DATABASE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]  # emptied before each example


@given(steps=steps)
@settings(max_examples=12, deadline=None, suppress_health_check=ONE_DATABASE)
def test_scores_equal_a_reference_bm25_after_any_sequence_of_writes_and_deletes(
    database: Database, steps: list[Step]
) -> None:
    compare_after(database, steps)


@pytest.mark.large
@given(steps=steps)
@settings(max_examples=400, deadline=None, suppress_health_check=ONE_DATABASE)
def test_scores_equal_a_reference_bm25_after_very_many_sequences(database: Database, steps: list[Step]) -> None:
    compare_after(database, steps)


def compare_after(database: Database, steps: Sequence[Step]) -> None:
    index = PostgresIndexStore(database)
    index.delete(list(all_known(PostgresFileRegistry(database))))  # of the example before
    held: dict[str, IndexEntry] = {}
    for how, files in steps:
        entries = {file_id: index_entry(file_ref(file_id), own) for file_id, own in files.items()}
        if how == "delete":
            index.delete(list(files))
            held = {file_id: entry for file_id, entry in held.items() if file_id not in files}
            continue
        if how == "at once":
            index.replace_many(list(entries.values()), "pipeline-1")
        for entry in entries.values() if how == "one by one" else ():
            index.replace(entry, "pipeline-1")
        held |= entries
    for question in QUESTIONS:
        expected = reference(held, analyse(question).terms)
        with PostgresLedgerCatalogue(database).view() as view:
            found = view.by_words(question, 1000)
        assert found == pytest.approx(expected, rel=1e-4), question
        of_files = {
            evidence.file_id: evidence.explain["keyword"]["bm25"]  # type: ignore[index]
            for evidence in index.retrieve(
                RetrievalQuery(
                    question,
                    threshold=0.0,
                    mode="keyword",
                    limit=1000,
                    with_facets=False,
                    matching=Matching(off=("office",)),
                ),
                None,
            ).evidence
            if "keyword" in evidence.explain
        }
        best: dict[str, float] = {}
        for chunk_id, score in reference(held, terms_of(question, ())).items():
            file_id = chunk_id.partition("#")[0]
            best[file_id] = max(best.get(file_id, 0.0), score)
        assert {file_id: score for file_id, score in of_files.items() if score > 0} == pytest.approx(best, rel=1e-4)


def reference(held: Mapping[str, IndexEntry], terms: Sequence[str]) -> dict[str, float]:
    """Okapi BM25 with Lucene's idf, by chunk id, as a textbook has it."""
    chunks = {
        f"{file_id}#{chunk.chunk.ordinal}": dict(zip(chunk.terms.terms, chunk.terms.frequencies, strict=True))
        for file_id, entry in held.items()
        for chunk in entry.chunks
    }
    if not chunks:
        return {}
    mean = sum(sum(counts.values()) for counts in chunks.values()) / len(chunks)
    scores = {}
    for chunk_id, counts in chunks.items():
        score = 0.0
        for term in terms:
            df = sum(term in other for other in chunks.values())
            idf = math.log(1 + (len(chunks) - df + 0.5) / (df + 0.5))
            tf = counts.get(term, 0)
            norm = 1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * sum(counts.values()) / mean
            score += idf * tf * (SATURATION + 1) / (tf + SATURATION * norm)
        if score > 0:
            scores[chunk_id] = score
    return scores
