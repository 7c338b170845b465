"""Both arms, asked at once: how many files they find, and the first of each with what either says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from typing import TYPE_CHECKING

from locator_search.adapters.postgres.index.facets import facets_of
from locator_search.adapters.postgres.search.exact_matches import files_named_outright, files_with_phrases
from locator_search.adapters.postgres.search.filters import conditions
from locator_search.adapters.postgres.search.keyword_search import KeywordQuestion, KeywordScores, keyword_question
from locator_search.adapters.postgres.search.second_connection import SideBySide
from locator_search.adapters.postgres.search.spelling_exclusions import files_spelled_otherwise
from locator_search.adapters.postgres.search.vector_search import Scope, VectorQuestion
from locator_search.adapters.postgres.server.database import Connection
from locator_search.model import Facet, RetrievalQuery
from locator_search.retrieval.calibration import Calibration, keyword_calibration
from locator_search.retrieval.fusion import Fusion

if TYPE_CHECKING:
    from locator_search.model import Vector

KEYWORD_DEPTH = 40
"""Files found by words that are compared in both arms and take part in the fusion; twice the limit at least."""
VECTOR_DEPTH = 30
"""The same of the nearest; one and a half times the limit at least. Measured at 100,000 chunks with weights of 0.3, 0.5
and 0.8: the first ten are those of 200 files of each arm, the first twenty but for one in a hundred."""

ANY_SHARE = 1e-9
"""Less than one term of a question weighs."""


@dataclass(frozen=True, slots=True)
class SearchSetup:
    """How an index is searched: its embedding model with its calibration, the fusion, the zone of its days."""

    embedding_model: str
    calibration: Calibration
    fusion: Fusion
    time_zone: str


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the arms found: how many files, their facets, the first of each arm with what is known of them, and files
    that the question names outright: by their name, or by a phrase they hold."""

    count: int
    cosines: Mapping[str, float]
    shares: Mapping[str, float]
    named_outright: Sequence[str]
    with_phrases: frozenset[str]
    top_cosine: float | None = None
    top_share: float | None = None
    facets: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownScores:
    """What the vector arm and the keyword arm say of files, by file id; None where an arm knows nothing of a file."""

    cosines: Mapping[str, float | None]
    words: Mapping[str, KeywordScores | None]


@dataclass(frozen=True, slots=True)
class VectorHits:
    """What the vector arm finds: how many files, the cosines of all hits (in a ranking: of the first files), those of
    the first files, and what is said of them; in words, unless nothing else is left to do than to ask that."""

    files: int
    cosines: Mapping[str, float]
    first: Mapping[str, float]
    said: KnownScores


NO_VECTOR_HITS = VectorHits(0, {}, {}, KnownScores({}, {}))


class HybridSearch:
    """One question to both arms, inside a read-only transaction. The vector arm is asked at once; either arm is asked
    of the first files of the other as soon as they are known, without waiting for the other's own."""

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
        self._setup = setup
        self._condition, self._filter_values = conditions(query.filters, setup.time_zone)
        left_out = files_spelled_otherwise(connection, query)
        if left_out:
            self._condition += " AND f.file_id <> ALL(%(left_out)s::text[])"
            self._filter_values["left_out"] = left_out
        # A vector without direction has no cosine with anything.
        has_direction = query.mode != "keyword" and embedding is not None and bool(embedding.any())
        self.vector = VectorQuestion(embedding) if has_direction and embedding is not None else None
        self._is_counted = query.threshold > 0 or query.with_facets
        self._keyword_depth = max(KEYWORD_DEPTH, 2 * query.limit)
        self._vector_depth = max(VECTOR_DEPTH, 3 * query.limit // 2)
        self._least_cosine = setup.calibration.raw_at(query.threshold) if query.threshold > 0 else -1.0
        self._side_by_side = side_by_side
        self._cosines: dict[str, float | None] = {}
        self._keyword_scores: dict[str, KeywordScores | None] = {}
        self._is_idle, self._found = False, NO_VECTOR_HITS
        # The vector arm takes longer, so it is asked before the question is taken apart into words.
        self.words: KeywordQuestion | None = None
        is_hybrid = self.vector and query.mode == "hybrid"
        self._waiting = (
            side_by_side.start(connection, self._search_vectors)
            if is_hybrid
            else partial(self._search_vectors, connection)
        )
        self.words = keyword_question(connection, query) if query.mode != "vector" else None
        self.by_keyword = keyword_calibration(self.words.chunks if self.words else 0)
        self._least_share = self.by_keyword.raw_at(query.threshold) if query.threshold > 0 else 0.0

    def candidates(self) -> Candidates:
        """What both arms find; counted unless nobody asked for a count."""
        return self._hits() if self._is_counted else self._ranking()

    def _hits(self) -> Candidates:
        """The exact hits: files near enough, or with enough of the question's words."""
        named_outright, with_phrases = self._named_outright(), self._with_phrases()
        worded = self._hits_by_keyword(named_outright)
        first = nsmallest(self._keyword_depth, worded, key=lambda hit: (-hit[2], hit[0]))
        near = self._vector_hits_beside([*(file_id for file_id, _, _ in first), *named_outright, *with_phrases])
        shares = {file_id: share for file_id, share, _ in worded}
        hits = near.cosines.keys() | shares.keys()
        return Candidates(
            count=len(hits),
            cosines=near.first,
            shares={file_id: share for file_id, share, _ in first},
            named_outright=named_outright,
            with_phrases=with_phrases,
            top_cosine=max(near.cosines.values(), default=None),
            top_share=max(shares.values(), default=None),
            facets=facets_of(self._connection, sorted(hits), self._setup.time_zone) if self._query.with_facets else (),
        )

    def _ranking(self) -> Candidates:
        """The first files of each arm; how many there are behind them is not counted."""
        named_outright, with_phrases = self._named_outright(), self._with_phrases()
        worded = self._first_by_keyword()
        near = self._vector_hits_beside([*worded, *named_outright, *with_phrases])
        return Candidates(
            count=near.files if self.vector else len(worded),
            cosines=near.first,
            shares=dict.fromkeys(worded, 0.0),
            named_outright=named_outright,
            with_phrases=with_phrases,
            top_cosine=max(near.cosines.values(), default=None),
        )

    def scores_of(
        self, file_ids: Iterable[str]
    ) -> tuple[Mapping[str, float | None], Mapping[str, KeywordScores | None]]:
        """What the vector arm and the keyword arm say of files, those asked for before among them."""
        files = list(file_ids)
        self._learn(self._asked(self._connection, files))
        return self._cosines, self._keyword_scores

    def is_hit(self, cosine: float | None, words: KeywordScores | None) -> bool:
        """Whether what the arms say of a file reaches the threshold in one of them."""
        near = cosine is not None and cosine >= self._least_cosine
        return near or (words is not None and words.share >= self._least_share)

    def _vector_hits_beside(self, worded: Sequence[str]) -> VectorHits:
        """What the vector arm finds. While it is busy, what both arms say of the files found by words is asked; once it
        is done, half of that on a second connection."""
        if self.vector and self._found is NO_VECTOR_HITS:
            self._learn(self._asked(self._connection, worded))
        elif self.vector:
            self._learn(self._found.said)
            self._ask_on_both([one for one in worded if one not in self._keyword_scores or one not in self._cosines])
        self._is_idle = True
        near = self._waiting()
        self._learn(near.said)
        return near

    def _asked(self, connection: Connection, files: Sequence[str]) -> KnownScores:
        """What both arms say of those files that are not known yet."""
        unknown = [file_id for file_id in files if file_id not in self._cosines]
        without_words = [file_id for file_id in files if file_id not in self._keyword_scores]
        cosines = self.vector.cosines(connection, unknown) if self.vector and unknown else {}
        worded = self.words.scores(connection, without_words) if self.words and without_words else {}
        return KnownScores(dict.fromkeys(unknown) | cosines, dict.fromkeys(without_words) | worded)

    def _ask_on_both(self, files: Sequence[str]) -> None:
        half = len(files) // 2
        if not half:  # a single file is asked about with the next ones
            return
        other_half = self._side_by_side.start(self._connection, partial(self._asked, files=files[half:]))
        self._learn(self._asked(self._connection, files[:half]))
        self._learn(other_half())

    def _learn(self, said: KnownScores) -> None:
        self._cosines |= said.cosines
        self._keyword_scores |= said.words

    def _search_vectors(self, connection: Connection) -> VectorHits:
        if self.vector is None:
            return NO_VECTOR_HITS
        scope = Scope(self._condition, self._filter_values)
        if self._is_counted:
            cosines = self.vector.near(connection, scope, self._least_cosine)
            files = len(cosines)
        else:
            nearest = self.vector.nearest(connection, scope, self._query.limit)
            files = nearest.files
            cosines = {file_id: cosine for file_id, _, cosine in nearest.best[: self._vector_depth]}
        first = dict(nsmallest(self._vector_depth, cosines.items(), key=lambda hit: (-hit[1], hit[0])))
        # Who waits for this knows already what the words say of some of them.
        words = None if self._is_idle else self.words
        worded = dict.fromkeys(first) | words.scores(connection, list(first)) if words else {}
        self._found = VectorHits(files, cosines, first, KnownScores(cosines, worded))
        return self._found

    def _hits_by_keyword(self, named_outright: Sequence[str]) -> list[tuple[str, float, float]]:
        if self.words is None or not self.words.terms:
            return []
        least = max(self._least_share, ANY_SHARE)
        return self.words.hits(self._connection, self._condition, self._filter_values, least, named_outright)

    def _first_by_keyword(self) -> list[str]:
        if self.words is None or not self.words.terms:
            return []
        return self.words.first(self._connection, self._condition, self._filter_values, self._keyword_depth)

    def _named_outright(self) -> list[str]:
        if not self.words:
            return []
        return files_named_outright(self._connection, self._query.query, self._condition, self._filter_values)

    def _with_phrases(self) -> frozenset[str]:
        if not self.words:
            return frozenset()
        found = files_with_phrases(self._connection, self._query.query, self._condition, self._filter_values)
        return frozenset(found)
