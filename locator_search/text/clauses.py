"""Clause numbers: of headings, and which clause lies within which."""

from __future__ import annotations

import unicodedata

import regex

NUMERAL = r"[\d〇一二三四五六七八九十百]+"
_PART = r"\d{1,3}(?:[a-z](?![a-z]))?"  # 5.2.1a, and 6.2A.1
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
    """What the numbers of the clauses below one begin with, before the dot: 5.2 for 5.2, A for Annex A."""
    return clause if clause[:1].isdigit() or "." in clause else clause[-1:]


def lies_within(clause: str | None, wanted: str) -> bool:
    """Whether a clause is the wanted one or lies below it: 5.2.1 and 5.2.1.3 within 5.2, A.1 within Annex A."""
    return clause is not None and (clause == wanted or clause.startswith(f"{clause_above(wanted)}."))
