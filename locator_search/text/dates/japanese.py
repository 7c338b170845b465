"""Japanese dates: 2024年9月10日, 令和6年9月, 2024年度上期, 第1四半期, 先月, 過去3か月.

Readers never guess: 第2024号, 3月期 without a year, 9月額 or 2024年問題 are no dates.
"""

from __future__ import annotations

from locator_search.text.dates.eras import era_year, number
from locator_search.text.dates.notation import Groups, any_of, latest, notation, shifted
from locator_search.text.dates.parts import DateParts, Third
from locator_search.text.dates.periods import Calendar

NUMBER = r"(?:\d{1,2}|[〇一二三四五六七八九十]{1,3})"

_YEARS = {"一昨年": -2, "おととし": -2, "昨年": -1, "去年": -1, "今年": 0, "本年": 0, "来年": 1, "再来年": 2}
_FISCAL_YEARS = {
    "一昨年": -2, "前々年": -2, "昨年": -1, "前年": -1, "去年": -1,
    "今年": 0, "本年": 0, "当年": 0, "来年": 1, "次年": 1, "翌年": 1,
}  # fmt: skip
_SHIFTS = {
    "day": {"一昨日": -2, "おととい": -2, "昨日": -1, "今日": 0, "本日": 0, "明日": 1},
    "week": {"先々週": -2, "先週": -1, "今週": 0, "来週": 1},
    "quarter": {"先四半期": -1, "前四半期": -1, "今四半期": 0, "当四半期": 0, "来四半期": 1},
    "fiscal year": {"前期": -1, "今期": 0, "当期": 0, "来期": 1},
}
_MONTHS = {"先々月": -2, "先月": -1, "前月": -1, "今月": 0, "当月": 0, "来月": 1, "再来月": 2}
_UNITS = {"日": "day", "週": "week", "年": "year"}
_THIRDS: dict[str, Third] = {"上旬": "first", "中旬": "middle", "下旬": "last", "末": "last"}

_YEAR = rf"""
    (?: (?<![\d.,/]) (?P<year>(?:19|20)\d\d) \s*年
      | (?: (?P<era>明治|大正|昭和|平成|令和) | (?<![a-z0-9])(?P<era>[mtshr])\.? ) \s*(?P<era_year>元|{NUMBER})\s*年
      | (?<![\d.,/]) (?P<short_year>\d\d)年(?=度)
      | (?P<fiscal_word>{any_of(_FISCAL_YEARS)})(?=度)
      | (?P<year_word>{any_of(_YEARS)})(?![度比])
    )
    (?: (?P<fiscal>度)(?![比]) | (?!度|問題|間|生|代|目|式) )"""

_DAY = rf"(?: \s*の?\s*(?P<day>{NUMBER})\s*日(?![間目]) | の?(?P<third>上旬|中旬|下旬|末) )"

_PART = rf"""
    (?: (?<![\d.a-z/]) (?P<month>{NUMBER}) \s*
        (?: 月(?![額給次間光刊病]) (?: (?P<closing>期)(?!間) | 度 )? {_DAY}?
          | (?= \s*[~-]\s*{NUMBER}\s*月) )
      | 第?\s*(?P<quarter>[1-4一二三四])\s*四半期
      | (?<![a-z0-9])(?: q(?P<quarter>[1-4]) | (?P<quarter>[1-4])q )(?![a-z0-9])
      | (?<!以)(?P<half>[上下])半?期(?![間限待])
    )"""


def _composed(groups: Groups, calendar: Calendar) -> DateParts | None:
    year = _year(groups, calendar)
    if year is None and ("closing" in groups or "fiscal_word" in groups or "year_word" in groups):
        return None
    return DateParts(
        year=year,
        fiscal="fiscal" in groups,
        half={"上": 1, "下": 2}.get(groups.get("half", "")),
        quarter=number(groups["quarter"]) if "quarter" in groups else None,
        month=number(groups["month"]) if "month" in groups else None,
        day=number(groups["day"]) if "day" in groups else None,
        third=_THIRDS.get(groups.get("third", "")),
        closing="closing" in groups,
    )


def _year(groups: Groups, calendar: Calendar) -> int | None:
    if "year" in groups:
        return int(groups["year"])
    if "era" in groups:
        return era_year(groups["era"], groups["era_year"])
    if "short_year" in groups:
        return 2000 + int(groups["short_year"])
    if calendar.today is None or calendar.fiscal_year is None:
        return None
    if "fiscal_word" in groups:
        return calendar.fiscal_year + _FISCAL_YEARS[groups["fiscal_word"]]
    if "year_word" in groups:
        return calendar.today.year + _YEARS[groups["year_word"]]
    return None


def _relative_month(groups: Groups, calendar: Calendar) -> DateParts | None:
    month = shifted("month", _MONTHS[groups["word"]], calendar)
    if month is None:
        return None
    return DateParts(
        year=month[0].year,
        month=month[0].month,
        day=number(groups["day"]) if "day" in groups else None,
        third=_THIRDS.get(groups.get("third", "")),
    )


def _relative(groups: Groups, calendar: Calendar) -> DateParts | None:
    word = groups["word"]
    for unit, shifts in _SHIFTS.items():
        if word in shifts:
            return DateParts.of_span(shifted(unit, shifts[word], calendar))
    return None


def _ago(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(shifted(_UNITS.get(groups["unit"], "month"), -number(groups["count"]), calendar))


def _latest(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(latest(_UNITS.get(groups["unit"], "month"), number(groups["count"]), calendar))


_COUNTED = r"(?P<count>\d{1,3}|[一二三四五六七八九十]{1,3})\s*(?P<unit>日|週|(?:か|ヶ|カ|ケ|箇|ヵ)月|年)間?"

NOTATIONS = (
    notation(rf"{_YEAR} (?: \s*の?\s* {_PART} | の?(?P<third>末) )?", _composed),
    notation(_PART, _composed),
    notation(rf"(?P<word>{any_of(_MONTHS)})(?!比) {_DAY}?", _relative_month),
    notation(
        rf"(?<!日)(?P<word>{any_of([*_SHIFTS['day'], *_SHIFTS['week'], *_SHIFTS['quarter']])})(?![的比末])", _relative
    ),
    notation(rf"(?P<word>{any_of(_SHIFTS['fiscal year'])})(?=[のにはか、\s]|$)", _relative),
    notation(rf"(?<!\d){_COUNTED}前", _ago),
    notation(rf"(?:過去|直近|最近|ここ|この)\s*の?\s*{_COUNTED} | (?<!\d){_COUNTED}以内", _latest),
)
