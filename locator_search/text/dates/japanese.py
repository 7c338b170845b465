"""Japanese dates: 2024年9月10日, 令和6年9月, 26年9月第2週, 2024年度上期, 第1四半期, 2026年第33週, 9月末.

Readers never guess: 第2024号, 3月期 without a year, 9月額 or 2024年問題 are no dates.
"""

from __future__ import annotations

from dataclasses import replace

from locator_search.text.dates.eras import era_year, number
from locator_search.text.dates.notation import Groups, Notation, any_of
from locator_search.text.dates.parts import DateParts, Section
from locator_search.text.dates.periods import Calendar, months_span

NUMBER = r"(?:\d{1,2}|[〇一二三四五六七八九十]{1,3})"

YEARS = {
    "一昨々年": -3, "一昨年": -2, "おととし": -2, "前々年": -2, "昨年": -1, "去年": -1, "前年": -1,
    "今年": 0, "本年": 0, "来年": 1, "再来年": 2,
}  # fmt: skip
_FISCAL_YEARS = YEARS | {"当年": 0, "次年": 1, "翌年": 1}
SECTIONS: dict[str, Section] = {
    **dict.fromkeys(("上旬", "初旬", "初め", "始め", "はじめ", "初頭", "頭"), "first"),
    **dict.fromkeys(("中旬", "半ば", "なかば"), "middle"),
    **dict.fromkeys(("下旬", "末", "末日", "終わり"), "last"),
    "前半": "first half",
    "後半": "second half",
}  # fmt: skip
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}

_YEAR = rf"""
    (?: (?<![\d.,/]) (?P<year>(?:19|20)\d\d) \s*年
      | (?: (?P<era>明治|大正|昭和|平成|令和) | (?<![a-z0-9])(?P<era>[mtshr])\.? ) \s*(?P<era_year>元|{NUMBER})\s*年
      | (?<![\d.,/]) (?P<short_year>\d\d)年(?=度|\s*の?\s*(?:{NUMBER}月|[上下]半?期|第?[1-4一二三四]四半期))
      | (?P<fiscal_word>{any_of(_FISCAL_YEARS)})(?=度)
      | (?P<year_word>{any_of(YEARS)})(?![度比同対並割増減])
    )
    (?: (?P<fiscal>度)(?![比]) | (?!度|問題|間|生|代|目|式) )"""

SECTION = rf"の?(?P<section>{any_of(SECTIONS)})(?![取金出てま]|調整|年始)"
_WEEKDAY = r"(?: \s*\([月火水木金土日](?:曜日?)?(?:[・/]祝)?\) )?"
DAY = rf"""
    (?: \s*の?\s*(?P<day>{NUMBER})\s*日(?![間目]){_WEEKDAY}
      | \s*の?\s*第\s*(?P<week>{NUMBER})\s*週目?(?!間)
      | {SECTION} )"""

_PART = rf"""
    (?: (?<![\d.a-z/]) (?P<month>{NUMBER}) \s*
        (?: 月(?![額給次間光刊病])
            (?: (?<=[~-]\s*{NUMBER}\s*月)期 | (?<![~-]\s*{NUMBER}\s*月)(?P<closing>期)(?!間) | 度 )? {DAY}?
          | (?= \s*[~-]\s*{NUMBER}\s*月) )
      | (?: 第\s* | (?<=[年度]\s*の?\s*) ) (?P<week>{NUMBER})\s*週目?(?![間前後])
      | (?<![a-z0-9-])w(?P<week>\d\d)(?![a-z0-9]|\s*[x×*])
      | (?: 第?\s*(?P<quarter>[1-4一二三四])\s*四半期
          | (?<![a-z0-9])(?: q(?P<quarter>[1-4]) | (?P<quarter>[1-4])q )(?![a-z0-9])
          | (?<!以)(?P<half>[上下])半?期(?![間限待]) ) (?:{SECTION})?
    )"""


def _composed(groups: Groups, calendar: Calendar) -> DateParts | None:
    year = _year(groups, calendar)
    if year is None and groups.keys() & {"closing", "fiscal_word", "year_word", "short_year"}:
        return None
    return within(
        groups,
        DateParts(
            year=year,
            fiscal="fiscal" in groups,
            half={"上": 1, "下": 2}.get(groups.get("half", "")),
            quarter=number(groups["quarter"]) if "quarter" in groups else None,
            month=number(groups["month"]) if "month" in groups else None,
            closing="closing" in groups,
        ),
    )


def _season(groups: Groups, calendar: Calendar) -> DateParts | None:
    year = _year(groups, calendar)
    return DateParts.of_span(months_span(year, _SEASONS[groups["season"]], 3)) if year else None


def within(groups: Groups, parts: DateParts) -> DateParts:
    """The parts with the day, the week or the section that is written after them."""
    return replace(
        parts,
        day=number(groups["day"]) if "day" in groups else None,
        week=number(groups["week"]) if "week" in groups else None,
        section=SECTIONS.get(groups.get("section", "")),
    )


def _year(groups: Groups, calendar: Calendar) -> int | None:
    if "year" in groups:
        return int(groups["year"])
    if "era" in groups:
        return era_year(groups["era"], groups["era_year"])
    if "short_year" in groups:
        year = 2000 + int(groups["short_year"])
        return year if year <= (calendar.today.year + 3 if calendar.today else 2030) else None
    if "fiscal_word" in groups and calendar.fiscal_year is not None:
        return calendar.fiscal_year + _FISCAL_YEARS[groups["fiscal_word"]]
    if "year_word" in groups and calendar.year is not None:
        return calendar.year + YEARS[groups["year_word"]]
    return None


NOTATIONS = (
    Notation(rf"{_YEAR} (?: \s*の?\s* {_PART} | {SECTION} )?", _composed),
    Notation(_PART, _composed),
    Notation(rf"{_YEAR}\s*の?\s*(?P<season>[{''.join(_SEASONS)}])(?![\p{{Han}}])", _season),
)
