"""Whether two words are one: numbers with their units, names letter by letter, words by their stems or meanings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from locator_search.text.statements.bilingual import KATAKANA, can_mean
from locator_search.text.statements.tokens import Statement, Token
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
        return any(can_mean(ours.key, form) for form in _forms(theirs))
    if token.key == other.key:
        return True
    if token.kind != "word" or other.kind != "word" or token.japanese:
        return token.text.casefold() == other.text.casefold()
    short, long = sorted((token.key, other.key), key=len)
    if len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 3:
        return True
    short, long = sorted((token.text.casefold(), other.text.casefold()), key=len)  # the stem of added is ad
    return len(short) >= 3 and long.startswith(short) and long[len(short) :] in ("s", "ed", "ing")


def _forms(token: Token) -> set[str]:
    """The stem of an English word, and the word without the endings of many, more and most."""
    word = token.text.casefold()
    stems = {word.removesuffix("s")} | {word.removesuffix(end) for end in ("er", "est") if len(word) > 4}
    return {token.key, *stems}


def with_whole_words(tokens: Sequence[Token], others: Sequence[Token]) -> Iterator[Token]:
    """Tokens with two words as one, where that stands in the other language: マルチ, キャスト, multicast; dual,
    connectivity, デュアルコネクティビティ."""
    place = 0
    while place < len(tokens):
        token, after = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else None
        words = after is not None and token.kind == after.kind == "word"
        if after is not None and words and after.phrase == token.phrase and after.section == token.section:
            whole = replace(token, text=token.text + after.text, key=token.key + after.key)
            parts = any(same(one, other) for one in (token, after) for other in others)
            joined = KATAKANA.fullmatch(whole.key) or not whole.japanese
            if joined and not parts and any(same(whole, other) for other in others):
                token, place = whole, place + 1
        yield token
        place += 1


def _same_unit(token: Token, other: Token) -> bool:
    units = {token.unit, other.unit} - COUNTERS
    if units == {"", "year"}:
        return len(token.key) == YEAR_DIGITS
    return len(units) < 2 and (token.unit == other.unit or units <= {""})


def _is_one(token: Token, other: Token) -> bool:
    """Whether one is 1 with a unit and the other the unit alone: 1時間に4回 is four times an hour. Or one is counted
    and the other its ordinal: 2回目 is the second."""
    number, word = (token, other) if token.kind == "number" else (other, token)
    if number.unit in COUNTERS and ORDINALS.get(word.text.casefold()) == number.key:
        return True
    return number.key == "1" and bool(number.unit) and unit_of(word.text) == number.unit


def is_said(token: Token, sentence: Statement) -> bool:
    """Whether a sentence has a word, number or name, wherever and however."""
    return any(same(token, other) for other in sentence.tokens)
