"""Looks into names and texts of an index: the files that a question names, those with a text that holds the words in
its quotation marks, and the words that odd words of it may be slips of."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.adapters.postgres.search.scope import Scope
from locator_search.adapters.postgres.search.side_by_side import by_index
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.retrieval.odd_words import OddWord, likeliest, slips_of, sounding_alike
from locator_search.retrieval.query_terms import quoted_phrases
from locator_search.retrieval.version_names import without_suffix
from locator_search.text.normalise import normalise
from locator_search.text.terms import PAIR, RUN, analyse, bare

SQL = statements(__name__)

TEXTS_WITH_A_PHRASE = 500
"""Chunks that are read in search of a phrase; all of them hold each of its pairs of characters."""
TEXTS_AROUND_A_WORD = 50
"""Texts that are read for what they have in the place of a word."""


def files_named_outright(connection: Connection, question: str, scope: Scope) -> list[str]:
    """Files whose name is the question, with or without the suffix."""
    name = normalise(clean(question)).strip()
    asked = {**scope.values, "keys": [name, normalise(without_suffix(name)[0])]}
    return [
        file_id
        for file_id, file_name in connection.execute(SQL.files_called, asked, prepare=False)
        if name in (normalise(file_name), normalise(without_suffix(file_name)[0]))
    ]


def files_with_phrases(connection: Connection, question: str, scope: Scope) -> set[str]:
    """Files that hold every phrase the question quotes, letter by letter but for width, case and the like."""
    found: set[str] | None = None
    for phrase in quoted_phrases(clean(question)):
        # Pairs of characters and plain runs are the same within a longer text; words may be parted otherwise there.
        terms = [term for term in analyse(phrase).terms if term.startswith(PAIR) or _is_plain_run(term)]
        if not terms:
            continue
        wanted = normalise(phrase)
        rows = texts_holding(connection, terms, scope, TEXTS_WITH_A_PHRASE)
        having = {file_id for file_id, text in rows if wanted in normalise(text)}
        found = having if found is None else found & having
    return found or set()


def texts_holding(connection: Connection, terms: Sequence[str], scope: Scope, most: int) -> list[tuple[str, str]]:
    """At most so many texts and names that hold all of the terms, as (file id, text)."""
    asked = {**scope.values, "terms": list(terms), "most_texts": most}
    with by_index(connection):
        return connection.execute(SQL.texts_with_terms, asked, prepare=False).fetchall()


def _is_plain_run(term: str) -> bool:
    return term.startswith(RUN) and bare(term).isalnum()


def respelled(
    connection: Connection, odd: Sequence[OddWord], scope: Scope, reader: list[str] | None = None
) -> tuple[tuple[str, str], ...]:
    """For odd words, as they are written in the question, words of the index in their place."""
    near = ((word.written, _near(connection, word, scope, reader)) for word in odd)
    return tuple((written, other) for written, other in near if other)


def _near(connection: Connection, odd: OddWord, scope: Scope, reader: list[str] | None) -> str:
    for terms in slips_of(odd):
        rows = connection.execute(SQL.terms_in_use, {"terms": terms, "reader": reader}, prepare=False).fetchall()
        if word := likeliest(odd, rows):
            return word
    if not odd.known:
        return ""
    return sounding_alike(odd, (text for _, text in texts_holding(connection, odd.known, scope, TEXTS_AROUND_A_WORD)))
