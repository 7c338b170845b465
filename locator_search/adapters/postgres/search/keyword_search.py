"""The keyword arm: a question as sparse vectors, and the exact BM25 scores of the chunks that weights led to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import SparseVector

from locator_search.adapters.postgres.index.term_weights import NAME, weighted
from locator_search.adapters.postgres.search import keyword_sql as sql
from locator_search.adapters.postgres.search.filters import ANY_FILE
from locator_search.adapters.postgres.search.planner_settings import by_index, without_workers
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean
from locator_search.model import RetrievalQuery, Variant
from locator_search.retrieval.bm25 import damping, frequency_of, weight
from locator_search.retrieval.query_terms import (
    LEADING_PAIRS,
    MOST_BEARERS,
    Lead,
    QueryTerm,
    alternatives_of,
    decisive,
    leading,
    terms_of,
    weigh,
)
from locator_search.retrieval.telling import how_telling
from locator_search.text.terms import is_numbered
from locator_search.text.variants.finding import find_variants, variants_in_use

Values = NDArray[np.float64]

NAME_WEIGHT = 0.3
"""What a term in the file's name, keywords or folder adds to BM25, in units of its idf. Measured: twice as much costs
0.007 nDCG on SciFact, whose titles are long, and gains nothing on Japanese questions or on the sample folder."""

CANDIDATE_CHUNKS = 2000
"""Chunks the keyword arm ranks at least, where so many hold one of the terms and only the first files matter. Measured
at 100,000 chunks: at 1,000, one in sixty of the first ten is missed; at 2,000, none of 600."""

LEADING_CHUNKS = 1200
"""Chunks that one term alone leads to at most, where the next lead to more in pairs and nothing is filtered. Measured
with 300 questions to 100,000 chunks: 1,140 chunks are ranked instead of 2,190, and none of the first ten is missed."""

FEW_CHUNKS = 6000
"""Where a filter lets about so many chunks through, all of them are ranked: as fast, and exact."""

NOTHING_MATCHED: dict[str, object] = {"spelled": [], "each": []}
"""`matched_values` where no words were asked for."""

MARGIN = 50
"""Chunks scored exactly beyond those wanted, because the weights they are chosen by are those of another day."""


@dataclass(frozen=True, slots=True)
class KeywordScores:
    """What the keyword arm says of a file: the score that orders files, its two parts, the share of the question's idf
    mass found in name and chunk, and the chunk with the highest BM25 (None where only the name holds a term)."""

    score: float
    bm25: float
    name_idf: float
    share: float
    ordinal: int | None


@dataclass(frozen=True)
class KeywordQuestion:
    """A question in the terms of this index: weighed, rarest first. `chunks` and `mean_length` are those of today."""

    terms: tuple[QueryTerm, ...]
    mean_length: float
    chunks: int
    variants: tuple[Variant, ...] = ()

    @cached_property
    def spellings(self) -> list[tuple[str, ...]]:
        """Each term with its alternatives."""
        return [(term.term, *term.alternatives) for term in self.terms]

    @property
    def every_spelling(self) -> list[str]:
        """All of them in one list."""
        return [one for spellings in self.spellings for one in spellings]

    @cached_property
    def _spelled(self) -> list[tuple[str, QueryTerm]]:
        """Every spelling with the term it counts as."""
        return [(one, term) for term, own in zip(self.terms, self.spellings, strict=True) for one in own]

    @cached_property
    def vectors(self) -> dict[str, object]:
        """The values of WORDED and CHUNK_PARTS that depend on the terms alone."""
        numbers = [one for one, term in self._spelled if term.floor > 0]
        return {
            "body": weighted((one, term.idf) for one, term in self._spelled),
            "names": weighted((NAME + one, term.idf) for one, term in self._spelled),
            "numbers": weighted((place, 1.0) for one in numbers for place in (one, NAME + one)),
            "held": [weighted((place, 1.0) for one in own for place in (one, NAME + one)) for own in self.spellings],
            "masses": [term.mass for term in self.terms],
            "floors": [term.floor for term in self.terms],
            "spellings": [sql.SEPARATOR.join(own) for own in self.spellings],
            "most_spellings": max(map(len, self.spellings), default=1),
            "mean_length": self.mean_length,
            "name_weight": NAME_WEIGHT,
            "few": FEW_CHUNKS,
        }

    def first(self, connection: Connection, condition: str, values: Mapping[str, object], depth: int) -> list[str]:
        """The files with the highest scores that pass the condition."""
        return [row[0] for row in self._ranking(connection, sql.first_worded_statement, condition, values, depth)]

    def hits(
        self,
        connection: Connection,
        condition: str,
        values: Mapping[str, object],
        least_share: float,
        named_outright: Sequence[str],
    ) -> list[tuple[str, float, float]]:
        """Every file with at least this share of the idf mass, and those that are `named_outright`, as (file id, share,
        score)."""
        asked = {**values, **self._hit_values(least_share), "named_outright": list(named_outright)}
        return _by_index(connection, sql.worded_statement(condition), asked)

    def _ranking(
        self,
        connection: Connection,
        statement: Callable[..., str],
        condition: str,
        values: Mapping[str, object],
        depth: int,
    ) -> list[Any]:
        """The first `depth` rows of FIRST_WORDED or MATCHING, which lead to the highest scores alone."""
        decisive_terms = decisive(self.terms, float("inf"), CANDIDATE_CHUNKS)
        asked = {**values, **self.vectors, "decisive": decisive_terms, "depth": depth}
        lead = leading(self.terms, LEADING_CHUNKS) if condition == ANY_FILE else None
        if lead:
            with without_workers(connection):
                rows = _by_index(connection, statement(condition, leading=True), asked | _lead_values(lead))
            if len(rows) == depth:
                return rows
        return _by_index(connection, statement(condition, leading=False), asked)

    def _hit_values(self, least_share: float) -> dict[str, object]:
        """The values of WORDED."""
        # A file with enough mass holds at least so much idf.
        least = min((term.idf / term.mass for term in self.terms if term.mass), default=0.0)
        return self.vectors | {
            "decisive": decisive(self.terms, least_share, 0),
            "least_share": least_share,
            "least_idf": least_share * least * (1 - 1e-5),  # a sparsevec holds single precision
        }

    def matched_values(self, *, of_names: bool = True) -> dict[str, object]:
        """The values that tell which spellings a chunk (or, `of_names`, the name of its file) holds."""
        before = ("", NAME) if of_names else ("",)
        each = [weighted((place + one, 1.0) for place in before) for one in self.every_spelling]
        return {"spelled": self.every_spelling, "each": each}

    def scores(self, connection: Connection, file_ids: Sequence[str]) -> dict[str, KeywordScores]:
        """The exact scores of some files; those that hold no term are left out."""
        if not self.terms:
            return {}
        values = self.vectors | {"file_ids": list(file_ids), "terms": self._single}
        names = dict(connection.execute(sql.NAME_PARTS, values, prepare=False).fetchall())
        chunks = connection.execute(sql.CHUNK_PARTS, values, prepare=False, binary=True).fetchall()
        # A name without its text, then each chunk with the name of its file.
        places = [*((file_id, None) for file_id in names), *((chunk[0], chunk[1]) for chunk in chunks)]
        frequencies, scores = self._scores(chunks)
        in_text = np.pad(frequencies, ((len(names), 0), (0, 0))) > 0
        bm25 = np.pad(scores, (len(names), 0))
        nothing = [False] * len(self.terms)
        in_name = np.array([names.get(file_id, nothing) for file_id, _ in places], bool).reshape(in_text.shape)
        name_idf = (in_name * self._idf).sum(axis=1)
        parts = zip(bm25.tolist(), name_idf.tolist(), self._shares(in_text | in_name).tolist(), strict=True)
        found: dict[str, KeywordScores] = {}
        for (file_id, ordinal), (of_text, of_name, share) in zip(places, parts, strict=True):
            one = KeywordScores(of_text + NAME_WEIGHT * of_name, of_text, of_name, share, ordinal)
            found[file_id] = _better(found[file_id], one) if file_id in found else one
        return found

    def matching(
        self, connection: Connection, condition: str, values: Mapping[str, object], wanted: int
    ) -> list[tuple[str, int, float]]:
        """The `wanted` chunks with the highest BM25 scores that pass the condition, as (file id, ordinal, score)."""
        asked = {**values, "terms": self._single}
        chunks = self._ranking(connection, sql.matching_statement, condition, asked, wanted + MARGIN)
        _, scores = self._scores(chunks)
        found = [(chunk[0], chunk[1], float(score)) for chunk, score in zip(chunks, scores, strict=True)]
        return sorted(found, key=lambda chunk: (-chunk[2], chunk[0], chunk[1]))[:wanted]

    @cached_property
    def _single(self) -> list[SparseVector]:
        """Every spelling by itself: the inner product with it is the weight of it in a text."""
        return [weighted([(one, 1.0)]) for one in self.every_spelling]

    @cached_property
    def _idf(self) -> Values:
        return np.array([term.idf for term in self.terms])

    def _scores(self, chunks: Sequence[Any]) -> tuple[Values, Values]:
        """How often each chunk holds each term, (chunks, terms), and the BM25 scores, out of rows that end in length,
        mean length of the day and the weights of all spellings: a term counts as often as the most frequent of them.
        """
        if not chunks:
            return np.zeros((0, len(self.terms))), np.zeros(0)
        lengths, means = (np.array([chunk[place] for chunk in chunks], float)[:, None] for place in (-3, -2))
        kept = np.array([chunk[-1] for chunk in chunks], float)
        firsts = np.cumsum([0, *map(len, self.spellings[:-1])])
        frequencies = np.maximum.reduceat(frequency_of(kept, damping(lengths, means)), firsts, axis=1)
        weights = weight(frequencies, damping(lengths, np.full_like(lengths, self.mean_length)))
        # Not a matrix product, which sums equal rows in different orders: equal texts have equal scores.
        return frequencies, (weights * self._idf).sum(axis=1)

    def _shares(self, held: NDArray[np.bool_]) -> Values:
        masses, floors = np.array([(term.mass, term.floor) for term in self.terms]).T
        shares: Values = np.maximum((held * masses).sum(axis=1), (held * floors).max(axis=1))
        return shares


def keyword_question(connection: Connection, query: RetrievalQuery) -> KeywordQuestion:
    """The terms of a question with what they weigh in this index."""
    question, keywords = clean(query.query), [clean(keyword) for keyword in query.keywords]
    text = "\n".join((question, *keywords))
    variants = find_variants(text, query.matching)
    terms = terms_of(question, keywords, query.matching.off)
    return weighed_question(connection, terms, alternatives_of(terms, text, variants), variants, how_telling(text))


def weighed_question(
    connection: Connection,
    terms: Sequence[str],
    alternatives: Mapping[str, tuple[str, ...]],
    variants: Sequence[Variant] = (),
    telling: Mapping[str, float] = MappingProxyType({}),
) -> KeywordQuestion:
    """Given terms with what they weigh in this index."""
    counted = list(dict.fromkeys((*terms, *(other for others in alternatives.values() for other in others))))
    asked = {
        "terms": counted,
        "numbers": [term for term in terms if is_numbered(term)],
        "most_bearers": MOST_BEARERS,
    }
    rows = _by_index(connection, sql.TERM_FREQUENCIES, asked)
    _, _, chunks, total_length, _ = rows[0]
    frequencies = {row[0]: int(row[1]) for row in rows if row[0] is not None and row[1]}
    bearers = {row[0]: int(row[4]) for row in rows if row[4] is not None}
    return KeywordQuestion(
        terms=tuple(weigh(terms, frequencies, bearers, chunks, alternatives, telling)),
        mean_length=max(1.0, total_length / max(1, chunks)),
        chunks=chunks,
        variants=variants_in_use(variants, frequencies),
    )


def _lead_values(lead: Lead) -> dict[str, object]:
    sides: dict[str, object] = {}
    for place in range(LEADING_PAIRS):
        common, beside = lead.pairs[place] if place < len(lead.pairs) else ((), ())
        sides |= {f"common_{place}": list(common), f"beside_{place}": list(beside)}
    return {"alone": list(lead.alone), **sides}


def _by_index(connection: Connection, statement: str, values: Mapping[str, object]) -> list[Any]:
    # Not prepared: a generic plan would not see how rare the terms are.
    with by_index(connection):
        return connection.execute(statement, values, prepare=False, binary=True).fetchall()


def _better(one: KeywordScores, other: KeywordScores) -> KeywordScores:
    """The chunk with the higher BM25 score, with the larger share of both."""
    best = max(one, other, key=lambda worded: (worded.bm25, -(worded.ordinal or 0)))
    return KeywordScores(best.score, best.bm25, best.name_idf, max(one.share, other.share), best.ordinal)
