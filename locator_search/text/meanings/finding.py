"""Finds numbers, years, quarters and company forms however they are written: 令和6年 and R6 mean 2024年.

Found in normalised texts and questions alike. The keyword index keeps the meanings beside the words (see
`text.terms`), so that a question can ask for the meaning where the words differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

import regex

from locator_search.text.dates.eras import ERA_LETTERS, ERAS
from locator_search.text.meanings.numerals import MULTIPLES, NUMERALS, value_of

MeaningRule = Literal["number", "era", "quarter", "company"]

COMPANY_FORMS = {
    "株式会社": "(株)", "有限会社": "(有)", "合同会社": "(同)", "合資会社": "(資)", "合名会社": "(名)",
    "相互会社": "(相)", "一般社団法人": "(一社)", "公益社団法人": "(公社)", "一般財団法人": "(一財)",
    "公益財団法人": "(公財)", "社会福祉法人": "(福)", "学校法人": "(学)", "医療法人": "(医)", "宗教法人": "(宗)",
    "特定非営利活動法人": "(特非)", "独立行政法人": "(独)", "国立大学法人": "(大)", "協同組合": "(協)",
    "監査法人": "(監)", "弁護士法人": "(弁)",
}  # fmt: skip
"""Forms of companies and other bodies, with their short forms in brackets (as NFKC leaves ㈱)."""


class Meaning(NamedTuple):
    """Text at [start:end] that means the same as every other text with this rule and `means`."""

    start: int
    end: int
    rule: MeaningRule
    means: str


_NUMBER = rf"[\d{NUMERALS}][\d,{NUMERALS}{MULTIPLES}]*+"
_COUNTERS = """
年 月 日 時 分 秒 週 年度 世紀 週間 周年 か月 ヶ月 カ月 ケ月 箇月 ヵ月 回 人 名 件 個 本 枚 台 社 円 票 冊 部 点 店 校
戸 棟 軒 章 条 項 号 節 版 巻 編 期 次 階 位 級 歳 倍 割 種類 番目 番地 丁目 か所 ヶ所 カ所 箇所
県 市 区 町 村
"""
_COUNTER = "|".join(sorted(_COUNTERS.split(), key=len, reverse=True))
_COUNTED = regex.compile(
    rf"(?<![\d.,{NUMERALS}{MULTIPLES}数何幾])(?P<number>{_NUMBER})(?P<counter>{_COUNTER})(?!市)|第(?P<ordinal>{_NUMBER})(?P<of>{_COUNTER}|)"
)
_ONE_SPELLING = str.maketrans({"ヶ": "か", "カ": "か", "ケ": "か", "箇": "か", "ヵ": "か"})
_NOT_COUNTED = frozenset(("一部", "一時", "一期", "一次", "一点", "一位", "十分", "千年"))
"""Words and names that only look counted."""


_LONGEST_ERA = 64
_ERA_NUMBER = rf"(?:元|\d{{1,2}}|[{NUMERALS}]{{1,3}})"
_CJK = r"_\p{Han}\p{Katakana}\p{Hiragana}"
_LETTER_YEAR = r"(?P<letter>r)(?P<letter_year>0?[1-9]|1\d)|(?P<letter>h)(?P<letter_year>0[1-9]|[12]\d|3[01])"
_YEAR = regex.compile(
    # 令和6年, 令和六年度, 平成元年; R6年, S63年度
    rf"(?P<era>{'|'.join(ERAS)})\s?(?P<era_year>{_ERA_NUMBER})\s?年度?"
    r"|(?<![a-z\d])(?P<letter>[mtshr])\.?\s?(?P<letter_year>\d{1,2})\s?年度?"
    # R6.9.1, H31/4; R6予算, 議事録_R06, R6
    r"|(?<![a-z\d./-])(?P<letter>[rhs])\.?(?P<letter_year>\d{1,2})(?=[./](?:0?[1-9]|1[0-2])(?:[./]\d{1,2})?(?![\d.]))"
    rf"|(?<![a-z\d./-])(?:{_LETTER_YEAR})(?=[{_CJK}])(?!乗)|(?<=[{_CJK}])(?:{_LETTER_YEAR})(?=$|[\s).])|^(?:{_LETTER_YEAR})$"
    # 2024年, 二〇二四年度, FY2024, FY24; 2024-09, 2024/9/10, 20240910
    rf"|(?<![\d.,{NUMERALS}])(?P<year>(?:1[89]|20)\d\d|[一二][{NUMERALS}]{{3,7}})\s?年度?(?![前間代])"
    r"|(?<![a-z])fy\s?'?(?P<fiscal>20\d\d|\d\d)(?!\d)"
    r"|(?<![\d.,/-])(?P<year>(?:19|20)\d\d)(?:(?P<gap>[-/.])(?:0?[1-9]|1[0-2])(?:(?P=gap)(?:[12]\d|3[01]|0?[1-9]))?|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?![\d/-])"
)

_QUARTER = regex.compile(
    r"第?(?P<quarter>[1-4一二三四])\s?四半期|(?P<half>[上下])半?期(?![間限待])"
    r"|q(?P<quarter>[1-4])(?![a-z\d]|\s?[.:)、】])|(?P<quarter>[1-4])q(?![a-z\d])"  # Q1. is a question with its number
    r"|h(?P<half>[12])(?![a-z\d])|(?P<half>[12])h(?![a-z\d])"
    r"|\b(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter\b"
    r"|\b(?P<half>first|second)\s+half\s+of\s+(?:the\s+)?(?:fiscal|year|fy|20\d\d)"
)
_HINT_OF_A_QUARTER = regex.compile(r"半期|[上下]期|[qh][12]|q[34]|[12][qh]|[34]q|quarter|half")
_AFTER_A_YEAR = regex.compile(r"(?:20\d\d|fy\s?'?\d\d|年度?の?|期の?)[\s/_-]?$")
_BEFORE_A_YEAR_OR_RESULT = regex.compile(
    r"[\s/_-]?(?:of\s)?(?:fy\s?'?\d\d|20\d\d)"
    r"|\s?の?(?:決算|実績|予算|売上|業績|計画|見通し|目標|予想|報告|資料|会議|results?|sales|budget|revenue|report)"
)
_ORDER = {
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
}
_HALVES = {"上": "上期", "1": "上期", "first": "上期", "下": "下期", "2": "下期", "second": "下期"}

_LONG_FORMS = {short: long for long, short in COMPANY_FORMS.items()} | {"npo法人": "特定非営利活動法人"}
_COMPANY_FORM = regex.compile("|".join(map(regex.escape, (*COMPANY_FORMS, *_LONG_FORMS))))
_HINT_OF_A_COMPANY = regex.compile(r"\(|会社|法人|組合")


def find_meanings(text: str) -> list[Meaning]:
    """Every meaning in a normalised text, rule by rule; those of one rule do not overlap."""
    years = list(_years(text))
    companies = (Meaning(start, end, "company", form) for start, end, form in find_company_forms(text))
    return [*years, *_quarters(text), *companies, *_numbers(text, years)]


def _years(text: str) -> Iterator[Meaning]:
    for match in _YEAR.finditer(text):
        year = _year(match)
        if year is not None:
            yield Meaning(match.start(), match.end(), "era", f"{year}年")


def _year(match: regex.Match[str]) -> int | None:
    if match["era"] or match["letter"]:
        era = match["era"] or ERA_LETTERS[match["letter"]]
        written = match["era_year"] or match["letter_year"]
        number = 1 if written == "元" else value_of(written)
        return ERAS[era] + number if number and number <= _LONGEST_ERA else None
    if match["fiscal"]:
        return 2000 + int(match["fiscal"][-2:])
    year = value_of(match["year"])
    return year if year and 1868 <= year < 2100 else None


def _quarters(text: str) -> Iterator[Meaning]:
    if not _HINT_OF_A_QUARTER.search(text):  # much faster than the pattern
        return
    for match in _QUARTER.finditer(text):
        quarter, half = match["quarter"], match["half"]
        if not _stands_for_a_part_of_a_year(text, match.start(), match.end()):
            continue
        means = _HALVES[half] if half else f"第{_ORDER.get(quarter) or quarter}四半期"
        yield Meaning(match.start(), match.end(), "quarter", means)


def _stands_for_a_part_of_a_year(text: str, start: int, end: int) -> bool:
    """Q1 does unless it touches other letters or digits than a year; H2 (hydrogen) only beside a year or a result."""
    if (start, end) == (0, len(text)):
        return True
    if not text[start:end].isascii() or " " in text[start:end]:
        return text[start - 1 : start] != "以"
    before = text[max(0, start - 8) : start]
    of_a_year = _AFTER_A_YEAR.search(before) is not None
    if before[-1:].isascii() and before[-1:].isalnum() and not of_a_year:
        return False
    return "q" in text[start:end] or of_a_year or _BEFORE_A_YEAR_OR_RESULT.match(text, end) is not None


def find_company_forms(text: str) -> list[tuple[int, int, str]]:
    """(start, end, long form) of each form of a company or another body in a normalised text."""
    if not _HINT_OF_A_COMPANY.search(text):
        return []
    return [(*match.span(), _LONG_FORMS.get(match.group(), match.group())) for match in _COMPANY_FORM.finditer(text)]


def _numbers(text: str, years: list[Meaning]) -> Iterator[Meaning]:
    """Counted and ordinal numbers, except the 6年 of 令和6年."""
    of_an_era = {year.end for year in years if not text[year.start].isdecimal()}
    for match in _COUNTED.finditer(text):
        start, end = match.span()
        if end in of_an_era or match.group() in _NOT_COUNTED:
            continue
        means = _number(*match.groups())
        if means:
            yield Meaning(start, end, "number", means)


@lru_cache(maxsize=4096)
def _number(number: str | None, counter: str | None, ordinal: str | None, of: str | None) -> str:
    """Nothing where it is none (三四回)."""
    value = value_of(number or ordinal or "")
    if value is None:
        return ""
    counter = counter or of or ""
    spelled = counter.translate(_ONE_SPELLING) if len(counter) > 1 else counter
    return f"{'第' if ordinal else ''}{value}{spelled}"


def company_form_variants(long_form: str) -> tuple[str, ...]:
    """Every way to write a form, the long one first."""
    sign = {"株式会社": "㈱", "有限会社": "㈲", "学校法人": "㈻", "協同組合": "㈿", "独立行政法人": "㈵"}.get(long_form)
    npo = ("NPO法人",) if long_form == "特定非営利活動法人" else ()
    return (long_form, *([sign] if sign else []), COMPANY_FORMS[long_form], *npo)
