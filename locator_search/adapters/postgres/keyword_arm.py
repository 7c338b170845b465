"""The keyword arm: a question as sparse vectors, and the exact BM25 scores of the chunks that weights led to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pgvector import SparseVector

from locator_search.adapters.postgres import keyword_sql as sql
from locator_search.adapters.postgres.database import Connection
from locator_search.adapters.postgres.rows import clean
from locator_search.adapters.postgres.term_weights import NAME, weighted
from locator_search.model import RetrievalQuery, Variant
from locator_search.retrieval.bm25 import damping, frequency_of, weight
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

NAME_WEIGHT = 0.3
"""What a term in the file's name, keywords or folder adds to BM25, in units of its idf. Measured: twice as much costs
0.007 nDCG on SciFact, whose titles are long, and gains nothing on Japanese questions or on the sample folder."""

CANDIDATE_CHUNKS = 2000
"""Chunks the keyword arm ranks at least, where so many hold one of the terms and only the first files matter. Measured
at 100,000 chunks: at 1,000, one in sixty of the first ten is missed; at 2,000, none of 600."""

FEW_CHUNKS = 6000
"""Where a filter lets about so many chunks through, all of them are ranked: as fast, and exact."""

NOTHING_MATCHED: dict[str, object] = {"spelled": [], "each": []}
"""`matched_values` where no words were asked for."""

MARGIN = 50
"""Chunks scored exactly beyond those wanted, because the weights they are chosen by are those of another day."""


@dataclass(frozen=True, slots=True)
class Worded:
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
    def vectors(self) -> dict[str, object]:
        """The values of WORDED and CHUNK_PARTS that depend on the terms alone."""
        pairs = [(one, term) for term, own in zip(self.terms, self.spellings, strict=True) for one in own]
        return {
            "body": weighted((one, term.idf) for one, term in pairs),
            "names": weighted((NAME + one, term.idf) for one, term in pairs),
            "numbers": weighted((place, 1.0) for one, term in pairs if term.floor > 0 for place in (one, NAME + one)),
            "held": [weighted((place, 1.0) for one in own for place in (one, NAME + one)) for own in self.spellings],
            "masses": [term.mass for term in self.terms],
            "floors": [term.floor for term in self.terms],
            "spellings": [sql.SEPARATOR.join(own) for own in self.spellings],
            "most_spellings": max(map(len, self.spellings), default=1),
            "mean_length": self.mean_length,
            "name_weight": NAME_WEIGHT,
            "few": FEW_CHUNKS,
        }

    def ranking_values(self) -> dict[str, object]:
        """The values of WORDED where only the first files matter."""
        chosen = decisive(self.terms, float("inf"), CANDIDATE_CHUNKS)
        return self.vectors | {"decisive": chosen, "shares": False, "least_share": 0.0, "least_idf": 0.0}

    def hit_values(self, least_share: float) -> dict[str, object]:
        """The values of WORDED for the exact hits: files with at least this share of the idf mass."""
        total = sum(term.idf for term in self.terms)
        return self.vectors | {
            "decisive": decisive(self.terms, least_share, 0),
            "shares": True,
            "least_share": least_share,
            "least_idf": least_share * total * (1 - 1e-5),  # a sparsevec holds single precision
        }

    def matched_values(self, *, of_names: bool = True) -> dict[str, object]:
        """The values that tell which spellings a chunk (or, `of_names`, the name of its file) holds."""
        before = ("", NAME) if of_names else ("",)
        each = [weighted((place + one, 1.0) for place in before) for one in self.every_spelling]
        return {"spelled": self.every_spelling, "each": each}

    def worded(self, connection: Connection, file_ids: Sequence[str]) -> dict[str, Worded]:
        """The exact scores of some files; those that hold no term are left out."""
        if not self.terms:
            return {}
        values = self.vectors | {"file_ids": list(file_ids)}
        names = dict(connection.execute(sql.NAME_PARTS, values, prepare=False).fetchall())
        found = {file_id: self._name_alone(named) for file_id, named in names.items()}
        for file_id, ordinal, length, kept_mean, kept in connection.execute(
            sql.CHUNK_PARTS, values | {"terms": self._single}, prepare=False
        ):
            frequencies = self._frequencies(kept, damping(length, kept_mean))
            found[file_id] = _better(found[file_id], self._scored(frequencies, length, ordinal, names[file_id]))
        return {file_id: worded for file_id, worded in found.items() if worded.score > 0}

    def matching(
        self, connection: Connection, condition: str, values: Mapping[str, object], wanted: int
    ) -> list[tuple[str, int, float]]:
        """The `wanted` chunks with the highest BM25 scores that pass the condition, as (file id, ordinal, score)."""
        asked = self.ranking_values() | {"depth": wanted + MARGIN, "terms": self._single}
        found = [
            (file_id, ordinal, self.bm25(self._frequencies(kept, damping(length, kept_mean)), length))
            for file_id, ordinal, length, kept_mean, kept in connection.execute(
                sql.matching_statement(condition), {**values, **asked}, prepare=False
            )
        ]
        return sorted(found, key=lambda chunk: (-chunk[2], chunk[0], chunk[1]))[:wanted]

    @property
    def _single(self) -> list[SparseVector]:
        """Every spelling by itself: the inner product with it is the weight of it in a text."""
        return [weighted([(one, 1.0)]) for one in self.every_spelling]

    def bm25(self, frequencies: Sequence[float], length: int) -> float:
        """The score of a chunk of this length that holds the terms so often."""
        damped = damping(length, self.mean_length)
        return sum(
            term.idf * weight(frequency, damped)
            for term, frequency in zip(self.terms, frequencies, strict=True)
            if frequency > 0
        )

    def _frequencies(self, kept: Sequence[float], damped: float) -> list[float]:
        """How often each term occurs, out of the weights of all spellings: as often as the most frequent of them."""
        weights: Iterator[float] = iter(kept)
        return [max(frequency_of(next(weights), damped) for _ in own) for own in self.spellings]

    def _scored(self, frequencies: Sequence[float], length: int, ordinal: int, named: Sequence[bool]) -> Worded:
        bm25, name_idf = self.bm25(frequencies, length), self._name_idf(named)
        held = [frequency > 0 or of_name for frequency, of_name in zip(frequencies, named, strict=True)]
        return Worded(bm25 + NAME_WEIGHT * name_idf, bm25, name_idf, self._share(held), ordinal)

    def _name_alone(self, named: Sequence[bool]) -> Worded:
        name_idf = self._name_idf(named)
        return Worded(NAME_WEIGHT * name_idf, 0.0, name_idf, self._share(named), None)

    def _name_idf(self, named: Sequence[bool]) -> float:
        return sum(term.idf for term, of_name in zip(self.terms, named, strict=True) if of_name)

    def _share(self, held: Sequence[bool]) -> float:
        terms = [term for term, here in zip(self.terms, held, strict=True) if here]
        return max((sum(term.mass for term in terms), *(term.floor for term in terms)))


def keyword_question(connection: Connection, query: RetrievalQuery) -> KeywordQuestion:
    """The terms of a question with what they weigh in this index."""
    question, keywords = clean(query.query), [clean(keyword) for keyword in query.keywords]
    text = "\n".join((question, *keywords))
    variants = find_variants(text, query.matching)
    terms = terms_of(question, keywords, query.matching.off)
    return weighed_question(connection, terms, alternatives_of(terms, text, variants), variants)


def weighed_question(
    connection: Connection,
    terms: Sequence[str],
    alternatives: Mapping[str, tuple[str, ...]],
    variants: Sequence[Variant] = (),
) -> KeywordQuestion:
    """Given terms with what they weigh in this index."""
    counted = list(dict.fromkeys((*terms, *(other for others in alternatives.values() for other in others))))
    asked = {
        "terms": counted,
        "numbers": [term for term in terms if is_document_number(term)],
        "most_bearers": MOST_BEARERS,
    }
    rows: list[Any] = connection.execute(sql.TERM_FREQUENCIES, asked, prepare=False).fetchall()
    _, _, chunks, total_length, _ = rows[0]
    frequencies = {row[0]: int(row[1]) for row in rows if row[0] is not None and row[1]}
    bearers = {row[0]: int(row[4]) for row in rows if row[4] is not None}
    return KeywordQuestion(
        terms=tuple(weigh(terms, frequencies, bearers, chunks, alternatives)),
        mean_length=max(1.0, total_length / max(1, chunks)),
        chunks=chunks,
        variants=variants_in_use(variants, frequencies),
    )


def _better(one: Worded, other: Worded) -> Worded:
    """The chunk with the higher BM25 score, with the larger share of both."""
    best = max(one, other, key=lambda worded: (worded.bm25, -(worded.ordinal or 0)))
    return Worded(best.score, best.bm25, best.name_idf, max(one.share, other.share), best.ordinal)
