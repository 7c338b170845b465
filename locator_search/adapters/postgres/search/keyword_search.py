"""The keyword search: kept weights lead to texts with high scores, and the exact BM25 scores of these are computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from locator_search.adapters.postgres.search.keyword_question import NAME_WEIGHT, KeywordQuestion
from locator_search.adapters.postgres.search.scope import EVERYTHING, Scope, place_of
from locator_search.adapters.postgres.search.side_by_side import by_index, without_workers
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import Unit
from locator_search.retrieval.fusion import WordScores
from locator_search.retrieval.query_terms import Lead, decisive, leading, rarest
from locator_search.retrieval.term_weights import damping, frequency_of, of_file, weight

SQL = statements(__name__)

Values = NDArray[np.float64]

CANDIDATE_CHUNKS = 2000
"""Chunks that are ranked at least, where so many hold one of the terms and only the first files matter. Measured at
100,000 chunks: at 1,000, one in sixty of the first ten is missed; at 2,000, none of 600."""

LEADING_CHUNKS = 1200
"""Chunks that one term alone leads to at most, where the next lead to more in pairs and nothing is filtered. Measured
with 300 questions to 100,000 chunks: 1,140 chunks are ranked instead of 2,190, and none of the first ten is missed."""

FEW_CHUNKS = 6000
"""Where a filter lets about so many chunks through, all of them are ranked: as fast, and exact."""

LOOKED_UP = 0.1
"""What it costs to find a chunk by its terms, in units of what it costs to rank it (1.3 against 13 microseconds)."""

MARGIN = 50
"""Chunks scored exactly beyond those wanted, because the weights they are chosen by are those of another day."""

ANY_SHARE = 1e-9
"""Less than one term of a question weighs."""

NO_LEAD: dict[str, object] = dict.fromkeys(("alone", "common_0", "beside_0", "common_1", "beside_1"))


class KeywordSearch:
    """A question in words, put to the files or the chunks of a scope."""

    def __init__(self, question: KeywordQuestion, scope: Scope, unit: Unit = "file") -> None:
        self.question = question
        self._scope = scope
        self._unit = unit
        self._values = {
            **question.vectors,
            **scope.values,
            "few_pass": self._few_pass(FEW_CHUNKS),
            "terms": question.single,
        }

    def hits(
        self, connection: Connection, least_share: float, named_outright: Sequence[str]
    ) -> list[tuple[str, float, float]]:
        """Every file with at least this share of the idf mass, and those that are `named_outright`, as (file id, share,
        score)."""
        terms = self.question.terms
        if not terms:
            return []
        least = max(least_share, ANY_SHARE)
        # A file with enough mass holds at least so much idf.
        least_idf = least * min((term.idf / term.mass for term in terms if term.mass), default=0.0)
        wanted = decisive(terms, least)
        led = sum(term.frequency for term in terms if term.term in wanted)
        asked = {
            "decisive": wanted,
            "few_pass": self._few_pass(min(FEW_CHUNKS, led * (self._scope.share + LOOKED_UP))),
            "least_share": least,
            "least_idf": least_idf * (1 - 1e-5),  # a sparsevec holds single precision
            "named_outright": list(named_outright),
        }
        return self._found(connection, SQL.files_by_words, asked)

    def first(self, connection: Connection, depth: int) -> list[str]:
        """The files (or the chunks) with the highest scores by the kept weights, best first."""
        terms = self.question.terms
        if not terms:
            return []
        statement = SQL.first_files_by_words if self._unit == "file" else SQL.first_chunks_by_words
        asked = {"decisive": rarest(terms, CANDIDATE_CHUNKS), "depth": depth}
        lead = leading(terms, LEADING_CHUNKS) if self._scope == EVERYTHING else None
        if lead:
            with without_workers(connection):
                rows = self._found(connection, statement, asked | _lead_values(lead))
            if len(rows) == depth:
                return [row[0] for row in rows]
        return [row[0] for row in self._found(connection, statement, asked | NO_LEAD)]

    def best_chunks(self, connection: Connection, wanted: int) -> dict[str, WordScores]:
        """The chunks with the highest exact scores, best first."""
        scores = self.scores(connection, self.first(connection, wanted + MARGIN))
        return dict(sorted(scores.items(), key=lambda one: (-one[1].score, place_of(one[0])))[:wanted])

    def scores(self, connection: Connection, keys: Sequence[str]) -> dict[str, WordScores]:
        """The exact scores of some files (or chunks, by their text alone); those without any term are left out. Only
        the breadth of a file is that of the kept weights."""
        if not self.question.terms or not keys:
            return {}
        if self._unit == "chunk":
            chunks = self._weights(connection, SQL.weights_in_chunks, {"chunk_ids": list(keys)})
            names: dict[str, list[bool]] = {}
        else:
            asked = {"file_ids": list(keys)}
            names = dict(connection.execute(SQL.terms_in_names, {**self._values, **asked}, prepare=False).fetchall())
            chunks = self._weights(connection, SQL.weights_in_files, asked)
        # A name without its text, then each chunk with the name of its file.
        places = [*((file_id, None) for file_id in names), *((chunk[0], chunk[1]) for chunk in chunks)]
        frequencies, scores = self._scored(chunks)
        in_text = np.pad(frequencies, ((len(names), 0), (0, 0))) > 0
        bm25 = np.pad(scores, (len(names), 0))
        nothing = [False] * len(self.question.terms)
        in_name = np.array([names.get(key, nothing) for key, _ in places], bool).reshape(in_text.shape)
        name_idf = (in_name * self._idf).sum(axis=1)
        parts = zip(bm25.tolist(), name_idf.tolist(), self._shares(in_text | in_name).tolist(), strict=True)
        breadths: dict[str, float] = {chunk[0]: chunk[2] for chunk in chunks}
        found: dict[str, WordScores] = {}
        for (key, ordinal), (of_text, of_name, share) in zip(places, parts, strict=True):
            score = of_file(of_text, breadths.get(key, 1.0)) + NAME_WEIGHT * of_name
            one = WordScores(score, of_text, of_name, share, ordinal)
            found[key] = _better(found[key], one) if key in found else one
        return found

    @property
    def _idf(self) -> Values:
        return np.array([term.idf for term in self.question.terms])

    def _scored(self, chunks: Sequence[Any]) -> tuple[Values, Values]:
        """How often each chunk holds each term, (chunks, terms), and the BM25 scores, out of rows that end in length,
        mean length of the day and the weights of all spellings: a term counts as often as the most frequent of them.
        """
        if not chunks:
            return np.zeros((0, len(self.question.terms))), np.zeros(0)
        lengths, means = (np.array([chunk[place] for chunk in chunks], float)[:, None] for place in (-3, -2))
        kept = np.array([chunk[-1] for chunk in chunks], float)
        firsts = np.cumsum([0, *map(len, self.question.spellings[:-1])])
        frequencies = np.maximum.reduceat(frequency_of(kept, damping(lengths, means)), firsts, axis=1)
        weights = weight(frequencies, damping(lengths, np.full_like(lengths, self.question.mean_length)))
        # Not a matrix product, which sums equal rows in different orders: equal texts have equal scores.
        return frequencies, (weights * self._idf).sum(axis=1)

    def _shares(self, held: NDArray[np.bool_]) -> Values:
        masses, floors = np.array([(term.mass, term.floor) for term in self.question.terms]).T
        shares: Values = np.maximum((held * masses).sum(axis=1), (held * floors).max(axis=1))
        return shares

    def _few_pass(self, chunks: float) -> bool:
        """Whether the scope lets at most so many chunks through, about."""
        return self._scope.written_files is not None and self._scope.share * self.question.chunks <= chunks

    def _weights(self, connection: Connection, statement: str, asked: Mapping[str, object]) -> list[Any]:
        return connection.execute(statement, {**self._values, **asked}, prepare=False, binary=True).fetchall()

    def _found(self, connection: Connection, statement: str, asked: Mapping[str, object]) -> list[Any]:
        # Not prepared: a generic plan would not see how rare the terms are, nor leave out what is not asked.
        with by_index(connection):
            return connection.execute(statement, {**self._values, **asked}, prepare=False, binary=True).fetchall()


def _lead_values(lead: Lead) -> dict[str, object]:
    sides = dict(NO_LEAD, alone=list(lead.alone))
    for place, (common, beside) in enumerate(lead.pairs):
        sides |= {f"common_{place}": list(common), f"beside_{place}": list(beside)}
    return sides


def _better(one: WordScores, other: WordScores) -> WordScores:
    """The chunk with the higher BM25 score, with the larger share of both."""
    best = max(one, other, key=lambda words: (words.bm25, -(words.ordinal or 0)))
    return replace(best, share=max(one.share, other.share))
