"""Answers of live search: whatever a model writes, it makes no link, and cites only what is there."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from locator_search.live_search.answer_text import checked_answer
from locator_search.live_search.outcome import LiveEvidence
from streamlit_app.live.markup import answer_html
from tests.hostile.inert import everything_is_inert

EVIDENCE = {1: "https://github.com/o/r/issues/1", 2: "https://drive.google.com/file/d/1234567890abc/view"}
WAYS_TO_WRITE_A_LINK = [
    "https://evil.example/a",
    "<https://evil.example/a>",
    "[設計書](https://evil.example/a)",
    "[設計書](<https://evil.example/a> 'title')",
    "[設計書](javascript:alert(1))",
    "![図](https://evil.example/a.png?secret)",
    "[![図](https://evil.example/a.png)](https://evil.example/b)",
    "[設計書][x]\n\n[x]: https://evil.example/a",
    "www.evil.example/a",
    "https&#58;//evil.example/a",
    "https&amp;#58;//evil.example/a",
    "https\\://evil.example/a",
    "[ht](x)tps://evil.example/a",
    "hthttps://x.example tps://evil.example/a",
    "slack://open?x=evil.example",
    "https://evil.example/[1]",
    "[1](https://evil.example/a)",
    "h\u200bttps://evil.example/a",
    '<a href="https://evil.example/a">x</a>',
]


@pytest.mark.parametrize("written", WAYS_TO_WRITE_A_LINK)
def test_an_address_a_model_wrote_is_taken_out_and_counted(written: str) -> None:
    checked = checked_answer(f"設計書はこちら {written} です。", EVIDENCE)
    assert "evil" not in checked.markdown.replace("x=evil", "")
    assert everything_is_inert(checked.markdown)
    assert checked.links >= 1


def test_the_address_of_evidence_becomes_its_number() -> None:
    checked = checked_answer(
        "See https://drive.google.com/open?id=1234567890abc and [this](http://github.com/o/r/issues/1/).", EVIDENCE
    )
    assert checked.markdown == "See [2] and this [1]."
    assert (checked.links, checked.cited) == (0, (1, 2))


@pytest.mark.parametrize(
    ("written", "shown", "refused"),
    [
        ("決まりました[1][2]。", "決まりました[1][2]。", ()),
        ("決まりました【1】［2］", "決まりました[1][2]", ()),
        ("決まりました[1, 2]", "決まりました[1][2]", ()),
        ("決まりました[1-2]", "決まりました[1][2]", ()),
        ("決まりました[^2]", "決まりました[2]", ()),
        ("決まりました[7]。", "決まりました。", (7,)),
        ("決まりました[2、9]", "決まりました[2]", (9,)),
        ("決まりました[0]", "決まりました", (0,)),
    ],
)
def test_citations_are_brought_into_one_form_and_those_of_nothing_are_refused(
    written: str, shown: str, refused: tuple[int, ...]
) -> None:
    checked = checked_answer(written, EVIDENCE)
    assert checked.markdown == shown
    assert checked.refused == refused


def test_html_is_text() -> None:
    checked = checked_answer("<script>alert(1)</script> <b>x</b> 3 < 4 <!-- hidden -->", EVIDENCE)
    assert "<script" not in checked.markdown
    assert "<b" not in checked.markdown
    assert "3 < 4" in checked.markdown


def test_markdown_stays() -> None:
    text = "# 結論\n\n- **決定**: 三回 [1]\n- `docs/README.md` を見る\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    assert checked_answer(text, EVIDENCE).markdown == text


@example("://")
@example("1www.x 1http://x")
@given(st.text(alphabet="[]()<>!\\:/.ahtpsw1\n ", max_size=60))
def test_nothing_that_can_be_typed_leaves_a_link(text: str) -> None:
    assert everything_is_inert(checked_answer(text, EVIDENCE).markdown)


@pytest.mark.parametrize("written", ["taro@example.co.jp", "<taro@example.co.jp>", "[a](mailto:taro@example.co.jp)"])
def test_a_mail_address_is_no_link(written: str) -> None:
    assert everything_is_inert(checked_answer(f"担当は{written}です [1]。", EVIDENCE).markdown)


def test_a_definition_with_words_stays_a_line_and_one_with_an_address_goes() -> None:
    checked = checked_answer("[1]: 決定です\n\n[2]: https://evil.example/a", EVIDENCE)
    assert checked.markdown == "[1]\\: 決定です"
    assert checked.links == 1


def evidence(number: int, uri: str) -> LiveEvidence:
    return LiveEvidence(number, "github", "GitHub", "issue", "title", uri, "snippet")


def test_on_the_page_citations_are_links_the_host_put_there() -> None:
    shown = [evidence(1, "https://example.com/a b<c>"), evidence(2, "javascript:alert(1)"), evidence(3, "/home/x.md")]
    link = '<a href="https://example.com/a b&lt;c&gt;" target="_blank" rel="noopener noreferrer">[1]</a>'
    assert answer_html("決定 [1]、[2]、[3]", shown) == f'<div class="dl-answer"><p>決定 {link}、[2]、[3]</p></div>'


def test_on_the_page_formulas_directives_and_html_are_text() -> None:
    written = "$x^2$ :red[hot] :material/delete: :smile:"
    shown = answer_html(f"{written} <img src=x onerror=alert(1)>", [])
    assert shown == f'<div class="dl-answer"><p>{written} &lt;img src=x onerror=alert(1)&gt;</p></div>'
