"""Retrieval against slow and obvious reference implementations."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import PurePath
from typing import get_args
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.model import (
    Evidence,
    Facet,
    FacetName,
    IndexEntry,
    Period,
    PeriodBy,
    RetrievalMode,
    RetrievalQuery,
    SearchFilters,
)
from locator_search.retrieval.calibration import KEYWORD_CALIBRATION, Calibration
from locator_search.retrieval.fusion import Found, WordScores, fuse
from locator_search.retrieval.query_terms import QueryTerm, alternatives_of, terms_of, weigh
from locator_search.retrieval.term_weights import how_telling
from locator_search.text.terms import is_numbered
from locator_search.text.variants.finding import find_variants
from tests.builders.index import DIMENSIONS, NOON, file_ref, index_entry, unit_vector, vector_at

STRAIGHT = Calibration(((0.0, 0.0), (1.0, 1.0)))
TOKYO = "Asia/Tokyo"
MAY = Period(date(2024, 5, 1), date(2024, 6, 1))
A_YEAR = Period(date(2024, 4, 1), date(2025, 4, 1))
ONE_WEEK = Period(date(2024, 5, 6), date(2024, 5, 13))
WORDS = (
    "予算",
    "売上",
    "議事録",
    "契約書",
    "麒麟",
    "河馬",
    "会議",
    "報告",
    "経費",
    "採用",
    "A-100",
    "B-200",
    "plan",
    "budget",
)
QUESTION = unit_vector("question")


def a_company(seed: int, files: int = 60) -> list[IndexEntry]:
    """Files whose words, cosines, dates, folders, types and owners are drawn at random."""
    draw = random.Random(seed)
    entries = []
    for number in range(files):
        chunks = draw.randint(0, 4)
        month = draw.randint(1, 12)
        entries.append(
            index_entry(
                file_ref(
                    f"file-{number:03}",
                    f"{draw.choice(WORDS)}{number}.{draw.choice(('txt', 'pdf'))}",
                    mime_type=draw.choice(("text/plain", "application/pdf", "text/csv")),
                    modified_at=NOON.replace(month=month) + timedelta(hours=draw.randint(-300, 300)),
                    folder_path=draw.choice(("会社", "会社/営業", "会社/営業企画", "会社/営業/東京", "会社/総務")),
                    owner=draw.choice((None, "佐藤", "鈴木")),
                ),
                ["、".join(draw.choices(WORDS, k=draw.randint(1, 12))) for _ in range(chunks)],
                embedding=vector_at(draw.random(), QUESTION, f"{seed} {number}"),
                chunk_embeddings=[vector_at(draw.random(), QUESTION, f"{seed} {number} {c}") for c in range(chunks)],
                keywords=tuple(draw.sample(WORDS, k=draw.randint(0, 3))),
                period=draw.choice(
                    (None, A_YEAR if number % 5 == 0 else Period(date(2024, month, 1), date(2024, month, 28)))
                ),
            )
        )
    return entries


def filters_of_every_kind() -> list[SearchFilters]:
    return [
        SearchFilters(),
        SearchFilters(modified_after=NOON),
        SearchFilters(modified_before=NOON),
        *(SearchFilters(period=period, period_by=by) for period in (MAY, ONE_WEEK) for by in get_args(PeriodBy)),
        SearchFilters(mime_types=("application/pdf", "text/csv")),
        SearchFilters(folders=("会社/営業",)),
        SearchFilters(folders=("会社/営業/", "会社/総務")),
        SearchFilters(owners=("佐藤",)),
        SearchFilters(keywords=("予算",)),
        SearchFilters(keywords=(WORDS[0], WORDS[1])),
        SearchFilters(file_ids=("file-001", "file-002", "file-003", "unknown")),
        SearchFilters(mime_types=("text/plain",), folders=("会社",), modified_after=NOON.replace(month=3)),
    ]


def passes(entry: IndexEntry, filters: SearchFilters) -> bool:
    """The filters as `SearchFilters` describes them, word for word."""
    file, modified_at = entry.file, entry.file.modified_at
    in_period = True
    if filters.period is not None:
        day = modified_at.astimezone(ZoneInfo(TOKYO)).date()
        own = entry.document_period
        if own is None:
            in_period = filters.period_by != "stated" and filters.period.start <= day < filters.period.end
        else:
            longest = (31 if filters.period_by == "any" else 1.5) * (filters.period.end - filters.period.start)
            in_period = own.start < filters.period.end and filters.period.start < own.end
            in_period = in_period and own.end - own.start <= longest
    return (
        in_period
        and (filters.modified_after is None or modified_at >= filters.modified_after)
        and (filters.modified_before is None or modified_at < filters.modified_before)
        and (not filters.mime_types or file.mime_type in filters.mime_types)
        and (
            not filters.folders
            or any(f"{file.folder_path}/".startswith(f"{folder.rstrip('/')}/") for folder in filters.folders)
        )
        and (not filters.owners or file.owner in filters.owners)
        and set(filters.keywords) <= set(entry.summary.keywords)
        and set(filters.names) <= set(re.split(r"[][_\s　・【】「」（）()]+", PurePath(file.file_name).stem))
        and not any(passes(entry, other) for other in filters.but_not)
        and (not filters.file_ids or file.file_id in filters.file_ids)
    )


def best_cosine(entry: IndexEntry) -> float:
    embeddings = (entry.embedding, *(chunk.embedding for chunk in entry.chunks))
    return max(float(vector @ QUESTION) for vector in embeddings if vector is not None)


def weighed(entries: Sequence[IndexEntry], query: str) -> list[QueryTerm]:
    chunks = [set(chunk.terms.terms) for entry in entries for chunk in entry.chunks]
    names = [set(entry.name_terms.terms) for entry in entries]
    terms = terms_of(query, ())
    alternatives = alternatives_of(terms, query, find_variants(query))
    frequencies = {
        term: sum(term in chunk for chunk in chunks) or sum(term in name for name in names)
        for term in {*terms, *(other for others in alternatives.values() for other in others)}
    }
    bearers = {
        term: sum(
            any(term in text for text in (entry.name_terms.terms, *(chunk.terms.terms for chunk in entry.chunks)))
            for entry in entries
        )
        for term in terms
        if is_numbered(term)
    }
    return weigh(terms, frequencies, bearers, len(chunks), alternatives, how_telling(query))


def best_share(entry: IndexEntry, terms: Sequence[QueryTerm]) -> float:
    name = set(entry.name_terms.terms)
    texts = [name, *(name | set(chunk.terms.terms) for chunk in entry.chunks)]
    return max(
        max(
            math.fsum(term.mass for term in terms if text & {term.term, *term.alternatives}),
            max((term.floor for term in terms if text & {term.term, *term.alternatives}), default=0.0),
        )
        for text in texts
    )


def is_hit(entry: IndexEntry, terms: Sequence[QueryTerm], threshold: float, mode: RetrievalMode) -> bool:
    near = mode != "keyword" and STRAIGHT.similarity(best_cosine(entry)) >= threshold
    worded = mode != "vector" and KEYWORD_CALIBRATION.similarity(best_share(entry, terms) + 1e-9) >= threshold
    return near or worded


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
@pytest.mark.parametrize("seed", [1, 2])
def test_counts_equal_brute_force_under_every_filter(database: Database, mode: RetrievalMode, seed: int) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    entries = a_company(seed)
    for entry in entries:
        index.replace(entry, "pipeline-1")
    seen: set[int] = set()
    for query in ("予算の議事録", "A-100 の契約書はどこ", "麒麟 budget plan"):
        terms = weighed(entries, query)
        for filters in filters_of_every_kind():
            for threshold in (0.60, 0.70, 0.82):
                asked = RetrievalQuery(query, filters=filters, threshold=threshold, mode=mode, limit=7)
                found = index.retrieve(asked, QUESTION)
                expected = {
                    entry.file.file_id
                    for entry in entries
                    if passes(entry, filters) and is_hit(entry, terms, threshold, mode)
                }
                assert found.hit_count == len(expected), (asked, sorted(expected))
                assert len(found.evidence) == min(7, len(expected))
                assert {evidence.file_id for evidence in found.evidence} <= expected
                assert all(evidence.similarity >= threshold - 1e-6 for evidence in found.evidence)
                seen.add(len(expected))
    assert len(seen) > 8, "the questions must lead to many different counts, or this test shows nothing"


def test_every_count_of_a_facet_is_what_its_value_finds_as_a_filter(database: Database) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    for entry in a_company(3):
        index.replace(entry, "pipeline-1")
    asked = RetrievalQuery("予算の議事録", threshold=0.6)
    facets = {facet.name: facet for facet in index.retrieve(asked, QUESTION).facets}
    assert set(facets) >= {"folder", "period", "type", "keyword", "owner"}
    for name, facet in facets.items():
        assert [value.count for value in facet.values] == sorted((v.count for v in facet.values), reverse=True)
        for value in facet.values:
            narrowed = RetrievalQuery("予算の議事録", threshold=0.6, filters=filter_of(name, value.value))
            assert index.retrieve(narrowed, QUESTION).hit_count == value.count, (name, value)


def filter_of(name: FacetName, value: str) -> SearchFilters:
    if name == "period":
        start = date.fromisoformat(f"{value}-01")
        return SearchFilters(period=Period(start, (start + timedelta(days=31)).replace(day=1)), period_by="dated")
    return {
        "folder": SearchFilters(folders=(value,)),
        "type": SearchFilters(mime_types=(value,)),
        "keyword": SearchFilters(keywords=(value,)),
        "name": SearchFilters(names=(value,)),
        "owner": SearchFilters(owners=(value,)),
    }[name]


def test_what_passes_one_of_but_not_does_not_pass(database: Database) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    entries = a_company(3)
    for entry in entries:
        index.replace(entry, "pipeline-1")
    asked = RetrievalQuery("予算の議事録", threshold=0.6)
    found = index.retrieve(asked, QUESTION)
    for facet in found.facets:
        chosen = tuple(filter_of(facet.name, value.value) for value in facet.values[:2])
        left = index.retrieve(replace(asked, filters=SearchFilters(but_not=chosen)), QUESTION)
        expected = [
            entry
            for entry in entries
            if is_hit(entry, weighed(entries, asked.query), 0.6, "hybrid")
            and passes(entry, SearchFilters(but_not=chosen))
        ]
        assert left.hit_count == len(expected), facet.name
        assert index.count_among(found.hits, SearchFilters(but_not=chosen)) == len(expected), facet.name
    assert index.count_among((), SearchFilters()) == 0


def test_folders_are_parted_at_the_level_that_parts_the_hits_best(database: Database) -> None:
    index = PostgresIndexStore(database)
    for number in range(60):
        folder = f"会社/{('営業', '総務')[number % 2]}/第{number % 6}課"
        index.replace(index_entry(file_ref(f"file-{number}", folder_path=folder), ["予算"]), "pipeline-1")
    facets = index.retrieve(RetrievalQuery("予算", mode="keyword"), None).facets
    assert set(values_of(facets, "folder").values()) == {10}, "departments leave another question, sections none"


def test_folders_are_parted_at_the_upper_of_two_levels_that_part_alike(database: Database) -> None:
    index = PostgresIndexStore(database)
    for number, folder in enumerate(("会社/営業/東京", "会社/営業/大阪", "会社/総務", "会社")):
        index.replace(index_entry(file_ref(f"file-{number}", folder_path=folder), ["予算"]), "pipeline-1")
    facets = index.retrieve(RetrievalQuery("予算", mode="keyword"), None).facets
    assert values_of(facets, "folder") == {"会社/営業": 2, "会社/総務": 1}


def values_of(facets: Sequence[Facet], name: FacetName) -> dict[str, int]:
    return {value.value: value.count for facet in facets if facet.name == name for value in facet.values}


def test_120_hits_with_a_limit_of_80_are_reported_as_120(database: Database) -> None:
    index = PostgresIndexStore(database)
    for number in range(120):
        index.replace(index_entry(file_ref(f"file-{number}"), ["週次レポート"]), "pipeline-1")
    found = index.retrieve(RetrievalQuery("週次レポート", limit=80), QUESTION)
    assert (found.hit_count, len(found.evidence)) == (120, 80)
    assert values_of(found.facets, "type") == {"text/plain": 120}


@pytest.mark.parametrize("hits", [0, 1, 2, 9, 10])
def test_the_count_is_exact_at_the_borders_of_the_branches(database: Database, hits: int) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    for number in range(12):
        cosine = 0.9 if number < hits else 0.1
        index.replace(index_entry(file_ref(f"file-{number}"), (), embedding=vector_at(cosine, QUESTION)), "pipeline-1")
    found = index.retrieve(RetrievalQuery("無関係", mode="vector"), QUESTION)
    assert found.hit_count == hits
    assert (found.top_similarity is None) == (hits == 0)


@pytest.mark.parametrize(("cosine", "found"), [(0.7501, 1), (0.7499, 0)])
def test_a_file_is_a_hit_from_its_threshold_on(database: Database, cosine: float, found: int) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    index.replace(index_entry(texts=(), embedding=vector_at(cosine, QUESTION)), "pipeline-1")
    assert index.retrieve(RetrievalQuery("無関係", threshold=0.75), QUESTION).hit_count == found


def bm25(entries: Sequence[IndexEntry], query: str) -> dict[str, float]:
    """Okapi BM25 with k1 = 0.8 and b = 0.9, and Lucene's idf; the best chunk of each file.

    A term with alternatives is as frequent as the most frequent of them, in a chunk and among the chunks.
    """
    alternatives = alternatives_of(terms_of(query, ()), query, find_variants(query))
    chunks = [(entry.file.file_id, chunk.terms) for entry in entries for chunk in entry.chunks]
    mean = sum(terms.length for _, terms in chunks) / len(chunks)
    best: dict[str, float] = {}
    for file_id, terms in chunks:
        frequencies = dict(zip(terms.terms, terms.frequencies, strict=True))
        score = 0.0
        for term in terms_of(query, ()):
            alike = (term, *alternatives.get(term, ()))
            tf = max(frequencies.get(one, 0) for one in alike)
            df = max(sum(one in other.terms for _, other in chunks) for one in alike)
            idf = math.log(1 + (len(chunks) - df + 0.5) / (df + 0.5))
            score += idf * tf * 1.8 / (tf + 0.8 * (0.1 + 0.9 * terms.length / mean))
        if score > 0:
            best[file_id] = max(best.get(file_id, 0.0), score)
    return best


@pytest.mark.parametrize("seed", [4, 5])
def test_keyword_scores_equal_a_reference_bm25_after_adding_replacing_and_deleting(
    database: Database, seed: int
) -> None:
    index = PostgresIndexStore(database)
    draw = random.Random(seed)
    kept: dict[str, IndexEntry] = {}
    for entry in (*a_company(seed, 30), *a_company(seed + 100, 20)):
        index.replace(entry, "pipeline-1")
        kept[entry.file.file_id] = entry
        if draw.random() < 0.3:
            gone = draw.choice(sorted(kept))
            index.delete([gone])
            del kept[gone]
    for query in ("予算の議事録", "A-100 の契約書", "麒麟 budget plan"):
        found = index.retrieve(RetrievalQuery(query, threshold=0.0, mode="keyword", limit=100), None)
        scores = {}
        for evidence in found.evidence:
            keyword = evidence.explain["keyword"]
            assert isinstance(keyword, dict)
            if keyword["bm25"] > 0:
                scores[evidence.file_id] = keyword["bm25"]
        assert scores == pytest.approx(bm25(list(kept.values()), query), rel=1e-9)


def test_a_long_file_that_answers_throughout_is_above_one_that_answers_in_one_place(database: Database) -> None:
    index = PostgresIndexStore(database)
    answer, other = "稟議の決裁の手順", "給茶機の水の補充"
    texts = {"one": (answer,), "place": (answer, *[other] * 7), "through": (*[answer] * 4, *[other] * 4)}
    for name, chunks in texts.items():
        index.replace(index_entry(file_ref(name, file_name=f"{name}.txt"), chunks), "pipeline-1")
    found = index.retrieve(RetrievalQuery("稟議の決裁", threshold=0.0, mode="keyword"), None).evidence
    scores = {one.file_id: part(one)["score"] for one in found}
    bm25 = part(found[0])["bm25"]
    assert scores == pytest.approx(
        {
            "one": bm25,
            "through": bm25 * (2 + (4 / (1 + math.log2(8))) ** (1 / 3)) / 3,
            "place": bm25 * (2 + (1 / (1 + math.log2(8))) ** (1 / 3)) / 3,
        },
        rel=1e-3,
    )


def part(evidence: Evidence) -> Mapping[str, float]:
    """The words' part of the explanation of a hit."""
    keyword = evidence.explain["keyword"]
    assert isinstance(keyword, dict)
    return keyword


def test_a_file_is_found_by_its_name_alone(database: Database) -> None:
    index = PostgresIndexStore(database)
    index.replace(index_entry(file_ref("named", "出張旅費規程.docx"), ["交通費と日当を定める。"]), "pipeline-1")
    for number in range(20):
        index.replace(index_entry(file_ref(f"other-{number}", "議事録.docx"), ["規程の話をした。"]), "pipeline-1")
    found = index.retrieve(RetrievalQuery("出張旅費規程"), unit_vector("far away"))
    assert [evidence.file_id for evidence in found.evidence] == ["named"]
    assert found.evidence[0].similarity_source == "keyword"


def test_an_exact_document_number_is_never_lost_among_other_words(database: Database) -> None:
    index = PostgresIndexStore(database)
    index.replace(index_entry(file_ref("numbered", "控え.pdf"), ["管理番号 KX-4711 の控え。"]), "pipeline-1")
    for number in range(40):
        index.replace(index_entry(file_ref(f"other-{number}"), [f"発注の件、担当は営業部です。{number}"]), "pipeline-1")
    question = "先日取引先から送ってもらったはずの KX-4711 の検収に関する資料を営業部の担当に見せたい"
    found = index.retrieve(RetrievalQuery(question), unit_vector("far away"))
    assert [evidence.file_id for evidence in found.evidence] == ["numbered"]


def test_one_common_word_does_not_make_everything_a_hit(database: Database) -> None:
    index = PostgresIndexStore(database)
    for number in range(30):
        index.replace(index_entry(file_ref(f"file-{number}"), [f"報告書の本文 {number}"]), "pipeline-1")
    found = index.retrieve(RetrievalQuery("麒麟の飼育計画の報告書"), unit_vector("far away"))
    assert found.hit_count == 0


def test_evidence_is_the_best_chunk_of_each_file_with_its_place(database: Database) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    near = [vector_at(0.2, QUESTION, 1), vector_at(0.9, QUESTION, 2), vector_at(0.3, QUESTION, 3)]
    index.replace(index_entry(texts=["序文", "予算は百万円とする。", "結び"], chunk_embeddings=near), "pipeline-1")
    found = index.retrieve(RetrievalQuery("予算はいくら"), QUESTION)
    evidence = found.evidence[0]
    assert (evidence.text, evidence.chunk_id) == ("予算は百万円とする。", "file-1#1")
    assert evidence.cosine == pytest.approx(0.9, abs=1e-4)
    assert "予算" in evidence.snippet


def test_the_words_that_a_hit_is_told_to_hold_are_none_of_any_sentence(database: Database) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    index.replace(index_entry(texts=["契約を更新します。"]), "pipeline-1")
    [evidence] = index.retrieve(RetrievalQuery("いつ更新しますか", threshold=0.1), QUESTION).evidence
    assert evidence.explain["matched_terms"] == ["更新"]


def test_every_hit_explains_its_place(database: Database) -> None:
    index = PostgresIndexStore(database, calibration=STRAIGHT)
    for entry in a_company(6):
        index.replace(entry, "pipeline-1")
    found = index.retrieve(RetrievalQuery("予算の議事録", threshold=0.6), QUESTION)
    told = []
    for evidence in found.evidence:
        vector, keyword = evidence.explain["vector"], evidence.explain.get("keyword")
        assert isinstance(vector, dict)
        assert isinstance(keyword, dict | None)
        words = WordScores(keyword["score"], keyword["bm25"]) if keyword else None
        ranks = vector["rank"], keyword["rank"] if keyword else None
        told.append(Found(evidence.file_id, vector["cosine"], words, *ranks))
        assert evidence.similarity == max(vector["similarity"], keyword["similarity"] if keyword else 0.0)
        assert evidence.explain["similarity_source"] == evidence.similarity_source
        if keyword:
            assert evidence.explain["matched_terms"]
    ranked = fuse(told, weight=0.6)
    assert [evidence.file_id for evidence in found.evidence] == [one.key for one, _ in ranked]
    assert [evidence.score for evidence in found.evidence] == pytest.approx([score for _, score in ranked])
    assert found.top_similarity == pytest.approx(max(evidence.similarity for evidence in found.evidence))


def test_ranks_can_be_fused_instead_of_scores(database: Database) -> None:
    PostgresIndexStore(database).replace(index_entry(texts=["予算"]), "pipeline-1")
    by_rank = PostgresIndexStore(database, fusion="ranks", calibration=STRAIGHT)
    found = by_rank.retrieve(RetrievalQuery("予算", threshold=0.0), unit_vector("file-1"))
    assert found.evidence[0].explain["fusion"] == "ranks"
    assert found.evidence[0].score == pytest.approx(1.0)


def test_a_threshold_of_zero_ranks_whatever_is_found(database: Database) -> None:
    index = PostgresIndexStore(database)
    for number in range(5):
        index.replace(index_entry(file_ref(f"file-{number}"), ["予算" if number < 2 else "雑"]), "pipeline-1")
    hybrid = index.retrieve(RetrievalQuery("予算", threshold=0.0), QUESTION)
    keyword = index.retrieve(RetrievalQuery("予算", threshold=0.0, mode="keyword"), None)
    assert (hybrid.hit_count, keyword.hit_count) == (5, 2)
    assert {evidence.file_id for evidence in hybrid.evidence[:2]} == {"file-0", "file-1"}


@pytest.mark.parametrize("query", ["", " ", "の", "' OR true --", "%s %(x)s", "\0", "'; DROP TABLE file_chunk; --"])
@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_no_question_breaks_a_statement(database: Database, query: str, mode: RetrievalMode) -> None:
    index = PostgresIndexStore(database)
    index.replace(index_entry(texts=["本文"]), "pipeline-1")
    hostile = SearchFilters(folders=("会社' OR true --", "会社%"), owners=("'",))
    assert index.retrieve(RetrievalQuery(query, filters=hostile, mode=mode), QUESTION).hit_count == 0
    index.retrieve(RetrievalQuery(query, mode=mode, threshold=0.0), QUESTION)


def test_an_empty_index_finds_nothing(database: Database) -> None:
    found = PostgresIndexStore(database).retrieve(RetrievalQuery("予算"), QUESTION)
    assert (found.evidence, found.hit_count, found.top_similarity) == ((), 0, None)


def test_a_zero_vector_as_a_question_finds_nothing_by_vector(database: Database) -> None:
    index = PostgresIndexStore(database)
    index.replace(index_entry(), "pipeline-1")
    nothing = np.zeros(DIMENSIONS, dtype=np.float32)
    assert index.retrieve(RetrievalQuery("無関係", mode="vector"), nothing).hit_count == 0


def test_a_month_begins_at_midnight_of_the_zone(database: Database) -> None:
    index = PostgresIndexStore(database, time_zone=TOKYO)
    late = datetime(2024, 8, 31, 16, 0, tzinfo=ZoneInfo("UTC"))  # 1 September, 1:00 in Tokyo
    index.replace(index_entry(file_ref(modified_at=late), ["予算"]), "pipeline-1")
    september = SearchFilters(period=Period(date(2024, 9, 1), date(2024, 10, 1)))
    found = index.retrieve(RetrievalQuery("予算", filters=september, mode="keyword"), None)
    assert found.hit_count == 1
    assert values_of(found.facets, "period") == {"2024-09": 1}
