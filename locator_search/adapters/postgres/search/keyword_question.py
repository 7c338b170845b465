"""A question in the terms of an index: what each weighs there, and as sparse vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import monotonic

from pgvector import SparseVector

from locator_search.adapters.postgres.index.term_weights import NAME, weighted
from locator_search.adapters.postgres.search.side_by_side import by_index
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import RetrievalQuery, Variant
from locator_search.retrieval.query_terms import (
    MOST_BEARERS,
    QueryTerm,
    alternatives_of,
    terms_of,
    weigh,
)
from locator_search.retrieval.term_weights import LENGTH_NORMALISATION, SATURATION, how_telling
from locator_search.text.normalise import normalise
from locator_search.text.terms import analyse, is_numbered
from locator_search.text.variants.finding import find_variants, variants_in_use, without_words

SQL = statements(__name__)

NAME_WEIGHT = 0.3
"""The value of a term in the file's name, keywords or folder, in units of its idf. Measured: twice as much costs
0.007 nDCG on SciFact, whose titles are long, and gains nothing on Japanese questions or on the sample folder."""

MANY_NAMES = 1000
"""To count so many names takes long, and a few more or fewer make no difference."""

NAMES_KEPT_SECONDS = 60.0

SEPARATOR = "\x1f"
"""Between the spellings of one term; no term holds it."""


class NameCounts:
    """The numbers of names that hold terms which no text holds, each kept for a minute where there are many."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, int]] = {}

    def fresh(self) -> dict[str, int]:
        """Those kept, by term."""
        now = monotonic()
        self._kept = {term: kept for term, kept in self._kept.items() if kept[0] > now}
        return {term: names for term, (_until, names) in self._kept.items()}

    def keep(self, counted: Mapping[str, int]) -> None:
        """Keep what was counted now."""
        until = monotonic() + NAMES_KEPT_SECONDS
        self._kept |= {term: (until, names) for term, names in counted.items() if names >= MANY_NAMES}


@dataclass(frozen=True)
class KeywordQuestion:
    """The terms of a question, weighed, rarest first. `chunks` and `mean_length` are those of the index today."""

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
        """The parameters of statements that look for the terms or score texts by them."""
        numbers = [one for one, term in self._spelled if term.floor > 0]
        return {
            "body": weighted((one, term.idf) for one, term in self._spelled),
            "names": weighted((NAME + one, term.idf) for one, term in self._spelled),
            "numbers": weighted((place, 1.0) for one in numbers for place in (one, NAME + one)),
            "held": [weighted((place, 1.0) for one in own for place in (one, NAME + one)) for own in self.spellings],
            "masses": [term.mass for term in self.terms],
            "floors": [term.floor for term in self.terms],
            "spellings": [SEPARATOR.join(own) for own in self.spellings],
            "most_spellings": max(map(len, self.spellings), default=1),
            # One more than what slows repetitions down in a text (retrieval/term_weights.py).
            "fixed": 1 + SATURATION * (1 - LENGTH_NORMALISATION),
            "by_length": SATURATION * LENGTH_NORMALISATION,
            "mean_length": self.mean_length,
            "most": SATURATION + 1,
            "name_weight": NAME_WEIGHT,
        }

    @property
    def telling(self) -> dict[str, float]:
        """The part of each term in the share."""
        return {term.term: term.mass for term in self.terms}

    @cached_property
    def single(self) -> list[SparseVector]:
        """Every spelling by itself: the inner product with it is the weight of it in a text."""
        return [weighted([(one, 1.0)]) for one in self.every_spelling]

    def matched_values(self, *, of_names: bool = True) -> dict[str, object]:
        """The values that tell which spellings a chunk (or, `of_names`, the name of its file) holds."""
        before = ("", NAME) if of_names else ("",)
        each = [weighted((place + one, 1.0) for place in before) for one in self.every_spelling]
        return {"spelled": self.every_spelling, "each": each}


def keyword_question(
    connection: Connection,
    query: RetrievalQuery,
    reader: list[str] | None = None,
    readable: Sequence[str] = (),
    names: NameCounts | None = None,
) -> KeywordQuestion:
    """The terms of a question with what they weigh in this index; to a `reader`, terms of other files alone are in
    none. `readable` are files of this reader, as far as they are known: a few of them are looked into first. `names`
    are counts of this index, kept from one question to the next."""
    ignored = query.matching.ignored
    question = without_words(clean(query.query), ignored)
    kept = (clean(keyword) for keyword in query.keywords if not ignored or normalise(keyword).strip() not in ignored)
    keywords = [without_words(keyword, ignored) for keyword in kept]
    text = "\n".join((question, *keywords))
    variants = find_variants(text, query.matching)
    terms = terms_of(question, keywords, query.matching.off)
    # Only of files it is said that they bear a number: of their chunks, any may.
    numbers = [term for term in terms if query.unit != "chunk" and is_numbered(term)]
    # A keyword out of the question is no second place for its words: weekly, report are still the weekly report.
    added = [keyword for keyword in keywords if normalise(keyword) not in normalise(question)]
    others = alternatives_of(terms, "\n".join((question, *added)), variants)
    names = names or NameCounts()
    return _weighed(connection, terms, numbers, others, variants, how_telling(text), reader, readable, names)


def plain_question(connection: Connection, text: str) -> KeywordQuestion:
    """The terms of a text as they are, without other ways to write them."""
    return _weighed(connection, analyse(clean(text)).terms, [], {}, (), {}, None, (), NameCounts())


def _weighed(
    connection: Connection,
    terms: Sequence[str],
    numbers: Sequence[str],
    alternatives: Mapping[str, tuple[str, ...]],
    variants: Sequence[Variant],
    telling: Mapping[str, float],
    reader: list[str] | None,
    readable: Sequence[str],
    names: NameCounts,
) -> KeywordQuestion:
    counted = list(dict.fromkeys((*terms, *(other for others in alternatives.values() for other in others))))
    kept = names.fresh()
    asked = {
        "terms": counted,
        "names_counted": list(kept.keys() & set(counted)),
        "numbers": list(numbers),
        "most_bearers": MOST_BEARERS,
        "reader": reader,
        "some_readable": list(readable),
    }
    # Not prepared: a generic plan would not see how rare the terms are.
    with by_index(connection):
        rows = connection.execute(SQL.term_frequencies, asked, prepare=False, binary=True).fetchall()
    _, _, chunks, total_length, _, _ = rows[0]
    in_names = {row[0]: int(row[5]) for row in rows if row[5] is not None}
    names.keep(in_names)
    kept |= in_names
    held = {row[0]: int(row[1] or kept.get(row[0], 0)) for row in rows if row[1] is not None}
    frequencies = {term: number for term, number in held.items() if number}
    bearers = {row[0]: int(row[4]) for row in rows if row[4] is not None}
    return KeywordQuestion(
        terms=tuple(weigh(terms, frequencies, bearers, chunks, alternatives, telling)),
        mean_length=max(1.0, total_length / max(1, chunks)),
        chunks=chunks,
        variants=variants_in_use(variants, frequencies),
    )
