"""Whether two words are one: numbers with their units, names letter by letter, words by their stems or meanings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from locator_search.text.statements.bilingual import KATAKANA, can_mean, meanings, rarer_meanings, sounds_nearly
from locator_search.text.statements.phrases.spelling import stem_of
from locator_search.text.statements.tokens import Statement, Token
from locator_search.text.statements.units import COUNTERS, ORDINALS, unit_of

YEAR_DIGITS = 4
_DENYING = re.compile(r"(?:un|non-?)(\w{4,})")


def same(token: Token, other: Token) -> bool:
    """Whether two words are one: numbers with their units, names letter by letter, words by their stems."""
    if token.kind == "number" or other.kind == "number":
        return (
            token.key == other.key and _same_unit(token, other) if token.kind == other.kind else _is_one(token, other)
        )
    if token.japanese != other.japanese:
        ours, theirs = (token, other) if token.japanese else (other, token)
        if theirs.kind == "identifier" and theirs.text.isupper() and KATAKANA.fullmatch(ours.key):
            return theirs.key in meanings(ours.key)  # ユーザー sounds like EAS
        if theirs.text[:1].isupper() and sounds_nearly(ours.key, theirs.text.casefold()):
            return True
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


def once_each(claim: Sequence[Token], sentence: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """The words that a claim and its sentence have once each, with each other."""
    for token in claim:
        found = [other for other in sentence if same(token, other)]
        if len(found) == 1 and sum(same(one, found[0]) for one in claim) == 1:
            yield token, found[0]


def _forms(token: Token) -> set[str]:
    """The stem of an English word, and the word without the endings of many, more and most."""
    word = token.text.casefold()
    stems = {word.removesuffix("s")} | {word.removesuffix(end) for end in ("er", "est") if len(word) > 4}
    return {token.key, *stems}


def with_whole_words(tokens: Sequence[Token], others: Sequence[Token]) -> Iterator[Token]:
    """Tokens with two or three words as one, where that stands in the other language: マルチ, キャスト, multicast;
    dual, connectivity, デュアルコネクティビティ; 有効, 期間, lifetime."""
    place = 0
    while place < len(tokens):
        whole = next(filter(None, (_whole(tokens[place : place + count], others) for count in (3, 2))), None)
        yield whole[0] if whole else tokens[place]
        place += whole[1] if whole else 1


def with_denied_words(tokens: Sequence[Token], others: Sequence[Token]) -> Iterator[Token]:
    """English words with a prefix that denies as the denied word behind it, where the Japanese text denies that:
    undelivered, 未配信."""
    for token in tokens:
        prefixed = None if token.japanese or not token.hidden else _DENYING.fullmatch(token.text.casefold())
        base = token if prefixed is None else replace(token, text=prefixed[1], key=stem_of(prefixed[1]))
        denied = base is not token and any(other.japanese and other.negated and same(base, other) for other in others)
        plain = any(other.japanese and same(token, other) for other in others)
        yield replace(base, hidden=False, negated=True) if denied and not plain else token


def _whole(parts: Sequence[Token], others: Sequence[Token]) -> tuple[Token, int] | None:
    """Words side by side as the one word that another one means, with their number; None where they mean none, or
    more than that by themselves."""
    first, last = parts[0], parts[-1]
    if len(parts) < 2 or any(
        part.kind != "word" or (part.phrase, part.section) != (first.phrase, first.section) for part in parts
    ):
        return None
    text = "".join(part.text for part in parts)
    key = "".join(part.text for part in parts[:-1]) + last.key if last.japanese else "".join(part.key for part in parts)
    whole = replace(first, text=text, key=key)
    listed = last.japanese and bool(meanings(key) or rarer_meanings(key))
    found = sum(any(same(part, other) for other in others) for part in parts)
    if found == len(parts) or (found and not listed):
        return None
    if not (listed or KATAKANA.fullmatch(key) or not last.japanese):
        return None
    return (whole, len(parts)) if any(same(whole, other) for other in others) else None


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
