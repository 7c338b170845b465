"""Looks in the vocabulary of an index for words that odd words of a question may be slips of."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.adapters.postgres.search.exact_matches import texts_holding
from locator_search.adapters.postgres.search.scope import Scope
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.statements import statements
from locator_search.retrieval.odd_words import OddWord, likeliest, slips_of, sounding_alike

SQL = statements(__name__)

MOST_TEXTS = 50
"""Texts that are read for what they have in the place of a word."""


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
    return sounding_alike(odd, (text for _, text in texts_holding(connection, odd.known, scope, MOST_TEXTS)))
