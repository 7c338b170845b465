"""Markdown of others written anew: the same text, in the form in which no renderer finds anything else."""

from __future__ import annotations

import pytest

from locator_search.text.markdown.addresses import like_addresses, without_addresses
from locator_search.text.markdown.inline import Sources
from locator_search.text.markdown.parsing import parsed
from locator_search.text.markdown.writing import as_markdown, code_as_markdown, text_as_markdown

EVIDENCE = {number: f"https://e.example/{number}" for number in range(1, 13)}


def written(text: str) -> str:
    return as_markdown(parsed(text, Sources(EVIDENCE)))


@pytest.mark.parametrize(
    "text",
    [
        "# 題 *強調*",
        "```\nplain  \n```",
        "> 引用\n> 続き\n>\n> - 項",
        "> 引用\n\n続き",
        "- 一\n  - 中\n- 二",
        "3. 三\n4. 四",
        "1. 一\n2. 二",
        "0. 零\n1. 一",
        "- 一\n\n  続き\n- 二",
        "- 一\n  1. 中\n- 二",
        "- 一\n\n  2. 中\n- 二",
        "- 一\n\n  - 中\n\n  続き",
        "| a\\|b | c |\n|---|---|\n| 1 | `x` |\n\n後",
        "a\n\n---\n\nb",
        "硬い\\\n改行\n柔らかい",
        "**太** *斜* ~~消~~ `符`",
        "`` `a ``",
    ],
)
def test_what_is_written_plainly_stays_as_it_is(text: str) -> None:
    assert written(text) == text


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        ("## https://evil.example/x\n\n**https://evil.example/x** 残り", "残り"),
        ("~~~\na``b```c\n~~~", "````\na``b```c\n````"),
        ("```\nfirst\n\n```", "```\nfirst\n```"),
        ("```\n\n  first\n```", "```\n\n  first\n```"),
        ("    indented\n", "```\nindented\n```"),
        ("    indented\n\n\n後", "```\nindented\n```\n\n後"),
        ("硬い  \n改行", "硬い\\\n改行"),
        ("1) 一\n2) 二", "1. 一\n2. 二"),
        ("- 一\n\n  1. 中\n- 二", "- 一\n  1. 中\n- 二"),
        ("# 一\\\n二", "# 一\\"),
    ],
)
def test_what_is_written_otherwise_gets_our_form(text: str, anew: str) -> None:
    assert written(text).startswith(anew)
    assert written(written(text)) == written(text)


def test_marks_deeper_than_eight_keep_their_words_alone() -> None:
    eight = "**1 *2 ~~3 **4 *5 ~~6 **7 *8{}8* 7** 6~~ 5* 4** 3~~ 2* 1**"
    for mark in ("**", "*", "~~"):
        assert written(eight.format(f" {mark}九{mark} ")) == eight.format(" 九 ")
    assert written(eight.format(" 文 ")) == eight.format(" 文 ")


@pytest.mark.parametrize(
    ("text", "anew", "cited", "refused", "links"),
    [
        ("[1-3]", "[1][2][3]", {1, 2, 3}, set(), 0),
        ("[3-1]", "[3][1]", {1, 3}, set(), 0),
        ("[1-9]", "[1][2][3][4][5][6][7][8][9]", set(range(1, 10)), set(), 0),
        ("[1-10]", "[1][10]", {1, 10}, set(), 0),
        ("[2-2]", "[2]", {2}, set(), 0),
        ("[1,3] と [99]", "[1][3] と", {1, 3}, {99}, 0),
        ("[1](続き)", "[1]", {1}, set(), 1),
        ("[2]: 値", "[2]\\: 値", {2}, set(), 0),
        ("[1] (参照)", "[1] (参照)", {1}, set(), 0),
        ("[名前](https://e.example/2)", "名前 [2]", {2}, set(), 0),
        ("[2](https://e.example/2)", "[2]", {2}, set(), 0),
        ("[資料 [2]](https://e.example/2)", "資料 [2]", {2}, set(), 0),
        ("[外](https://evil.example/x) [外](https://evil.example/y)", "外 外", set(), set(), 2),
        ("![絵](https://e.example/3) 前", "絵 [3] 前", {3}, set(), 0),
        ("前 ![](https://evil.example/y) 後", "前  後", set(), set(), 1),
        ("<https://e.example/4> と <https://evil.example/x>", "[4] と", {4}, set(), 1),
        ("<taro@a.example> 宛", "`taro@a.example` 宛", set(), set(), 0),
        ("[書く](mailto:taro@a.example)", "書く", set(), set(), 1),
        ("[x]: https://e.example/5\n\n[x] です", "x [5] です", {5}, set(), 0),
        ("[x]: https://e.example/5\n[1]: 文です\n\n[x]", "[1]\\: 文です\n\nx [5]", {1, 5}, set(), 0),
        ("[1]: 文です", "[1]\\: 文です", {1}, set(), 0),
        ("文 , 続き https://e.example/1 。", "文, 続き [1]。", {1}, set(), 0),
    ],
)
def test_links_become_words_and_numbers_of_evidence(
    text: str, anew: str, cited: set[int], refused: set[int], links: int
) -> None:
    sources = Sources(EVIDENCE)
    assert as_markdown(parsed(text, sources)) == anew
    assert (sources.cited, sources.refused, sources.links) == (cited, refused, links)


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        ("1. 章", "1\\. 章"),
        ("12) 章", "12\\) 章"),
        ("# 見出し", "\\# 見出し"),
        ("- 項 + = : > |", "\\- 項 + = : > |"),
        ("a_b _c_ *d* `e` $f$ ~~g~~", "a_b \\_c\\_ \\*d\\* \\`e\\` \\$f\\$ \\~\\~g\\~\\~"),
        ("&amp; <b> :smile: x<1 a & b", "\\&amp; &lt;b> \\:smile: x<1 a & b"),
    ],
)
def test_plain_text_is_shown_as_it_is(text: str, anew: str) -> None:
    assert text_as_markdown(text) == anew


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("`a", "`` `a ``"),
        ("a`", "`` a` ``"),
        ("a`b``c", "```a`b``c```"),
        ("``", "``` `` ```"),
        (" a\n b ", "`a b`"),
        ("", ""),
    ],
)
def test_code_is_fenced_by_more_backticks_than_it_holds(text: str, code: str) -> None:
    assert code_as_markdown(text) == code


def test_addresses_are_taken_out_without_the_marks_around_them() -> None:
    found: list[str] = []

    def taken(address: str) -> str:
        found.append(address)
        return ""

    text = "見て https://e.x/1。 (<https://e.x/2>), https://e.x/3... &amp;lt;https://e.x/4&gt; www.a.example! &amp;"
    assert without_addresses(text, taken) == "見て 。 (),    &"
    assert found == ["https://e.x/1", "https://e.x/2", "https://e.x/3", "https://e.x/4", "www.a.example"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("終", [("終", False)]),
        ("a taro@b.example, c.example/d. 終", [
            ("a ", False), ("taro@b.example", True), (", ", False), ("c.example/d", True), (". 終", False)]),
        ("(see a.example.)", [("(see ", False), ("a.example", True), (".)", False)]),
    ],
)  # fmt: skip
def test_what_looks_like_an_address_is_told_apart(text: str, pieces: list[tuple[str, bool]]) -> None:
    assert list(like_addresses(text)) == pieces
