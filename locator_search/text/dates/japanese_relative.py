"""Japanese words that count from today: 先々週, 先週の金曜日, 先月末, 年度初め, 去年の今頃, 過去3か月."""

from __future__ import annotations

from locator_search.text.dates.eras import number
from locator_search.text.dates.japanese import DAY, SECTIONS, YEARS, within
from locator_search.text.dates.notation import Groups, Notation, any_of, around, few, latest, nearest_month, shifted
from locator_search.text.dates.parts import DateParts, Section
from locator_search.text.dates.periods import Calendar, weekday_span

_DAYS = {
    "一昨日": -2, "おととい": -2, "おとつい": -2, "昨日": -1, "きのう": -1, "昨晩": -1, "昨夜": -1,
    "今日": 0, "本日": 0, "今朝": 0, "明日": 1, "明後日": 2, "あさって": 2,
}  # fmt: skip
_WEEKS = {
    "先々週": -2,
    "先先週": -2,
    "前々週": -2,
    "先週": -1,
    "前週": -1,
    "今週": 0,
    "来週": 1,
    "再来週": 2,
    "さ来週": 2,
}
_MONTHS = {
    "先々月": -2, "先先月": -2, "前々月": -2, "先月": -1, "前月": -1, "昨月": -1,
    "今月": 0, "当月": 0, "来月": 1, "再来月": 2, "さ来月": 2,
}  # fmt: skip
_QUARTERS = {"前々四半期": -2, "先四半期": -1, "前四半期": -1, "今四半期": 0, "当四半期": 0, "来四半期": 1}
_FISCAL_YEARS = {"前々期": -2, "前期": -1, "今期": 0, "当期": 0, "来期": 1}
_UNITS = {"日": "day", "週": "week", "年": "year"}
_WEEKDAYS = "月火水木金土日"
_FRIDAY, _SUNDAY = 4, 6


def _day(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(shifted("day", _DAYS[groups["word"]], calendar))


def _week(groups: Groups, calendar: Calendar) -> DateParts | None:
    week = shifted("week", _WEEKS[groups["word"]], calendar)
    if week is None or not groups.keys() & {"weekday", "weekend"}:
        return DateParts.of_span(week)
    if "weekend" in groups:
        return DateParts.of_span(weekday_span(week, _FRIDAY, _SUNDAY))
    return DateParts.of_span(weekday_span(week, _WEEKDAYS.index(groups["weekday"])))


def _month(groups: Groups, calendar: Calendar) -> DateParts | None:
    month = shifted("month", _MONTHS[groups["word"]], calendar)
    return within(groups, DateParts(year=month[0].year, month=month[0].month)) if month else None


def _quarter(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(shifted("quarter", _QUARTERS[groups["word"]], calendar))


def _fiscal_year(groups: Groups, calendar: Calendar) -> DateParts | None:
    if calendar.fiscal_year is None:
        return None
    year = calendar.fiscal_year + _FISCAL_YEARS[groups["word"]]
    return DateParts(year=year, fiscal=True, section=_edge(groups))


def _edge_of_year(groups: Groups, _: Calendar) -> DateParts | None:
    return DateParts(fiscal=groups["whole"] != "年", section=_edge(groups))


def _edge_of_month(groups: Groups, calendar: Calendar) -> DateParts | None:
    section = _edge(groups)
    return nearest_month(section, calendar) if section else None


def _edge(groups: Groups) -> Section | None:
    edge = groups.get("edge")
    return None if edge is None else SECTIONS.get(edge, "first")


def _same_time(groups: Groups, calendar: Calendar) -> DateParts | None:
    years = YEARS[groups["word"]] if "word" in groups else -number(groups["count"])
    if "month" in groups:
        return DateParts.of_span(shifted("month", 12 * years, calendar))
    if "quarter" in groups:
        return DateParts.of_span(shifted("quarter", 4 * years, calendar))
    return DateParts.of_span(around(years, calendar))


def _ago(groups: Groups, calendar: Calendar) -> DateParts | None:
    unit, count = _counted(groups)
    return DateParts.of_span(shifted(unit, -count, calendar))


def _some_ago(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(few(_UNITS.get(groups["unit"], "month"), calendar))


def _latest(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(latest(*_counted(groups), calendar))


def _counted(groups: Groups) -> tuple[str, int]:
    if "half_year" in groups:
        return "month", 6
    return _UNITS.get(groups["unit"], "month"), number(groups["count"])


_UNIT = r"(?P<unit>日|週|(?:か|ヶ|カ|ケ|箇|ヵ)月|年)間?"
_COUNTED = rf"(?: (?P<count>\d{{1,3}}|[一二三四五六七八九十]{{1,3}})\s*{_UNIT} | (?P<half_year>半年)間? )"
_EDGE = r"(?P<edge>末|初め|始め|はじめ|初|首|頭|明け)"
_ENDS = r"(?= [\s、,。?)のにはかごで] | 頃 | 時点 | 以 | まで | $ )"
_NOT_IN_A_WORD = r"(?<![\p{Han}\d])"

NOTATIONS = (
    Notation(rf"(?<!日)(?P<word>{any_of(_DAYS)})(?!的)", _day),
    Notation(
        rf"(?P<word>{any_of(_WEEKS)})"
        rf"(?: \s*の?\s*(?P<weekday>[{_WEEKDAYS}])曜日? | の?(?:週)?(?P<weekend>末) | (?!比) )",
        _week,
    ),
    Notation(rf"(?P<word>{any_of(_MONTHS)})(?!比) {DAY}?", _month),
    Notation(rf"(?P<word>{any_of(_QUARTERS)})(?![的比])", _quarter),
    Notation(rf"(?P<word>{any_of(_FISCAL_YEARS)})(?:の?{_EDGE})?{_ENDS}", _fiscal_year),
    Notation(rf"{_NOT_IN_A_WORD}(?P<whole>年度|年|期){_EDGE}{_ENDS}", _edge_of_year),
    Notation(rf"{_NOT_IN_A_WORD}月{_EDGE}{_ENDS}", _edge_of_month),
    Notation(
        rf"(?: (?P<word>{any_of(YEARS)}) | (?<!\d)(?P<count>\d{{1,2}}|[一二三四五六七八九十])年前 ) の?"
        r"(?: 今頃|今ごろ|いまごろ|この(?:時期|頃|ころ)|同時期|同じ(?:時期|頃|ころ)"
        r" | (?P<month>同月|同じ月)(?!比) | (?P<quarter>同期)(?!比) )",
        _same_time,
    ),
    Notation(rf"(?<!\d){_COUNTED}前(?!後)", _ago),
    Notation(rf"数{_UNIT}前", _some_ago),
    Notation(rf"(?:過去|直近|最近|ここ|この)\s*の?\s*{_COUNTED} | (?<!\d){_COUNTED}以内", _latest),
)
