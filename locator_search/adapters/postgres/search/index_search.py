"""One question to an index: what its words and its vectors find, asked side by side, and what is shown of that."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING

from psycopg.rows import dict_row

from locator_search.adapters.postgres.index.facets import facets_of
from locator_search.adapters.postgres.search.exact_matches import files_named_outright, files_with_phrases
from locator_search.adapters.postgres.search.keyword_question import keyword_question
from locator_search.adapters.postgres.search.keyword_search import KeywordSearch
from locator_search.adapters.postgres.search.near_words import respelled
from locator_search.adapters.postgres.search.scope import place_of, scope_of
from locator_search.adapters.postgres.search.side_by_side import SideBySide
from locator_search.adapters.postgres.search.vector_search import VectorSearch
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.file_rows import chunk_evidence
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import Evidence, RetrievalQuery
from locator_search.retrieval.calibration import keyword_calibration
from locator_search.retrieval.explaining import Scales
from locator_search.retrieval.fusion import Found
from locator_search.retrieval.hybrid import Candidates, Known, SearchSetup
from locator_search.retrieval.odd_words import odd_words

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)

KEYWORD_DEPTH = 40
"""Files (or chunks) found by words that are compared and take part in the fusion; twice the limit at least."""
VECTOR_DEPTH = 30
"""The same of the nearest; one and a half times the limit at least. Measured at 100,000 chunks with weights of 0.3, 0.5
and 0.8: the first ten are those of 200 files of each, the first twenty but for one in a hundred."""


@dataclass(frozen=True, slots=True)
class WordHits:
    """Hits by words: the shares of all hits that are counted, the first of them, files named or quoted."""

    search: KeywordSearch | None = None
    shares: Mapping[str, float] | None = None
    first: Collection[str] = ()
    named: Collection[str] = ()
    quoting: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Hits by vectors: how many, the cosines of all hits (in a ranking: of the first), and those of the first."""

    count: int
    cosines: Mapping[str, float]
    first: Mapping[str, float]


class IndexSearch:
    """A Searchable inside a read-only transaction: the files, or chunks, that the filters of a question let through.

    Words and vectors are asked at once on two connections. Neither is told how far the other is.
    """

    def __init__(
        self,
        connection: Connection,
        query: RetrievalQuery,
        embedding: Vector | None,
        setup: SearchSetup,
        side_by_side: SideBySide,
    ) -> None:
        self._connection = connection
        self._query = query
        self._calibration = setup.calibration
        self._time_zone = setup.time_zone
        self._side_by_side = side_by_side
        self._scope = scope_of(connection, query, setup.time_zone)
        # A vector without direction has no cosine with anything.
        has_direction = query.mode != "keyword" and embedding is not None and bool(embedding.any())
        self._vectors = VectorSearch(embedding, query.unit) if has_direction and embedding is not None else None
        self._is_counted = query.threshold > 0 or query.with_facets
        self._words: KeywordSearch | None = None
        self._cosines: Mapping[str, float] = {}

    def candidates(self) -> Candidates:
        """The first by words and by vectors. All hits are counted, unless nobody asked for that."""
        worded, near = self._side_by_side.both(self._connection, self._by_words, self._by_vectors, self._is_hybrid)
        self._words, self._cosines = worded.search, near.cosines
        shares = worded.shares or {}
        hits = near.cosines.keys() | shares.keys()
        question = self._words.question if self._words else None
        odd = odd_words(self._query.query, question.terms) if question and self._query.unit == "file" else []
        return Candidates(
            nearest=near.first,
            worded={key: shares.get(key, 0.0) for key in worded.first},
            named=worded.named,
            quoting=worded.quoting,
            count=len(hits) if self._is_counted else near.count if self._vectors else len(worded.first),
            top_cosine=max(near.cosines.values(), default=None),
            top_share=max(shares.values(), default=None),
            facets=facets_of(self._connection, sorted(hits), self._time_zone) if self._query.with_facets else (),
            chunks=question.chunks if question else 0,
            telling=question.telling if question else {},
            variants=question.variants if question else (),
            absent=tuple(dict.fromkeys(word.written for word in odd if word.is_absent and word.names)),
            respelled=respelled(self._connection, odd, self._scope),
        )

    def known(self, keys: Sequence[str]) -> Known:
        """The scores of files or chunks by words and by vectors; a hybrid search asks for half on either connection."""
        words, vectors, cosines = self._words, self._vectors, self._cosines

        def say(connection: Connection, keys: Sequence[str]) -> Known:
            unknown = [key for key in keys if key not in cosines]
            return Known(
                vectors.cosines(connection, unknown) if vectors and unknown else {},
                words.scores(connection, keys) if words else {},
            )

        half = len(keys) // 2 if self._is_hybrid else len(keys)
        first, rest = self._side_by_side.both(
            self._connection,
            lambda connection: say(connection, keys[:half]),
            lambda connection: say(connection, keys[half:]),
            self._is_hybrid,
        )
        return Known({**cosines, **first.cosines, **rest.cosines}, {**first.words, **rest.words})

    def shown(self, chosen: Sequence[Found], keyword_weight: float) -> list[tuple[Evidence, Sequence[str]]]:
        """Files with the chunk that counts most in the fusion, chunks as they are; and the terms these hold."""
        scores = [found.words.bm25 if found.words else 0.0 for found in chosen]
        top = max(scores, default=0.0) or 1.0
        is_file = self._query.unit == "file"
        places = [
            (found.key, found.words.ordinal if found.words else None) if is_file else place_of(found.key)
            for found in chosen
        ]
        asked = {
            "file_ids": [file_id for file_id, _ in places],
            "ordinals": [ordinal for _, ordinal in places],
            "keyword_parts": [keyword_weight * score / top for score in scores],
            "cosine_weight": 1 - keyword_weight,
            **(self._words.question.matched_values() if self._words else {"spelled": [], "each": []}),
            **(self._vectors.values if self._vectors else {}),
        }
        statement = SQL.shown_with_best if is_file and self._vectors else SQL.shown
        with self._connection.cursor(row_factory=dict_row) as cursor:
            rows = cursor.execute(statement, asked, prepare=False).fetchall()
        key = "file_id" if is_file else "chunk_id"
        shown = {row[key]: (chunk_evidence(row), row["matched"]) for row in rows}
        return [shown[found.key] for found in chosen]

    @property
    def _is_hybrid(self) -> bool:
        return self._vectors is not None and self._query.mode == "hybrid"

    def _by_words(self, connection: Connection) -> WordHits:
        query = self._query
        if query.mode == "vector":
            return WordHits()
        question = keyword_question(connection, query)
        search = KeywordSearch(question, self._scope, query.unit)
        depth = max(KEYWORD_DEPTH, 2 * query.limit)
        if query.unit == "chunk":
            return WordHits(search, first=search.first(connection, depth))
        named = files_named_outright(connection, query.query, self._scope)
        quoting = files_with_phrases(connection, query.query, self._scope)
        if not self._is_counted:
            return WordHits(search, None, search.first(connection, depth), named, quoting)
        least = Scales(self._calibration, keyword_calibration(question.chunks)).least_share(query.threshold)
        hits = search.hits(connection, least, named)
        first = nsmallest(depth, hits, key=lambda hit: (-hit[2], hit[0]))
        return WordHits(search, {hit[0]: hit[1] for hit in hits}, [hit[0] for hit in first], named, quoting)

    def _by_vectors(self, connection: Connection) -> VectorHits:
        if self._vectors is None:
            return VectorHits(0, {}, {})
        depth = max(VECTOR_DEPTH, 3 * self._query.limit // 2)
        if not self._is_counted:
            nearest = self._vectors.nearest(connection, self._scope, self._query.limit)
            first = dict(nearest.best[:depth])
            return VectorHits(nearest.files, first, first)
        least = self._calibration.raw_at(self._query.threshold) if self._query.threshold > 0 else -1.0
        cosines = self._vectors.near(connection, self._scope, least)
        first = dict(nsmallest(depth, cosines.items(), key=lambda hit: (-hit[1], hit[0])))
        return VectorHits(len(cosines), cosines, first)
