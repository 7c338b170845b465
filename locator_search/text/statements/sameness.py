"""Whether two words are one: numbers with their units, names letter by letter, words by their stems or meanings."""

from __future__ import annotations

from locator_search.text.statements.bilingual import can_mean
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.units import COUNTERS, ORDINALS, unit_of

YEAR_DIGITS = 4


def same(token: Token, other: Token) -> bool:
    """Whether two words are one: numbers with their units, names letter by letter, words by their stems."""
    if token.kind == "number" or other.kind == "number":
        return (
            token.key == other.key and _same_unit(token, other) if token.kind == other.kind else _is_one(token, other)
        )
    if token.japanese != other.japanese:
        ours, theirs = (token, other) if token.japanese else (other, token)
        return can_mean(ours.key, theirs.key) or can_mean(ours.key, theirs.text.casefold().removesuffix("s"))
    if token.key == other.key:
        return True
    if token.kind != "word" or other.kind != "word" or token.japanese:
        return token.text.casefold() == other.text.casefold()
    short, long = sorted((token.key, other.key), key=len)
    if len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 3:
        return True
    short, long = sorted((token.text.casefold(), other.text.casefold()), key=len)  # the stem of added is ad
    return len(short) >= 3 and long.startswith(short) and long[len(short) :] in ("s", "ed", "ing")


def _same_unit(token: Token, other: Token) -> bool:
    units = {token.unit, other.unit} - COUNTERS
    if units == {"", "year"}:
        return len(token.key) == YEAR_DIGITS
    return len(units) < 2 and (token.unit == other.unit or units <= {""})


def _is_one(token: Token, other: Token) -> bool:
    """Whether one is 1 with a unit and the other the unit alone (1時間に4回 is four times an hour), or one is counted and
    the other its ordinal: 2回目 is the second."""
    number, word = (token, other) if token.kind == "number" else (other, token)
    if number.japanese != word.japanese and ORDINALS.get(word.text.casefold()) == number.key:
        return number.unit in COUNTERS | {""}
    return number.key == "1" and bool(number.unit) and unit_of(word.text) == number.unit
