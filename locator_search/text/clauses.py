"""Clause numbers of headings, which clause lies within which, and lines that look like a heading (PDF, plain text)."""

from __future__ import annotations

import unicodedata

import regex

from locator_search.text.normalise import normalise

NUMERAL = r"[\d〇一二三四五六七八九十百]+"
_STANDS_FOR_A_NUMBER = r"(?:[xyz]{1,3}|nn?)\d{0,2}(?=[.\s()、]|$)"  # 6.2.x: a clause whose number is given later
_LETTER_FOR_A_NUMBER = (
    r"(?<=\d\.\d{1,3}\.)(?:[a-z]|(?P<twice>[a-z])(?P=twice))(?=[.\s()、]|$)"  # 5.9.A, 5.9.aa: likewise
)
_PART = rf"(?:\d{{1,3}}(?:[a-z](?![a-z]))?|{_STANDS_FOR_A_NUMBER}|{_LETTER_FOR_A_NUMBER})"  # 5.2.1a, and 6.2A.1
_ANNEX = rf"(?P<annex>annex|appendix|附属書|付属書|付録)\s*(?P<letter>[a-z])(?![a-z0-9])(?P<below>(?:\.{_PART})*)"
CLAUSE = regex.compile(
    rf"(?P<clause>\d{{1,3}}(?:\.{_PART}){{2,}}|\d{{1,3}}(?:\.{_PART})?(?=\.(?!\d)|[)、\s]|$)|[a-z](?:\.{_PART})+"
    rf"|{_ANNEX}|第\s*{NUMERAL}\s*[条章節項](?:の{NUMERAL})?)",
    regex.IGNORECASE,
)


def clause_number(heading: str) -> str | None:
    """The number a heading begins with: 5.2.1, 5.2.1a, 3, A.1, Annex B, 第3条; None when it has none (2024年度の計画).

    Of letters, the first is written large (a.1 is A.1); those behind a number stay as they are, because 5.2.1A and
    5.2.1a are two clauses.
    """
    found = CLAUSE.match(unicodedata.normalize("NFKC", heading).strip())
    if found is None:
        return None
    if found["annex"]:
        letter, annex = found["letter"].upper(), found["annex"].capitalize()
        if found["below"]:
            return f"{letter}{found['below']}"
        return f"{annex} {letter}" if annex.isascii() else f"{annex}{letter}"
    clause: str = found["clause"].replace(" ", "")
    return clause[0].upper() + clause[1:]


def clause_above(clause: str) -> str:
    """The beginning, before the dot, of the numbers of all clauses below one: 5.2 for 5.2, A for Annex A."""
    return clause if clause[:1].isdigit() or "." in clause else clause[-1:]


def lies_within(clause: str | None, wanted: str) -> bool:
    """Whether a clause is the wanted one or lies below it: 5.2.1 and 5.2.1.3 within 5.2, A.1 within Annex A."""
    return clause is not None and (clause == wanted or clause.startswith(f"{clause_above(wanted)}."))


_ARTICLE_LEVELS = {"章": 1, "節": 2, "条": 3}
_ARTICLE = regex.compile(rf"第\s*{NUMERAL}\s*(?P<kind>[章節条])")
_ENDS_LIKE_A_SENTENCE = regex.compile(r"[。．！？!?、,;:.]$")
_TITLE_OF_AN_ANNEX = regex.compile(r"\s*(?:[(:]|$)")
_LONGEST_HEADING = 60
_UNIT = (
    r"(?:[mk]m|cm|[km]g|ml|ms|kwh?|[kmgt]b|[kmg]?hz|usd|jpy|eur"
    r"|[十百千万億兆]*(?:円|ドル|ユーロ|人|名|件|個|台|本|枚|冊|社|店|回|倍|割|点|位|ポイント|トン)|[十百千万億兆]+"
    r"|時間|分|秒|か月|ヶ月|年|月|日|週|歳)"
)
_ROW_OF_FIGURES = regex.compile(rf"(?:[^\w\s]*(?:\d[\d.,:/、]*{_UNIT}?|{_UNIT})?[^\w\s]*(?:\s+|$))+")
"""Numbers with their units and signs, and nothing that names anything: 12.3 △4.5 98%, 1.5 倍, 12,300 円."""


def inferred_level(paragraph: str) -> int:
    """The level (1-9) of a paragraph that looks like a numbered heading (2.1 準備, 第3条(期間)); 0 for any other,
    such as a row of figures (12.3 4.5 98%)."""
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
    if clause.end() == len(line) or _ROW_OF_FIGURES.fullmatch(line):
        return 0
    return min(9, clause["clause"].count(".") + 1)
