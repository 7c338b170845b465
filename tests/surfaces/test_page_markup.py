"""File names, snippets and model text reach the page as text, whatever they contain."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from locator_search.model import Chunk, Evidence, GroupMember, UnreadFile
from streamlit_app.shared import escaping, markup, templates
from streamlit_app.shared.reasons import reason_in_a_line, reasons
from streamlit_app.shared.texts import Texts, ago
from tests.builders.index import file_ref

TOKYO = ZoneInfo("Asia/Tokyo")
HOSTILE = "<script>alert(1)</script> $x$ **太字** |a|b| [x](javascript:alert(1)) \"'&"


def evidence(**changes: object) -> Evidence:
    facts: dict[str, object] = {
        "file_id": "local:1",
        "file_name": "報告書.pdf",
        "summary": "9月の売上。",
        "link": "https://example.com/1",
        "mime_type": "application/pdf",
        "modified_at": datetime(2026, 11, 20, 20, 30, tzinfo=UTC),
        "similarity": 0.83,
        "score": 1.0,
    }
    return Evidence(**{**facts, **changes})  # type: ignore[arg-type]


def tags(html: str) -> set[str]:
    return set(re.findall(r"<\s*/?\s*([a-zA-Z]+)", html))


@pytest.mark.parametrize("field", ["file_name", "summary", "snippet", "folder_path", "clause_number", "mime_type"])
def test_a_hostile_text_brings_no_tag_into_a_result(field: str) -> None:
    hostile = evidence(**{field: HOSTILE})
    for html in (
        markup.result_html(hostile, 1, Texts.of("ja"), TOKYO),
        markup.details_html(hostile, Texts.of("ja"), TOKYO),
    ):
        assert tags(html) <= {"div", "span", "a", "b", "bdi", "mark", "small"}
        assert "&lt;script&gt;" in html or field in ("mime_type", "snippet")


def test_hostile_keywords_and_table_cells_stay_text() -> None:
    assert tags(markup.chips([HOSTILE])) == {"span"}
    assert "script" not in tags(markup.table_html([HOSTILE], [[HOSTILE]]))


def test_marks_lie_on_the_original_text_and_nothing_else_is_lost() -> None:
    text = "a<b>売上</b>&売上"
    html = escaping.highlighted(text, [(11, 13), (4, 6)])
    assert html == "a&lt;b&gt;<mark>売上</mark>&lt;/b&gt;&amp;<mark>売上</mark>"
    assert re.sub("</?mark>", "", html) == escaping.escaped(text)


def test_marks_that_overlap_or_lie_outside_are_cut_to_fit() -> None:
    assert escaping.highlighted("売上報告", [(0, 2), (1, 3), (3, 99)]) == (
        "<mark>売上</mark><mark>報</mark><mark>告</mark>"
    )


def test_only_web_addresses_become_links() -> None:
    assert '<a href="https://example.com/1"' in markup.result_html(evidence(), 1, Texts.of("ja"), TOKYO)
    for link in ("javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "http://[broken", ""):
        assert "<a " not in markup.result_html(evidence(link=link), 1, Texts.of("ja"), TOKYO)


def test_the_link_of_a_pdf_leads_to_its_page_and_no_other_link_changes() -> None:
    assert escaping.page_link(evidence(page_number=3)) == "https://example.com/1#page=3"
    assert escaping.page_link(evidence(page_number=3, mime_type="text/html")) == "https://example.com/1"
    assert escaping.page_link(evidence(page_number=3, link="https://example.com/1#a")) == "https://example.com/1#a"
    assert escaping.page_link(evidence(page_number=3, link="file:///a.pdf")) is None
    assert escaping.page_link(evidence()) == "https://example.com/1"


def test_a_folded_file_and_a_preview_bring_no_tag_of_their_own() -> None:
    member = GroupMember(evidence(file_name=HOSTILE, folder_path=HOSTILE), "version", 0.63)
    folded = markup.group_html([member], Texts.of("ja"), TOKYO)
    assert "語の一致 63%" in folded
    chunk = Chunk(0, HOSTILE, 0, len(HOSTILE), heading_path=(HOSTILE,))
    text = markup.preview_html([chunk], HOSTILE, "太字", Texts.of("ja"))
    assert "<mark>太字</mark>" in text
    for html in (folded, text):
        assert tags(html) <= {"div", "span", "a", "b", "bdi", "mark", "button"}


def test_an_unread_file_has_its_link_and_reason_and_brings_no_tag_of_its_own() -> None:
    file = file_ref("f", f"{HOSTILE}.pdf", mime_type="application/pdf")
    linked = UnreadFile(replace(file, link="https://drive.example/f"), "failed", "corrupt", None, True, False, HOSTILE)
    shown = str(markup.unread_html([linked, replace(linked, file=file, verified=True)], Texts.of("ja")))
    assert shown.count('<a href="https://drive.example/f"') == 1
    assert shown.count("未確認") == 1
    assert tags(shown) == {"div", "b", "a", "span", "bdi"}


@pytest.mark.parametrize(
    ("found", "query", "ja", "en"),
    [
        (
            {"snippet": "契約の更新を通知する。更新は年1回。", "highlights": ((0, 2), (3, 5), (6, 8), (11, 13))},
            "委託契約の更新",
            "本文に「契約」「更新」「通知」",
            "“契約” “更新” “通知” in the text",
        ),
        (
            {
                "file_name": "契約書.pdf",
                "snippet": "契約と契約書、更新、更新日",
                "highlights": ((0, 2), (3, 6), (7, 9), (10, 13)),
            },
            "契約書の更新",
            "ファイル名に「契約書」、本文に「更新日」",
            "“契約書” in the file name, “更新日” in the text",
        ),
        (
            {"file_name": "委託契約書.pdf"},
            "委託契約の更新",
            "ファイル名に「委託契約書」",
            "“委託契約書” in the file name",
        ),
        (
            {"file_name": "予算.xlsx", "snippet": "来年の計画", "highlights": ((3, 5),)},
            "予算の計画",
            "ファイル名に「予算」、本文に「計画」",
            "“予算” in the file name, “計画” in the text",
        ),
        (
            {"explain": {"vector": {"rank": 1}}},
            "在宅の決まり",
            "同じ言葉はありませんが、内容が近い文書です",
            "No word in common, but its content is close",
        ),
        ({}, "今月のPDF", "条件に合う文書です", "Fits the conditions"),
        ({}, "", "", ""),
        (
            {"explain": {"placed_first": "週報"}},
            "週報",
            "所有者の辞書により先頭に置かれています（質問の語句「週報」）。",
            "Lifted by the owner's dictionary: it comes first for “週報” in a question.",
        ),
    ],
)
def test_a_card_says_in_one_line_why_it_is_there(found: dict[str, object], query: str, ja: str, en: str) -> None:
    for language, expected in (("ja", ja), ("en", en)):
        texts = Texts.of(language)
        assert reason_in_a_line(evidence(**found), query, texts) == expected
        shown = markup.result_html(evidence(**found), 1, texts, TOKYO, query=query)
        assert ('<div class="dl-reason">' in shown) == bool(expected)


def test_a_card_and_its_details_leave_figures_of_the_ranking_to_the_reasons() -> None:
    shown = evidence(cosine=0.3127, explain={"vector": {"rank": 2, "cosine": 0.3127}})
    for html in (
        markup.result_html(shown, 1, Texts.of("ja"), TOKYO, query="売上"),
        markup.details_html(shown, Texts.of("ja"), TOKYO),
    ):
        assert "0.83" in html
        assert not re.search("コサイン|埋め込み|0\\.31", html)
    assert "0.313" in markup.why_html(shown, Texts.of("ja"))


def test_the_reasons_of_a_result_need_no_arm_that_did_not_find_it() -> None:
    by_vector = evidence(explain={"vector": {"rank": 2, "cosine": 0.4}, "matched_terms": []})
    assert reasons(by_vector, Texts.of("ja"))[0] == "内容の近さ（埋め込み）では 2 位です。"
    by_name = evidence(
        similarity_source="keyword",
        explain={"keyword": {"rank": 1, "share": 1.0000001, "name_idf": 3.2}, "matched_terms": [HOSTILE]},
    )
    assert reasons(by_name, Texts.of("ja"))[1] == "ファイル名・フォルダー・キーワードにも質問の語があります。"
    assert "100%" in reasons(by_name, Texts.of("en"))[0]
    assert "script" not in tags(markup.why_html(by_name, Texts.of("en")))
    assert reasons(evidence(), Texts.of("en"))


def test_a_link_cannot_leave_its_attribute() -> None:
    html = markup.result_html(evidence(link='https://example.com/"onmouseover="alert(1)'), 1, Texts.of("ja"), TOKYO)
    assert 'onmouseover="' not in html


def test_a_file_link_is_shown_as_a_readable_path() -> None:
    assert escaping.local_path("file:///home/%E5%96%B6%E6%A5%AD/a%20b.pdf") == "/home/営業/a b.pdf"
    assert escaping.local_path("https://example.com/a") is None


def test_characters_that_reverse_a_name_are_taken_out() -> None:
    assert escaping.visible("請求書\u202efdp.exe") == "請求書fdp.exe"
    assert escaping.visible("家族👨‍👩‍👧") == "家族👨‍👩‍👧"


def test_a_label_has_every_markdown_sign_escaped() -> None:
    assert escaping.label("**a** $b$ [c](d)") == r"\*\*a\*\* \$b\$ \[c\]\(d\)"


def test_a_label_is_one_line_and_breaks_up_emoji_codes_and_arrows() -> None:
    assert escaping.label("a\n:smile: ->").replace("\u2060", "|") == r"a \:|smile\:| \-|\>|"


def test_times_are_those_of_the_persons_zone() -> None:
    for language, time in (("ja", "2026年11月21日 05:30 JST"), ("en", "21 Nov 2026, 05:30 JST")):
        assert time in markup.result_html(evidence(), 1, Texts.of(language), TOKYO)


def test_the_reasons_say_the_raw_cosine_and_where_the_similarity_comes_from() -> None:
    found = evidence(similarity_source="keyword", explain={"vector": {"rank": 1, "cosine": 0.412}})
    html = markup.why_html(found, Texts.of("en"))
    assert "0.83" in html
    assert "0.412" in html
    assert "keywords" in html


@pytest.mark.parametrize(
    ("freshness", "words"), [("verified", "確認済み"), ("changed", "更新あり"), ("not_verified", "未確認")]
)
def test_a_result_says_whether_its_source_confirmed_it(freshness: str, words: str) -> None:
    assert words in markup.result_html(evidence(freshness=freshness), 1, Texts.of("ja"), TOKYO)


def test_sizes_read_as_people_say_them() -> None:
    assert [templates.file_size(size) for size in (0, 1023, 1024, 123456, 5_000_000, 3 * 1024**3)] == [
        "0 B",
        "1023 B",
        "1.0 KB",
        "121 KB",
        "4.8 MB",
        "3.0 GB",
    ]


def test_ages_are_said_in_the_largest_unit() -> None:
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert ago(Texts.of("ja"), now.replace(hour=11, minute=59, second=30), now) == "たった今"
    assert ago(Texts.of("ja"), now.replace(hour=11, minute=15), now) == "45 分前"
    assert ago(Texts.of("en"), now.replace(day=20), now) == "1 d ago"


def test_hostile_messages_notes_and_questions_of_an_outcome_stay_text() -> None:
    def page() -> None:
        from locator_search.model import Choice, Round, SearchOutcome
        from streamlit_app.shared import components
        from streamlit_app.shared.texts import Texts
        from tests.surfaces.test_page_markup import HOSTILE

        one = Round(1, "show", HOSTILE, (HOSTILE,), 0.7, 3, 0.8)
        found = SearchOutcome(
            "too_many", HOSTILE, rounds=(one,), notes=(f"{HOSTILE} note",), narrowing_question=HOSTILE,
            choices=(Choice(HOSTILE, 2, "folder", HOSTILE),),
        )  # fmt: skip
        components.headline(Texts.of("ja"), found, ())
        components.narrowing(Texts.of("ja"), found)
        components.trace(Texts.of("ja"), found.rounds, HOSTILE, HOSTILE, found.usage)
        components.nothing_found(Texts.of("ja"), found)

    app = AppTest.from_function(page).run(timeout=60)
    assert not app.exception
    shown = "".join(element.value for element in app.html)
    assert app.html[0].value.startswith('<div class="dl-outcome">&lt;script&gt;')
    assert tags(shown) <= {"div", "span", "br", "table", "thead", "tbody", "tr", "th", "td"}
    assert "alert(1)" in shown


def test_a_label_keeps_addresses_and_signs_as_they_are_written() -> None:
    assert escaping.label("www.example.com a:b") == "www\u2060\\.example\\.com a\\:\u2060b"


def test_marks_are_put_around_what_there_is_to_mark() -> None:
    assert escaping.highlighted("abc", [(1, 1), (2, 9), (0, 1)]) == "<mark>a</mark>b<mark>c</mark>"


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("http://a.example/", True),
        ("https://a.example/", True),
        ("HTTPS://A.example/", True),
        ("ftp://a.example/", False),
        ("javascript:alert(1)", False),
        ("http://[broken", False),
    ],
)
def test_only_addresses_of_the_web_become_links(link: str, shown: bool) -> None:
    assert (escaping.web_link(link) == link) is shown
