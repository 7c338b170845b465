"""The hybrid search: what words find and what vectors find, each compared by the other, as one ranking. Pure.

Every search is this one: for files of a drive, for chunks of contributions, of a ledger, of a list in memory. They
differ in the unit that is found (a file or a chunk, by its key) and in the scope (which of them may be found); both are
known to the store, which says what its words and its vectors find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from locator_search.model import Evidence, Facet, Fusion, Placement, Retrieval, RetrievalQuery, Variant
from locator_search.retrieval.calibration import Calibration, keyword_calibration
from locator_search.retrieval.fusion import Found, Scales, WordScores, explained, fuse, keyword_weight

SNIPPETS = 20
"""Results whose best place is looked for in the text: as many as are ever shown. Finding it takes milliseconds."""

MOST_FOLDED = 100
"""Files of one document that are listed under it. Counts know no such limit."""

Ranked = TypeVar("Ranked")


@dataclass(frozen=True, slots=True)
class SearchSetup:
    """How an index is searched: its embedding model with its calibration, the fusion, the zone of its days."""

    embedding_model: str
    calibration: Calibration
    fusion: Fusion = "scores"
    time_zone: str = "Asia/Tokyo"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates: the first by vectors with their cosines, and the first by words with their shares (0 where hits
    are not counted); files that the question names, or that hold what it quotes, and those that the owner's dictionary
    puts first or last; how many documents all hits are, with
    their facets and the highest cosine and share. `documents` are those of files that are none of their own; `hits` are
    the keys of all hits, where they are counted. `chunks` are those of the index: 0 where words were not asked;
    `telling` is then the part of each term in the share."""

    nearest: Mapping[str, float]
    worded: Mapping[str, float]
    named: Collection[str] = ()
    quoting: Collection[str] = ()
    placed: Mapping[str, Placement] = field(default_factory=dict)
    count: int = 0
    top_cosine: float | None = None
    top_share: float | None = None
    facets: tuple[Facet, ...] = ()
    chunks: int = 0
    telling: Mapping[str, float] = field(default_factory=dict)
    variants: tuple[Variant, ...] = ()
    absent: tuple[str, ...] = ()
    respelled: tuple[tuple[str, str], ...] = ()
    documents: Mapping[str, str] = field(default_factory=dict)
    hits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """Scores of files or chunks by vectors and by words, by key; those without a score are left out."""

    cosines: Mapping[str, float]
    words: Mapping[str, WordScores]


class Searchable(Protocol):
    """One question, put to the files or the chunks in one scope of a store."""

    def candidates(self) -> Candidates:
        """The candidates by words, by vectors or by both, as the mode of the question asks for."""
        ...

    def known(self, keys: Sequence[str]) -> Known:
        """The scores of these files or chunks by both."""
        ...

    def shown(self, chosen: Sequence[Found], keyword_weight: float) -> list[tuple[Evidence, Sequence[str]]]:
        """Each with the text that is shown of it, and the terms of the question it holds. Of a file that is the chunk
        that counts most where words have this weight."""
        ...


def retrieve(store: Searchable, query: RetrievalQuery, setup: SearchSetup) -> Retrieval:
    """The best of what words and vectors found, with all that is shown of them."""
    candidates = store.candidates()
    scales = Scales(setup.calibration, keyword_calibration(candidates.chunks))
    fusion = query.fusion or setup.fusion
    weight = {"hybrid": keyword_weight(setup.embedding_model), "keyword": 1.0, "vector": 0.0}[query.mode]
    found = compared(store, candidates, query, scales)
    fused = fuse(found, weight, fusion, setup.calibration.background)
    ranked = first_documents(fused, query.limit, lambda scored: candidates.documents.get(scored[0].key, scored[0].key))
    shown = store.shown([found for found, _ in ranked], weight)
    how = {"fusion": fusion, "keyword_weight": weight}
    top = scales.similarities(candidates.top_cosine, candidates.top_share)
    return Retrieval(
        evidence=tuple(
            explained(evidence, found, score, scales, how, matched, query if place < SNIPPETS else None)
            for place, ((found, score), (evidence, matched)) in enumerate(zip(ranked, shown, strict=True))
        ),
        hit_count=candidates.count,
        top_similarity=max(top.values(), default=None),
        facets=candidates.facets,
        variants=candidates.variants,
        telling=candidates.telling,
        absent=candidates.absent,
        respelled=candidates.respelled,
        hits=candidates.hits,
    )


def first_documents(ranking: Sequence[Ranked], limit: int, document_of: Callable[[Ranked], str]) -> list[Ranked]:
    """Of a ranking of files those of the first `limit` documents; of a document, the first MOST_FOLDED."""
    kept: list[Ranked] = []
    files: Counter[str] = Counter()
    for one in ranking:
        document = document_of(one)
        if (document in files and files[document] < MOST_FOLDED) or (document not in files and len(files) < limit):
            files[document] += 1
            kept.append(one)
    return kept


def compared(store: Searchable, candidates: Candidates, query: RetrievalQuery, scales: Scales) -> list[Found]:
    """The hits among the candidates by key, each with what both words and vectors say of it and its rank by either;
    equal scores share a rank."""
    sure = {*candidates.nearest, *candidates.worded, *candidates.named}
    keys = sorted({*sure, *candidates.quoting})
    known = store.known(keys)
    found = []
    for key in keys:
        cosine, words = known.cosines.get(key), known.words.get(key)
        share = max(candidates.worded.get(key, 0.0), words.share if words else float(key in candidates.named))
        if key in sure or scales.reach(query.threshold, cosine, share):
            preferred = 2 if key in candidates.named else int(key in candidates.quoting)
            worded = share if words or share > 0 else None
            placed = candidates.placed.get(key)
            found.append(Found(key, cosine, words, share=worded, preferred=preferred, placed=placed))
    by_cosine = _ranks(one.cosine for one in found)
    by_score = _ranks(one.keyword_score for one in found)
    return [
        replace(one, vector_rank=by_cosine.get(one.cosine), keyword_rank=by_score.get(one.keyword_score))
        for one in found
    ]


def listed(known: Known) -> list[Found]:
    """Two lists, best first, as they are: what is in one of them alone is not compared by the other. Places are ranks.
    Equal sums of ranks are common (first and second, second and first): words come first, being the surer sign."""
    near, worded = ({key: rank for rank, key in enumerate(ranking, 1)} for ranking in (known.cosines, known.words))
    return [
        Found(key, known.cosines.get(key), known.words.get(key), near.get(key), worded.get(key))
        for key in dict.fromkeys((*worded, *near))
    ]


def _ranks(scores: Iterable[float | None]) -> dict[float | None, int]:
    ranks: dict[float | None, int] = {}
    known = sorted((score for score in scores if score is not None), reverse=True)
    for place, score in enumerate(known, start=1):
        ranks.setdefault(score, place)
    return ranks
