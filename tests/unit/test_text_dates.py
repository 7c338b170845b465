from datetime import date

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.text.dates.files import period_in_name, period_of_file
from locator_search.text.dates.finding import find_periods
from locator_search.text.dates.notation import Notation
from locator_search.text.dates.periods import Calendar, label
from locator_search.text.normalise import normalise

TODAY = date(2024, 10, 5)  # a Saturday


def periods_in(text: str, today: date | None = TODAY, fiscal_year_start: int = 4) -> list[str]:
    return [label(found.span) for found in find_periods(normalise(text), Calendar(today, fiscal_year_start))]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("令和6年9月", "2024-09"),
        ("令和六年九月十日", "2024-09-10"),
        ("㋿6年9月", "2024-09"),
        ("R6.9", "2024-09"),
        ("R06/9/1", "2024-09-01"),
        ("R6年9月", "2024-09"),
        ("令和元年", "2019"),
        ("平成31年", "2019"),
        ("平成36年", "2024"),
        ("H31", "2019"),
        ("昭和63年4月", "1988-04"),
        ("2024年9月10日", "2024-09-10"),
        ("２０２４年９月", "2024-09"),
        ("2024-09-10", "2024-09-10"),
        ("2024/9", "2024-09"),
        ("20240910", "2024-09-10"),
        ("2024年度", "2024-04-01..2025-03-31"),
        ("24年度", "2024-04-01..2025-03-31"),
        ("令和6年度上期", "2024-04-01..2024-09-30"),
        ("2024年度第1四半期", "2024-04-01..2024-06-30"),
        ("2024年3月期", "2023-04-01..2024-03-31"),
        ("2024年度末", "2025-03"),
        ("2024年9月中旬", "2024-09-11..2024-09-20"),
        ("September 2024", "2024-09"),
        ("Sept 10, 2024", "2024-09-10"),
        ("10 September 2024", "2024-09-10"),
        ("FY2024 Q1", "2024-04-01..2024-06-30"),
        ("FY24", "2024-04-01..2025-03-31"),
        ("Q4 2024", "2025-01-01..2025-03-31"),
        ("2024Q1", "2024-04-01..2024-06-30"),
        ("first quarter of FY2024", "2024-04-01..2024-06-30"),
        ("2024年第33週", "2024-08-12..2024-08-18"),
        ("2024年33週目", "2024-08-12..2024-08-18"),
        ("2024年W01", "2024-01-01..2024-01-07"),
        ("2024-W33", "2024-08-12..2024-08-18"),
        ("week 33 of 2024", "2024-08-12..2024-08-18"),
        ("CW 33/2024", "2024-08-12..2024-08-18"),
        ("2020年第53週", "2020-12-28..2021-01-03"),
        ("2024年9月第2週", "2024-09-02..2024-09-08"),
        ("2024年9月2日(月)", "2024-09-02"),
        ("2024年9月3日の週", "2024-09-02..2024-09-08"),
        ("the week of 3 September 2024", "2024-09-02..2024-09-08"),
        ("2024年9月末", "2024-09-21..2024-09-30"),
        ("2024年9月前半", "2024-09-01..2024-09-15"),
        ("2024年後半", "2024-07-01..2024-12-31"),
        ("2024年初め", "2024-01"),
        ("2024年度初め", "2024-04"),
        ("2024年度上期末", "2024-09"),
        ("2024年4〜6月期", "2024-04-01..2024-06-30"),
        ("24年9月", "2024-09"),
        ("24年上期", "2024-04-01..2024-09-30"),
        ("2024年夏", "2024-06-01..2024-08-31"),
        ("202409", "2024-09"),
        ("late September 2024", "2024-09-21..2024-09-30"),
        ("the second week of September 2024", "2024-09-02..2024-09-08"),
        ("summer of 2024", "2024-06-01..2024-08-31"),
        ("end of FY2024", "2025-03"),
    ],
)
def test_a_complete_date_means_the_same_on_every_day(written: str, meant: str) -> None:
    assert periods_in(written) == [meant]
    assert periods_in(f"資料 {written} の件", today=date(2026, 1, 1)) == [meant]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("先々月", "2024-08"),
        ("先月", "2024-09"),
        ("今月", "2024-10"),
        ("来月", "2024-11"),
        ("先月10日", "2024-09-10"),
        ("先週", "2024-09-23..2024-09-29"),
        ("今週", "2024-09-30..2024-10-06"),
        ("昨日", "2024-10-04"),
        ("今日", "2024-10-05"),
        ("去年", "2023"),
        ("今年", "2024"),
        ("昨年度", "2023-04-01..2024-03-31"),
        ("今年度", "2024-04-01..2025-03-31"),
        ("上期", "2024-04-01..2024-09-30"),
        ("下期", "2024-10-01..2025-03-31"),
        ("第3四半期", "2024-10-01..2024-12-31"),
        ("Q4", "2024-01-01..2024-03-31"),
        ("9月", "2024-09"),
        ("12月", "2023-12"),
        ("9月10日", "2024-09-10"),
        ("9/10の会議", "2024-09-10"),
        ("去年の9月", "2023-09"),
        ("昨年度の3月", "2024-03"),
        ("過去3か月", "2024-07-05..2024-10-05"),
        ("2週間前", "2024-09-16..2024-09-22"),
        ("last month", "2024-09"),
        ("last week", "2024-09-23..2024-09-29"),
        ("yesterday", "2024-10-04"),
        ("last fiscal year", "2023-04-01..2024-03-31"),
        ("last quarter", "2024-07-01..2024-09-30"),
        ("the past 7 days", "2024-09-29..2024-10-05"),
        ("two weeks ago", "2024-09-16..2024-09-22"),
        ("in May", "2024-05"),
        ("第33週", "2024-08-12..2024-08-18"),
        ("第49週", "2023-12-04..2023-12-10"),
        ("W33", "2024-08-12..2024-08-18"),
        ("week 33", "2024-08-12..2024-08-18"),
        ("先々週", "2024-09-16..2024-09-22"),
        ("再来週", "2024-10-14..2024-10-20"),
        ("先週の金曜日", "2024-09-27"),
        ("先週末", "2024-09-27..2024-09-29"),
        ("一昨年", "2022"),
        ("おととし", "2022"),
        ("去年の今頃", "2023-09-20..2023-10-20"),
        ("2年前の同じ時期", "2022-09-20..2022-10-20"),
        ("前年同月", "2023-10"),
        ("前年同期", "2023-10-01..2023-12-31"),
        ("去年の下期", "2023-10-01..2024-03-31"),
        ("年度末", "2024-03"),
        ("年度初め", "2024-04"),
        ("昨年末", "2023-12"),
        ("前期末", "2024-03"),
        ("先月末", "2024-09-21..2024-09-30"),
        ("月末", "2024-09-21..2024-09-30"),
        ("月初", "2024-10-01..2024-10-10"),
        ("4-6月期", "2024-04-01..2024-06-30"),
        ("半年前", "2024-04"),
        ("過去半年", "2024-04-05..2024-10-05"),
        ("数日前", "2024-09-29..2024-10-03"),
        ("去年の夏", "2023-06-01..2023-08-31"),
        ("the week before last", "2024-09-16..2024-09-22"),
        ("month before last", "2024-08"),
        ("this time last year", "2023-09-20..2023-10-20"),
        ("same month last year", "2023-10"),
        ("end of the fiscal year", "2024-03"),
        ("end of last year", "2023-12"),
        ("end of the month", "2024-09-21..2024-09-30"),
        ("first half", "2024-04-01..2024-09-30"),
        ("second half of last year", "2023-10-01..2024-03-31"),
        ("last year's Q3", "2023-10-01..2023-12-31"),
        ("September last year", "2023-09"),
        ("early September", "2024-09-01..2024-09-10"),
        ("last Friday", "2024-10-04"),
        ("a few weeks ago", "2024-08-19..2024-09-22"),
        ("a fortnight ago", "2024-09-16..2024-09-22"),
        ("earlier this year", "2024-01-01..2024-10-05"),
        ("summer last year", "2023-06-01..2023-08-31"),
    ],
)
def test_a_relative_date_counts_from_today(written: str, meant: str) -> None:
    assert periods_in(written) == [meant]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2024年8月から10月", "2024-08-01..2024-10-31"),
        ("8月〜10月", "2024-08-01..2024-10-31"),
        ("8～10月", "2024-08-01..2024-10-31"),
        ("2024年11月〜2月", "2024-11-01..2025-02-28"),
        ("9月10日から12日まで", "2024-09-10..2024-09-12"),
        ("from August to October 2024", "2024-08-01..2024-10-31"),
        ("between 2022 and 2024", "2022-01-01..2024-12-31"),
        ("2024年9月以降", "2024-09-01.."),
        ("2024年9月以前", "..2024-09-30"),
        ("2024年まで", "..2024-12-31"),
        ("9月より前", "..2024-08-31"),
        ("since September", "2024-09-01.."),
        ("after September 2024", "2024-10-01.."),
        ("before 2024", "..2023-12-31"),
        ("until March 2024", "..2024-03-31"),
    ],
)
def test_ranges_and_open_ends(written: str, meant: str) -> None:
    assert periods_in(written) == [meant]


@pytest.mark.parametrize(
    "text",
    [
        "契約番号20240910",
        "契約書ABC-2024-0910",
        "ABC-2024-09",
        "2024-09-10-001",
        "S1-241234",
        "R2-12",
        "R32エアコン",
        "第2024号",
        "第37回取締役会",
        "2024円",
        "2024年問題",
        "5年間の計画",
        "9月額",
        "3月期決算",
        "当期純利益",
        "TR 38.901 v16.1.0",
        "ISO27001",
        "03-1234-5678",
        "13月",
        "2024年2月30日",
        "You may march second",
        "1/2",
        "日本日報",
        "年末調整",
        "期末手当",
        "年末年始休業",
        "学年末試験",
        "前年同期比",
        "3週間前後の工期",
        "第54週",
        "第1週",
        "第5週の週報",
        "week 3",
        "W600×D450",
        "W60×H30",
        "HW33",
        "year-end tax adjustment",
        "first half of the match",
        "5W1H",
        "pallets handled last spring",
    ],
)
def test_not_every_number_is_a_date(text: str) -> None:
    assert periods_in(text) == []


def test_another_fiscal_year_start_moves_years_and_quarters() -> None:
    assert periods_in("2024年度", fiscal_year_start=1) == ["2024"]
    assert periods_in("2024年度第1四半期", fiscal_year_start=10) == ["2024-10-01..2024-12-31"]
    assert periods_in("今年度", fiscal_year_start=11) == ["2023-11-01..2024-10-31"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("議事録_20240910_v2.docx", "2024-09-10 (20240910)"),
        ("2024-09-10 定例.pdf", "2024-09-10 (2024-09-10)"),
        ("report-2024-09-10.pdf", "2024-09-10 (2024-09-10)"),
        ("売上報告2024年9月.xlsx", "2024-09 (2024年9月)"),
        ("令和6年9月議事録.txt", "2024-09 (令和6年9月)"),
        ("R6.9議事録.txt", "2024-09 (r6.9)"),
        ("2024年度予算.xlsx", "2024-04-01..2025-03-31 (2024年度)"),
        ("sales_2024Q1.csv", "2024-04-01..2024-06-30 (2024q1)"),
        ("2024年度第1四半期.csv", "2024-04-01..2024-06-30 (2024年度第1四半期)"),
        ("2024年4月-6月.pdf", "2024-04-01..2024-06-30 (2024年4月-6月)"),
        ("営業週報_2024年第33週.md", "2024-08-12..2024-08-18 (2024年第33週)"),
        ("report_2024-W33.docx", "2024-08-12..2024-08-18 (2024-w33)"),
        ("売上_202409.xlsx", "2024-09 (202409)"),
    ],
)
def test_a_file_name_can_state_its_period(name: str, meant: str) -> None:
    period = period_in_name(name)
    assert period is not None
    assert period.label == meant


@pytest.mark.parametrize(
    "name",
    [
        "240910.txt",
        "9月.txt",
        "第1四半期.pdf",
        "先月の売上.pdf",
        "契約書_ABC-20240910.pdf",
        "v2024.1.2.zip",
        "第37回.txt",
        "",
    ],
)
def test_a_file_name_without_a_year_states_no_period(name: str) -> None:
    assert period_in_name(name) is None


@pytest.mark.parametrize(
    ("name", "folder", "text", "meant"),
    [
        ("第33週.md", "営業部/週報/2024", "", "2024-08-12..2024-08-18"),
        ("9月.xlsx", "売上/2024年度", "", "2024-09"),
        ("2月.xlsx", "売上/2024年度", "", "2025-02"),
        ("先月の売上.pdf", "売上/2024", "", "2024"),
        ("定例.md", "2024年9月", "", "2024-09"),
        ("定例.md", "2024/9月", "", "2024-09"),
        ("定例.md", "営業部", "# 定例 議事録\n\n- 日時: 2024年9月10日(火) 13:30〜14:30", "2024-09-10"),
        ("minutes.txt", "", "Minutes of the meeting, 18 June 2024\nPlace: Munich", "2024-06-18"),
        ("週報_2024年.docx", "", "週報 2024年第33週(8月12日〜8月16日)\n作成者: 木下", "2024-08-12..2024-08-18"),
        ("計画_2024年度.docx", "", "計画\n作成日: 2023年12月1日", "2024-04-01..2025-03-31"),
        ("議事録_20240910.docx", "2023", "2023年1月の会議", "2024-09-10"),
        ("規程.docx", "", "規程\n制定: 2010年4月1日 最終改定: 2024年10月1日", "2024-10-01"),
        ("稟議書.docx", "", "稟議書\n番号: R-2024-112 起案日: 2024年9月2日 起案者: 三浦", None),
        ("メモ.txt", "", "メモ\n1999年製の空気圧縮機について", None),
        ("メモ.txt", "", "メモ\n2024年9月10日に故障が見つかったので、修理を依頼した。", None),
        ("メモ.txt", "営業部", "特になし", None),
    ],
)
def test_a_file_states_its_period_in_name_text_or_folder(name: str, folder: str, text: str, meant: str | None) -> None:
    period = period_of_file(name, folder, text)
    assert (period and label((period.start, period.end))) == meant


@settings(deadline=None)
@given(
    st.text(
        alphabet=st.sampled_from(
            "0123456789年月日度期第四半上下令和平成元先今来昨週からま〜-/.~hrsqfy maybeforeinto年"
        ),
        max_size=30,
    )
)
def test_any_mixture_of_date_words_is_read_without_complaint(text: str) -> None:
    normalised = normalise(text)
    last_end = 0
    for found in find_periods(normalised, Calendar(TODAY)):
        assert last_end <= found.start < found.end <= len(normalised)
        assert found.span[0] < found.span[1]
        assert label(found.span)
        last_end = found.end


def test_a_notation_is_compiled_when_it_is_first_used() -> None:
    broken = Notation("(", lambda _groups, _calendar: None)
    with pytest.raises(regex.error):
        _ = broken.pattern


def test_a_notation_is_compiled_once() -> None:
    notation = Notation("令 和", lambda _groups, _calendar: None)
    assert notation.pattern is notation.pattern
    assert notation.pattern.fullmatch("令和")
