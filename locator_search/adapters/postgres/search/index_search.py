"""One question to an index: what its words and its vectors find, asked side by side, and what is shown of that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from typing import TYPE_CHECKING

from psycopg.rows import dict_row

from locator_search.adapters.postgres.index.documents import documents_of
from locator_search.adapters.postgres.index.facets import facets_of
from locator_search.adapters.postgres.search.exact_matches import files_named_outright, files_with_phrases, respelled
from locator_search.adapters.postgres.search.keyword_question import NameCounts, keyword_question
from locator_search.adapters.postgres.search.keyword_search import KeywordSearch
from locator_search.adapters.postgres.search.scope import (
    EVERYTHING,
    Scope,
    limits_nothing,
    place_of,
    readable_by,
    scope_of,
    trimmed_to,
)
from locator_search.adapters.postgres.search.side_by_side import SideBySide
from locator_search.adapters.postgres.search.vector_search import VectorSearch
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import chunk_evidence
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import Evidence, Placement, RetrievalQuery, Unit
from locator_search.retrieval.calibration import keyword_calibration
from locator_search.retrieval.fusion import Found, Scales
from locator_search.retrieval.hybrid import Candidates, Known, SearchSetup, first_documents
from locator_search.retrieval.odd_words import odd_words
from locator_search.text.normalise import normalise
from locator_search.text.variants.finding import placements_for

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)

KEYWORD_DEPTH = 40
"""Files (or chunks) found by words that are compared and take part in the fusion; twice the limit at least."""
VECTOR_DEPTH = 30
"""The same of the nearest; one and a half times the limit at least. Measured at 100,000 chunks with weights of 0.3, 0.5
and 0.8: the first ten are those of 200 files of each, the first twenty but for one in a hundred."""

FAR = 1e6
"""Beyond every score by words."""

CROWDED = 4
"""Files that are looked for in place of each document."""


@dataclass(frozen=True, slots=True)
class WordHits:
    """Hits by words: all of them where they are counted, else the first, as (key, share, score); files named or
    quoted; the scope they were looked for in, and the reader it is trimmed to."""

    search: KeywordSearch | None = None
    hits: Sequence[tuple[str, float, float]] = ()
    named: Collection[str] = ()
    quoting: Collection[str] = ()
    scope: Scope = EVERYTHING
    reader: list[str] | None = None


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Hits by vectors: how many, and the cosines of all hits (in a ranking: of the first)."""

    count: int
    cosines: Mapping[str, float]


class IndexSearch:
    """A Searchable inside a read-only transaction: the files, or chunks, that the filters of a question let through,
    and that the `reader` may read.

    Words and vectors are asked at once on two connections. Neither is told how far the other is.
    """

    def __init__(
        self,
        connection: Connection,
        query: RetrievalQuery,
        embedding: Vector | None,
        setup: SearchSetup,
        side_by_side: SideBySide,
        names: NameCounts,
        reader: list[str] | None = None,
    ) -> None:
        self._connection = connection
        self._query = query
        self._reader = trimmed_to(connection, reader)
        self._calibration = setup.calibration
        self._time_zone = setup.time_zone
        self._side_by_side = side_by_side
        self._names = names
        # A vector without direction has no cosine with anything.
        has_direction = query.mode != "keyword" and embedding is not None and bool(embedding.any())
        self._unit: Unit = "chunk" if query.unit == "chunk" else "file"
        self._vectors = VectorSearch(embedding, self._unit) if has_direction and embedding is not None else None
        self._folds = query.unit == "document"
        self._is_counted = query.threshold > 0 or query.with_facets
        # Comparing all vectors takes longest, and need not wait until it is listed what a reader may read.
        is_listed_late = self._is_hybrid and self._is_counted and limits_nothing(query)
        self._limits = None if self._reader and is_listed_late else self._limits_of(connection)
        self._words: KeywordSearch | None = None
        self._cosines: Mapping[str, float] = {}

    def candidates(self) -> Candidates:
        """The first by words and by vectors. All hits are counted, unless nobody asked for that."""
        worded, near = self._side_by_side.both(self._connection, self._by_words, self._by_vectors, self._is_hybrid)
        self._words, self._cosines = worded.search, near.cosines
        shares = {key: share for key, share, _ in worded.hits}
        hits = sorted(near.cosines.keys() | shares.keys())
        documents = documents_of(self._connection, hits) if self._folds or self._is_counted else {}
        each = [documents.get(key, key) for key in hits]
        count = len(set(each))
        folding = documents if self._folds else {}
        placed = self._placed(hits)
        nearest, first = self._first(near, worded, folding, len(hits) - count if self._folds else 0, placed)
        question = self._words.question if self._words else None
        odd = odd_words(self._query.query, question.terms) if question and self._unit == "file" else []
        return Candidates(
            nearest=nearest,
            worded={key: shares[key] for key in first},
            named=worded.named,
            quoting=worded.quoting,
            placed=placed,
            count=count if self._is_counted else near.count if self._vectors else len(first),
            top_cosine=max(near.cosines.values(), default=None),
            top_share=max(shares.values(), default=None) if self._is_counted else None,
            facets=facets_of(self._connection, hits, each, self._time_zone) if self._query.with_facets else (),
            chunks=question.chunks if question else 0,
            telling=question.telling if question else {},
            variants=question.variants if question else (),
            absent=tuple(dict.fromkeys(word.written for word in odd if word.is_absent and word.names)),
            respelled=respelled(self._connection, odd, worded.scope, worded.reader),
            documents=folding,
            hits=tuple(hits) if self._is_counted else (),
        )

    def _placed(self, hits: Sequence[str]) -> dict[str, Placement]:
        """The hits that the dictionary puts first or last for this question; the first line that fits one counts."""
        query = self._query
        said = placements_for("\n".join((query.query, *query.keywords, query.also_marked)), query.matching.placements)
        if not said:
            return {}
        files = {key: key if self._unit == "file" else place_of(key)[0] for key in hits}
        rows = self._connection.execute(SQL.paths, {"file_ids": sorted({*files.values()})}, prepare=False)
        paths = {file_id: normalise(path) for file_id, path in rows.fetchall()}
        placed = ((key, next((one for one in said if one.holds(paths[file])), None)) for key, file in files.items())
        return {key: one for key, one in placed if one}

    def _first(
        self,
        near: VectorHits,
        worded: WordHits,
        documents: Mapping[str, str],
        folded: int,
        placed: Mapping[str, Placement],
    ) -> tuple[dict[str, float], list[str]]:
        """The first hits by vectors, with their cosines, and by words: so many documents of each, with the other hits
        that are these documents. So many hits are `folded`, in all. Those that are placed first or last are so here,
        too."""

        def first(scores: Iterable[tuple[str, float]], depth: int) -> list[str]:
            if placed:
                far = {key: FAR if one.first else -FAR for key, one in placed.items()}
                scores = [(key, score + far.get(key, 0.0)) for key, score in scores]
            ranked = sorted if folded else partial(nsmallest, depth)
            keys = [key for key, _ in ranked(scores, key=lambda hit: (-hit[1], hit[0]))]
            return first_documents(keys, depth, lambda key: documents.get(key, key))

        by_words, by_vectors = self._depths
        nearest = first(near.cosines.items(), by_vectors)
        worded_first = first(((key, score) for key, _, score in worded.hits), by_words)
        return {key: near.cosines[key] for key in nearest}, worded_first

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
        is_file = self._unit == "file"
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

    @property
    def _wanted(self) -> int:
        """Where hits are not counted, it is not known how many files stand in the way of other documents."""
        return self._query.limit * (CROWDED if self._folds and not self._is_counted else 1)

    @property
    def _depths(self) -> tuple[int, int]:
        """So many documents (files, chunks) found by words are compared, and so many of the nearest."""
        return max(KEYWORD_DEPTH, 2 * self._wanted), max(VECTOR_DEPTH, 3 * self._wanted // 2)

    def _by_words(self, connection: Connection) -> WordHits:
        query = self._query
        if query.mode == "vector":
            return WordHits()
        scope, reader = self._limits or (readable_by(connection, self._reader or []), self._reader)
        question = keyword_question(connection, query, reader, scope.first, self._names)
        search = KeywordSearch(question, scope, self._unit)
        depth, _ = self._depths
        if query.unit == "chunk":
            return WordHits(search, _unscored(search.first(connection, depth)), scope=scope, reader=reader)
        named = files_named_outright(connection, query.query, scope)
        quoting = files_with_phrases(connection, query.query, scope)
        if not self._is_counted:
            return WordHits(search, _unscored(search.first(connection, depth)), named, quoting, scope, reader)
        least = Scales(self._calibration, keyword_calibration(question.chunks)).least_share(query.threshold)
        return WordHits(search, search.hits(connection, least, named), named, quoting, scope, reader)

    def _by_vectors(self, connection: Connection) -> VectorHits:
        if self._vectors is None:
            return VectorHits(0, {})
        scope = Scope(reader=self._reader) if self._limits is None else self._limits[0]
        _, depth = self._depths
        if not self._is_counted:
            nearest = self._vectors.nearest(connection, scope, self._wanted)
            return VectorHits(nearest.files, dict(nearest.best[:depth]))
        least = self._calibration.raw_at(self._query.threshold) if self._query.threshold > 0 else -1.0
        return VectorHits(0, self._vectors.near(connection, scope, least))

    def _limits_of(self, connection: Connection) -> tuple[Scope, list[str] | None]:
        """The scope, and the reader it is trimmed to. To whoever may read all that is indexed, in this state of it,
        nothing is trimmed, which costs nothing."""
        scope = scope_of(connection, self._query, self._time_zone, self._reader)
        return (scope, self._reader) if scope.limits else (EVERYTHING, None)


def _unscored(ranking: Sequence[str]) -> list[tuple[str, float, float]]:
    """The first as hits: of their scores only the order is known."""
    return [(key, 0.0, -float(place)) for place, key in enumerate(ranking)]
