"""Headings in documents that mark none (PDF, plain text)."""

from __future__ import annotations

import regex

from locator_search.text.clauses import CLAUSE, NUMERAL
from locator_search.text.normalise import normalise

_ARTICLE_LEVELS = {"章": 1, "節": 2, "条": 3}
_ARTICLE = regex.compile(rf"第\s*{NUMERAL}\s*(?P<kind>[章節条])")
_ENDS_LIKE_A_SENTENCE = regex.compile(r"[。．！？!?、,;:.]$")
_TITLE_OF_AN_ANNEX = regex.compile(r"\s*(?:[(:]|$)")
_LONGEST_HEADING = 60


def inferred_level(paragraph: str) -> int:
    """The level (1-9) of a paragraph that looks like a numbered heading (2.1 準備, 第3条(期間)); 0 for any other."""
    line = normalise(paragraph).strip()
    if "\n" in line or "\t" in line or len(line) > _LONGEST_HEADING or _ENDS_LIKE_A_SENTENCE.search(line):
        return 0
    article = _ARTICLE.match(line)
    if article:
        return _ARTICLE_LEVELS[article["kind"]]
    clause = CLAUSE.match(line)
    if clause is None:
        return 0
    if clause["annex"]:
        return 1 if _TITLE_OF_AN_ANNEX.match(line, clause.end()) else 0
    if clause.end() == len(line):
        return 0
    return min(9, clause["clause"].count(".") + 1)
