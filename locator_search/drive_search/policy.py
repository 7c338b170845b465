"""Every decision of the branching search, as plain functions over plain values.

    0 hits     relax     lower the threshold and drop a keyword, or drop conditions read from the question
    1          show
    2-9        rerank    by the model, then show
    10-49      refine    keep the best 20, drop those below 0.75; if more than 10 remain, rewrite and search again where
                         something was dropped, else ask
    >= 50, or >= 10 with no similarity of 0.75
               narrow    one question to the person

The hit count decides first: one good file at 0.72 is shown, not asked about. What stands out among the hits is shown
however many there are; where there are none, what stands out among the nearest files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from locator_search.model import Branch, Evidence, Retrieval, Round, SearchFilters
from locator_search.retrieval.grouping import tier_of
from locator_search.text.terms import analyse, bare, is_numbered

ANY_SIMILARITY = 0.0
"""The threshold of a question that names conditions and no subject: every file that meets them is a hit."""
RELAXED = 0.60
CLEAR = 0.75
NARROWED = 0.82
LADDER = (RELAXED, 0.70, CLEAR, NARROWED)
"""Thresholds on the calibrated scale, in [0, 1]."""

SEVERAL = 2
MANY = 10
TOO_MANY = 50
SHOWN = 10
KEPT = 20
AHEAD = 0.6
"""The next score of a ranking, in units of the first, from which the first does not stand out."""
BELOW_USUAL = 0.20
"""So far below the threshold a file that is ahead of all others is shown: half of what the question tells is in it."""
SPARED = 0.3
"""The most of a question that may be dropped from it: 1 is the whole question."""
LEAST_CLOSE = 0.15
"""Similarity of the nearest files that are worth naming."""
SMALLEST_STEP = 0.02
"""Two thresholds closer than this are not worth another round."""


def choose_branch(hit_count: int, top_similarity: float | None) -> Branch:
    """The branch for an exact hit count and the highest similarity among the hits."""
    if hit_count == 0:
        return "relax"
    if hit_count < SEVERAL:
        return "show"
    if hit_count < MANY:
        return "rerank"
    if hit_count >= TOO_MANY or top_similarity is None or top_similarity < CLEAR:
        return "narrow"
    return "refine"


@dataclass(frozen=True, slots=True)
class Attempt:
    """The query of one round. Two attempts are the same when all but `note` (why it differs from the last) is."""

    query: str
    keywords: tuple[str, ...]
    threshold: float
    filters: SearchFilters
    note: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Trail:
    """The attempts of a search. It only ever closes in: the threshold moves between `floor`, the highest that gave too
    many, and `ceiling`, the lowest that gave none, and no attempt is made twice.
    """

    max_rounds: int
    rounds: tuple[Round, ...] = ()
    tried: frozenset[Attempt] = frozenset()
    floor: float | None = None
    ceiling: float | None = None
    hits: Retrieval | None = None
    """The last retrieval that found anything."""

    def after(self, attempt: Attempt, branch: Branch, found: Retrieval) -> Trail:
        """The trail with one more round."""
        done = Round(
            round=len(self.rounds) + 1,
            branch=branch,
            query=attempt.query,
            keywords=attempt.keywords,
            threshold=attempt.threshold,
            hit_count=found.hit_count,
            top_similarity=found.top_similarity,
            note=attempt.note,
            variants=found.variants,
        )
        grown = replace(self, rounds=(*self.rounds, done), tried=self.tried | {attempt})
        if found.hit_count == 0:
            lowest = attempt.threshold if self.ceiling is None else min(attempt.threshold, self.ceiling)
            return replace(grown, ceiling=lowest)
        floor = attempt.threshold if self.floor is None else max(attempt.threshold, self.floor)
        return replace(grown, hits=found, floor=floor if found.hit_count >= MANY else self.floor)

    def without_bounds(self) -> Trail:
        """For an attempt with fewer conditions: what was learnt under the old ones no longer holds."""
        return replace(self, floor=None, ceiling=None)

    @property
    def last_round(self) -> bool:
        """Whether no further retrieval is allowed."""
        return len(self.rounds) >= self.max_rounds

    def allows(self, attempt: Attempt) -> bool:
        """Whether the attempt is new and there is a round left for it."""
        return not self.last_round and attempt not in self.tried

    def raised(self, wanted: float) -> float | None:
        """The threshold to go on with after too many hits: `wanted` if it is below the ceiling, else half way to it.
        None when there is no room left.
        """
        floor = self.floor if self.floor is not None else 0.0
        if self.ceiling is None or wanted < self.ceiling:
            return max(wanted, floor)
        return _between(floor, self.ceiling)

    def lowered(self) -> float | None:
        """The threshold to go on with when raising it left nothing. None when there is no room left."""
        if self.floor is None or self.ceiling is None:
            return None
        return _between(self.floor, self.ceiling)


def next_rung(threshold: float) -> float:
    """The next threshold of the ladder above this one; the top one and all above it stay."""
    return next((rung for rung in LADDER if rung > threshold), max(threshold, NARROWED))


def keep_best(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The refine branch: the best 20 without those below 0.75 that the owner's dictionary does not put first. Never
    drops everything."""
    best = tuple(evidence[:KEPT])
    clear = tuple(item for item in best if similarity_of_group(item) >= CLEAR or tier_of(item) > 0)
    return clear or best[:SHOWN]


def similarity_of_group(item: Evidence) -> float:
    """The highest similarity among a file and the versions and copies folded under it."""
    return max(item.similarity, *(member.evidence.similarity for member in item.group), 0.0)


def standing_out(question: str, found: Retrieval) -> tuple[Evidence, ...]:
    """The hits to show of many without asking: the few that bear the document numbers of the question, or the best,
    where the first is clearly similar and ahead of all others. Nothing where none stands out."""
    evidence = found.evidence
    numbers = {bare(term) for term in analyse(question).terms if is_numbered(term)}
    bearers = tuple(item for item in evidence if numbers and numbers <= _matched(item))
    if bearers and len(bearers) < min(MANY, len(evidence)):
        return bearers
    return tuple(evidence[:SHOWN]) if ahead(evidence, CLEAR) else ()


def asks_for_an_absent_number(found: Retrieval) -> bool:
    """Whether the question names a document number that no file bears: then no other file is what is looked for."""
    return any(is_numbered(term) for word in found.absent for term in analyse(word).terms)


def ahead(evidence: Sequence[Evidence], least: float) -> tuple[Evidence, ...]:
    """The hit with at least this similarity and a score that no other comes near, wherever the owner's dictionary puts
    it; nothing where there is none."""
    if any(map(tier_of, evidence)):
        evidence = sorted(evidence, key=lambda item: -item.score)
    if not evidence or similarity_of_group(evidence[0]) < least:
        return ()
    return tuple(evidence[:1]) if len(evidence) == 1 or evidence[1].score <= AHEAD * evidence[0].score else ()


def close(evidence: Sequence[Evidence], *, of_words_alone: bool = False) -> tuple[Evidence, ...]:
    """The nearest files that are worth naming where nothing was found; `of_words_alone`, those that hold a word."""
    return tuple(
        item
        for item in evidence[:SHOWN]
        if similarity_of_group(item) >= LEAST_CLOSE and (not of_words_alone or "keyword" in item.explain)
    )


def _matched(item: Evidence) -> set[str]:
    """The words of the question that the file holds, as the retrieval tells them."""
    words = item.explain.get("matched_terms")
    return {str(word) for word in words} if isinstance(words, Iterable) else set()


def in_ranked_order(evidence: Sequence[Evidence], ranked_ids: Sequence[str]) -> tuple[Evidence, ...]:
    """The evidence in the model's order, within what the owner's dictionary puts first and last: ids it invented are
    dropped, files it forgot follow in their old order."""
    rank = {file_id: place for place, file_id in reversed(list(enumerate(ranked_ids)))}
    return tuple(sorted(evidence, key=lambda item: (-tier_of(item), rank.get(item.file_id, len(ranked_ids)))))


def telling_of(keywords: Sequence[str], telling: Mapping[str, float]) -> tuple[float, ...]:
    """How much of the question each keyword makes up, in [0, 1]; 0 where the index was not asked by words."""
    return tuple(sum(telling.get(term, 0.0) for term in analyse(keyword).terms) for keyword in keywords)


def has_one_to_spare(telling: Sequence[float]) -> bool:
    """Whether one of several keywords makes up so little of the question that the others still ask the same."""
    return len(telling) > 1 and min(telling) <= SPARED


def fewer_keywords(
    keywords: tuple[str, ...], proposed: Sequence[str] | None, telling: Sequence[float]
) -> tuple[str, ...]:
    """Fewer of the same keywords: the model's choice where it leaves out no more than may be spared, else all but the
    least telling one, the last of equals."""
    chosen = tuple(word for word in keywords if word in (proposed or ()))
    left_out = [part for word, part in zip(keywords, telling, strict=True) if word not in chosen]
    if chosen and left_out and sum(left_out) <= SPARED:
        return chosen
    least = min(range(len(keywords)), key=lambda place: (telling[place], -place))
    return (*keywords[:least], *keywords[least + 1 :])


def _between(floor: float, ceiling: float) -> float | None:
    return round((floor + ceiling) / 2, 3) if ceiling - floor > SMALLEST_STEP else None
