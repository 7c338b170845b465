"""Clause numbers of headings, and headings in documents that mark none (PDF, plain text)."""

from __future__ import annotations

import regex

from locator_search.text.normalise import normalise

_NUMERAL = r"[\d〇一二三四五六七八九十百]+"
_CLAUSE = regex.compile(
    r"(?P<clause>\d{1,3}(?:\.\d{1,3}){2,}|\d{1,3}(?:\.\d{1,3})?(?=\.(?!\d)|[)、\s]|$)|[a-z](?:\.\d{1,3})+"
    rf"|第\s*{_NUMERAL}\s*[条章節項](?:の{_NUMERAL})?)"
)
_ARTICLE_LEVELS = {"章": 1, "節": 2, "条": 3}
_ARTICLE = regex.compile(rf"第\s*{_NUMERAL}\s*(?P<kind>[章節条])")
_ENDS_LIKE_A_SENTENCE = regex.compile(r"[。．！？!?、,;:.]$")
_LONGEST_HEADING = 60


def clause_number(heading: str) -> str | None:
    """The number a heading begins with: 5.2.1, 3, A.1, 第3条; None when it has none (2024年度の計画)."""
    match = _CLAUSE.match(normalise(heading).strip())
    return match["clause"].replace(" ", "").upper() if match else None


def inferred_level(paragraph: str) -> int:
    """The level (1-9) of a paragraph that looks like a numbered heading (2.1 準備, 第3条(期間)); 0 for any other."""
    line = normalise(paragraph).strip()
    if "\n" in line or "\t" in line or len(line) > _LONGEST_HEADING or _ENDS_LIKE_A_SENTENCE.search(line):
        return 0
    article = _ARTICLE.match(line)
    if article:
        return _ARTICLE_LEVELS[article["kind"]]
    clause = _CLAUSE.match(line)
    if clause is None or clause.end() == len(line):
        return 0
    return min(9, clause["clause"].count(".") + 1)
