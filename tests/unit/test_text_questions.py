from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.core.errors import ConfigurationError
from locator_search.text.file_types import KINDS, mime_types_for
from locator_search.text.questions import ParsedQuestion, parse_question

TODAY = date(2024, 10, 5)


def parse(question: str) -> ParsedQuestion:
    return parse_question(question, TODAY)


@pytest.mark.parametrize(
    ("question", "text", "period", "kinds"),
    [
        ("先月の売上のPDF", "売上", "2024-09 (先月)", ["pdf"]),
        ("令和6年9月の議事録", "議事録", "2024-09 (令和6年9月)", []),
        ("２０２４年９月の議事録のＰＤＦ", "議事録", "2024-09 (２０２４年９月)", ["pdf"]),
        ("売上のPDFを探して", "売上", None, ["pdf"]),
        ("田中さんの先月の報告", "田中さんの報告", "2024-09 (先月)", []),
        ("髙橋さんが令和６年９月に作った見積書", "髙橋さんが作った見積書", "2024-09 (令和６年９月)", []),
        ("2024年度予算案", "予算案", "2024-04-01..2025-03-31 (2024年度)", []),
        ("9月分の請求書", "請求書", "2024-09 (9月)", []),
        ("議事録の2024年9月分", "議事録", "2024-09 (2024年9月)", []),
        ("契約書のPDFの一覧", "契約書の一覧", None, ["pdf"]),
        ("Wordの議事録", "議事録", None, ["word"]),
        ("昨年度の決算のスライド", "決算", "2023-04-01..2024-03-31 (昨年度)", ["slides"]),
        ("エクセルの在庫表", "在庫表", None, ["excel"]),
        ("Googleスプレッドシートの在庫表", "在庫表", None, ["sheets"]),
        ("去年の9月の出張報告書をWordで", "出張報告書", "2023-09 (去年の9月)", ["word"]),
        ("24年度上期の売上、エクセル", "売上", "2024-04-01..2024-09-30 (24年度上期)", ["excel"]),
        ("議事録（2024年9月）", "議事録", "2024-09 (2024年9月)", []),
        ("2023年と2024年の売上比較", "売上比較", "2023-01-01..2024-12-31 (2023年 2024年)", []),
        ("就業規則はどこですか？", "就業規則", None, []),
        ("経費精算について教えてください", "経費精算", None, []),
        ("2024年9月の週報 Word", "週報", "2024-09 (2024年9月)", ["word"]),
        ("Word 2024年9月の週報", "週報", "2024-09 (2024年9月)", ["word"]),
        ("9月 Excel 売上", "売上", "2024-09 (9月)", ["excel"]),
        ("売上報告PDF 9月", "売上報告", "2024-09 (9月)", ["pdf"]),
        ("売上報告（Excel）", "売上報告", None, ["excel"]),
        ("第33週の週報、Wordで", "週報", "2024-08-12..2024-08-18 (第33週)", ["word"]),
        ("表計算の予算", "予算", None, ["spreadsheet"]),
        ("新製品のプレゼン資料", "新製品", None, ["slides"]),
        (".docx の議事録", "議事録", None, ["word"]),
        ("社内FAQのHTMLファイル", "社内FAQ", None, ["html"]),
        ("WordとExcelの議事録", "議事録", None, ["word", "excel"]),
        ("weekly report September 2024 Word", "weekly report", "2024-09 (September 2024)", ["word"]),
        ("sales report excel", "sales report", None, ["excel"]),
        ("weekly report as a Word file", "weekly report", None, ["word"]),
        ("売上_202409", "売上", "2024-09 (202409)", []),
        ("board minutes in September 2024 as PDF", "board minutes", "2024-09 (in September 2024)", ["pdf"]),
        ("FY2024 Q1 sales report slides", "sales report", "2024-04-01..2024-06-30 (FY2024 Q1)", ["slides"]),
        ("budget spreadsheet from last month", "budget", "2024-09 (from last month)", ["spreadsheet"]),
        ("Where is the travel policy?", "travel policy", None, []),
    ],
)  # fmt: skip
def test_filters_leave_the_question_and_the_subject_stays(
    question: str, text: str, period: str | None, kinds: list[str]
) -> None:
    parsed = parse(question)
    assert parsed.text == text
    assert (parsed.period and parsed.period.label) == period
    assert parsed.mime_types == tuple(mime for kind in kinds for mime in KINDS[kind])


@pytest.mark.parametrize(
    "question",
    [
        "Excelの使い方",
        "画像認識の論文",
        "テキストマイニングの資料",
        "PDF変換ツールの手順書",
        "CSV出力機能の仕様書",
        "画像を含む報告書",
        "the word of the president",
        "how to excel at sales",
        "Word 2016 の不具合",
        "表計算ソフトの使い方",
        "プレゼンの日程",
        "電子PDF化",
        "検索ワード",
        "契約番号ABC-2024-0910の契約書",
        "第37回取締役会の議事録",
        "3月期決算の説明資料",
    ],
)
def test_words_that_belong_to_the_subject_are_no_filters(question: str) -> None:
    assert parse(question) == ParsedQuestion(question)


@pytest.mark.parametrize("question", ["先月のPDF", "先月", "PDFを探して", "2024年度の資料", "last month", "全部"])
def test_a_question_of_filters_alone_keeps_its_words(question: str) -> None:
    assert parse(question).text == question


def test_what_was_understood_is_noted_in_neutral_words() -> None:
    assert parse("先月の売上のエクセル").notes == ("先月 = 2024-09", "エクセル = excel")


def test_two_periods_narrow_each_other() -> None:
    parsed = parse("2024年度の会議、9月10日以降")
    assert parsed.period is not None
    assert (parsed.period.start, parsed.period.end) == (date(2024, 9, 10), date(2025, 4, 1))


@pytest.mark.parametrize(
    ("alias", "first"),
    [
        ("pdf", "application/pdf"),
        ("PDF", "application/pdf"),
        (".docx", KINDS["word"][0]),
        ("docs", "application/vnd.google-apps.document"),
        ("Google Sheets", "application/vnd.google-apps.spreadsheet"),
        ("エクセル", KINDS["excel"][0]),
        ("ｴｸｾﾙ", KINDS["excel"][0]),
        ("application/x-anything", "application/x-anything"),
    ],
)
def test_the_mime_option_takes_names_and_types(alias: str, first: str) -> None:
    assert mime_types_for(alias)[0] == first


@pytest.mark.parametrize("alias", ["", "nonsense", "a/b/c d", "pdf;rm"])
def test_an_unknown_type_is_one_clear_sentence(alias: str) -> None:
    with pytest.raises(ConfigurationError, match="No file type"):
        mime_types_for(alias)


@settings(deadline=None)
@given(
    st.text(max_size=80)
    | st.lists(
        st.sampled_from(
            [
                "先月",
                "の",
                "PDF",
                "売上",
                "を",
                " ",
                "2024年9月",
                "から",
                "10月",
                "Word",
                "で",
                "in ",
                "May ",
                "（",
                "）",
                "㈱",
            ]
        )
    ).map("".join)
)
def test_no_question_becomes_empty(question: str) -> None:
    parsed = parse(question)
    assert bool(parsed.text) == bool(question.strip())
