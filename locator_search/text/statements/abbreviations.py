"""Abbreviations behind what they stand for, and English terms behind their translation, in brackets. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import regex

_TRANSLATED = regex.compile(
    r"(?P<translation>[\p{Han}\p{Katakana}ー]{2,}) ?[(（](?P<term>[A-Za-z][A-Za-z0-9 /-]+)[)）]"
)
_DENYING = regex.compile("[不未無非否禁]")
_DENIED = regex.compile(r"(?:un|in|im|non|dis|no|not|forbid|bar|prohibit|re(?:ject|fus))", regex.IGNORECASE)
_SMALL = frozenset({"of", "and", "for", "the", "in", "to", "on", "a", "or", "with", "at"})


@cache
def _defined() -> regex.Pattern[str]:
    """Compiled when statements are first compared, which few commands do."""
    return regex.compile(r"(?P<long>(?:(?<![\w/-])[\w/-]++,? ){1,9})\((?P<short>\p{Lu}[\w&/-]*\p{Lu}\w*)\)")


def as_used_in(claim: str, sentence: str) -> str:
    """A sentence with each abbreviation it defines as a claim has it: alone, where the claim has it without what it
    stands for, and left out, where the claim has it not. One that does not begin the words before it defines none."""

    def used(found: regex.Match[str]) -> str:
        before, words = _split(found["long"], found["short"])
        if not words:
            return found[0]
        named = regex.search(rf"(?<!\w){regex.escape(found['short'])}s?(?!\w)", claim)
        told = words.casefold() in claim.casefold()
        if named and not told:
            return f"{before}{found['short']}"
        return found[0] if named else f"{before}{words}"

    return _defined().sub(used, sentence)


def _split(text: str, short: str) -> tuple[str, str]:
    """The text before the words that an abbreviation is made of, and those words; none where it is not made of the
    first letters of the words before it."""
    letters = [letter for letter in short if letter.isupper()]
    words = text.rstrip().split(" ")
    for first in range(len(words) - 1, -1, -1):
        initials = [
            part[0].upper()
            for word in words[first:]
            for part in regex.split("[-/]", word)
            if part and word.casefold() not in _SMALL
        ]
        if initials == letters:
            before = " ".join(words[:first])
            return (f"{before} " if before else ""), " ".join(words[first:])
    return "", ""


def with_original_terms(claim: str, sentences: Iterable[str]) -> str:
    """A Japanese claim with the English term alone where it gives that behind its translation, as a sentence has it:
    再生型ペイロード(regenerative payload). A translation that denies what the term does not stays."""
    text = " ".join(sentences).casefold()

    def original(found: regex.Match[str]) -> str:
        term = found["term"]
        kept = bool(_DENYING.search(found["translation"])) != bool(_DENIED.match(term))
        return found[0] if kept or term.casefold() not in text else f" {term} "

    return _TRANSLATED.sub(original, claim)
