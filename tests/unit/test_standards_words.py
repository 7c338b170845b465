"""The lists of words in two languages keep their form."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import regex

from locator_search.text import statements
from locator_search.text.terms import stem

LINE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー々 ]+ = [a-z ]+")


def test_every_line_has_japanese_words_and_english_words_and_no_pair_stands_there_twice() -> None:
    told = [line for name in ("standards_words.txt", "rarer_words.txt") for line in lines_of(name)]
    assert [line for line in told if not LINE.fullmatch(line)] == []
    sides = [[side.split() for side in line.split(" = ")] for line in told]
    pairs = Counter(
        (word, meaning) for ours, theirs in sides for word in ours for meaning in {stem(other) for other in theirs}
    )
    assert [pair for pair, count in pairs.items() if count > 1] == []


def lines_of(name: str) -> list[str]:
    lines = (files(statements) / name).read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
