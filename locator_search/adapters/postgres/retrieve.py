"""Runs a retrieval: weighs the terms, asks both arms, fuses them and reads what is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres import retrieval_sql as sql
from locator_search.adapters.postgres.database import Connection
from locator_search.adapters.postgres.evidence_rows import Found, make_evidence, similarities
from locator_search.adapters.postgres.facets import facet_values, facets_of
from locator_search.adapters.postgres.filters import conditions
from locator_search.adapters.postgres.rows import clean
from locator_search.adapters.postgres.spelled_otherwise import files_spelled_otherwise
from locator_search.model import Evidence, Facet, Retrieval, RetrievalQuery, Variant
from locator_search.retrieval.calibration import Calibration, keyword_calibration
from locator_search.retrieval.fusion import Fusion, fuse, keyword_weight
from locator_search.retrieval.query_terms import (
    MOST_BEARERS,
    QueryTerm,
    alternatives_of,
    decisive,
    is_document_number,
    terms_of,
    weigh,
)
from locator_search.text.variants.finding import find_variants, variants_in_use

if TYPE_CHECKING:
    from locator_search.model import Vector

CANDIDATE_CHUNKS = 1500
"""Chunks the keyword arm ranks at least, where so many hold one of the terms."""

NAME_WEIGHT = 0.6
"""What a term in the file's name, keywords or folder adds to BM25, in units of its idf."""

ARM_DEPTH = 1000
"""Files of each arm that take part in the fusion; never fewer than the limit asked for."""

SNIPPETS = 20
"""Files whose best place is looked for in the text: as many as a search ever shows. Finding it takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How an index is searched: its embedding model with its calibration, the fusion, the zone of its days."""

    embedding_model: str
    calibration: Calibration
    fusion: Fusion
    time_zone: str


@dataclass(frozen=True, slots=True)
class Hits:
    """What statement 2 returns. `best` holds the first of each arm; the other values speak of all hits."""

    count: int
    top_cosine: float | None
    top_share: float | None
    facets: tuple[Facet, ...]
    best: dict[str, Found]


def retrieve(connection: Connection, query: RetrievalQuery, embedding: Vector | None, manner: Manner) -> Retrieval:
    """One retrieval inside a read-only transaction. At a threshold of 0 whatever is found is a hit."""
    return _Retriever(connection, query, embedding, manner).retrieval()


class _Retriever:
    def __init__(self, connection: Connection, query: RetrievalQuery, embedding: Vector | None, manner: Manner) -> None:
        self._connection = connection
        self._query = query
        self._embedding = embedding
        self._manner = manner
        self._condition, self._filter_values = conditions(query.filters, manner.time_zone)
        left_out = files_spelled_otherwise(connection, query)
        if left_out:
            self._condition += " AND f.file_id <> ALL(%(left_out)s::text[])"
            self._filter_values["left_out"] = left_out
        weights = {"hybrid": keyword_weight(manner.embedding_model), "keyword": 1.0, "vector": 0.0}
        self._keyword_weight = weights[query.mode]
        self._by_keyword = keyword_calibration(0)

    def retrieval(self) -> Retrieval:
        terms, mean_length, variants = self._weighed_terms()
        hits = self._hits(terms, mean_length)
        ranked = fuse([found.arms for found in hits.best.values()], self._keyword_weight, self._manner.fusion)
        ranked = ranked[: self._query.limit]
        rows = self._rows([hits.best[file_id] for file_id, _ in ranked], terms)
        top = similarities(hits.top_cosine, hits.top_share, self._manner.calibration, self._by_keyword)
        return Retrieval(
            evidence=tuple(
                self._evidence(rows[file_id], hits.best[file_id], score, query=self._query if n < SNIPPETS else None)
                for n, (file_id, score) in enumerate(ranked)
            ),
            hit_count=hits.count,
            top_similarity=max(top.values()) if top else None,
            facets=hits.facets,
            variants=variants,
        )

    def _weighed_terms(self) -> tuple[list[QueryTerm], float, tuple[Variant, ...]]:
        """The question's terms with their weights, rarest first, the mean length of a chunk, the variants."""
        if self._query.mode == "vector":
            return [], 1.0, ()
        question, keywords = clean(self._query.query), [clean(keyword) for keyword in self._query.keywords]
        text = "\n".join((question, *keywords))
        variants = find_variants(text, self._query.matching)
        terms = terms_of(question, keywords, self._query.matching.off)
        alternatives = alternatives_of(terms, text, variants)
        counted = list(dict.fromkeys((*terms, *(other for others in alternatives.values() for other in others))))
        numbers = [term for term in terms if is_document_number(term)]
        rows = self._run(sql.TERM_FREQUENCIES, {"terms": counted, "numbers": numbers, "most_bearers": MOST_BEARERS})
        _, _, chunks, total_length, _ = rows[0]
        frequencies = {row[0]: int(row[1]) for row in rows if row[0] is not None and row[1]}
        bearers = {row[0]: int(row[4]) for row in rows if row[4] is not None}
        self._by_keyword = keyword_calibration(chunks)
        weighed = weigh(terms, frequencies, bearers, chunks, alternatives)
        return weighed, max(1.0, total_length / max(1, chunks)), variants_in_use(variants, frequencies)

    def _hits(self, terms: Sequence[QueryTerm], mean_length: float) -> Hits:
        query, ranking_only = self._query, self._query.threshold <= 0
        least_share = self._by_keyword.raw_at(query.threshold)
        values = {
            "embedding": self._embedding,
            "farthest": 2.0 if ranking_only else 1 - self._manner.calibration.raw_at(query.threshold),
            "least_share": least_share,
            "terms": [term.term for term in terms],
            "alternatives": [sql.SEPARATOR.join(term.alternatives) or None for term in terms],
            "idfs": [term.idf for term in terms],
            "masses": [term.mass for term in terms],
            "floors": [term.floor for term in terms],
            "decisive": decisive(terms, float("inf") if ranking_only else least_share, CANDIDATE_CHUNKS),
            "k1": sql.SATURATION,
            "b": sql.LENGTH_NORMALISATION,
            "mean_length": mean_length,
            "name_weight": NAME_WEIGHT,
            "depth": max(ARM_DEPTH, query.limit),
            **facet_values(self._manner.time_zone),
        }
        most = max((len(term.alternatives) for term in terms), default=0)
        statement = sql.search_statement(
            query.mode, self._condition, with_facets=query.with_facets, most_alternatives=most
        )
        count, nearest, share, facets, rows = self._run(statement, values)[0]
        best = [Found.of_row(row) for row in rows or ()]
        return Hits(
            count=count,
            top_cosine=None if nearest is None else 1 - nearest,
            top_share=share,
            facets=facets_of(facets or {}),
            best={found.arms.file_id: found for found in best},
        )

    def _rows(self, files: Sequence[Found], terms: Sequence[QueryTerm]) -> dict[str, dict[str, Any]]:
        """What is shown of some files, by file id."""
        top = max((found.bm25 or 0.0 for found in files), default=0.0) or 1.0
        values = {
            "file_ids": [found.arms.file_id for found in files],
            "chunk_ids": [found.chunk_id for found in files],
            "keyword_parts": [self._keyword_weight * (found.bm25 or 0.0) / top for found in files],
            "cosine_weight": 1 - self._keyword_weight,
            "embedding": self._embedding,
            "terms": [one for term in terms for one in (term.term, *term.alternatives)],
        }
        statement = sql.shown_statement(with_vectors=self._query.mode != "keyword")
        with self._connection.cursor(row_factory=dict_row) as cursor:
            return {row["file_id"]: row for row in cursor.execute(statement, values, prepare=False)}

    def _evidence(self, row: Mapping[str, Any], found: Found, score: float, query: RetrievalQuery | None) -> Evidence:
        reached = similarities(found.arms.cosine, found.share, self._manner.calibration, self._by_keyword)
        how = {"fusion": self._manner.fusion, "keyword_weight": self._keyword_weight}
        return make_evidence(row, found, score, reached, query, how)

    def _run(self, statement: str, values: Mapping[str, Any]) -> list[Any]:
        # Not prepared: a generic plan would not see how rare the terms are.
        return self._connection.execute(statement, {**self._filter_values, **values}, prepare=False).fetchall()
