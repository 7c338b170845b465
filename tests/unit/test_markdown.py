"""Markdown of others as a page shows it: which element comes of what, and links to evidence alone."""

from __future__ import annotations

import pytest

from locator_search.text.markdown.addresses import without_mail_addresses
from locator_search.text.markdown.as_html import as_html
from locator_search.text.markdown.inline import Sources
from locator_search.text.markdown.parsing import parsed, plain

EVIDENCE = {1: "https://drive.example/x?a=1&b=2"}
LINK = '<a href="https://drive.example/x?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">[1]</a>'


def shown(text: str) -> str:
    return as_html(parsed(text, Sources(EVIDENCE)), EVIDENCE)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("一\n\n二", "<p>一</p><p>二</p>"),
        ("一\n\n---\n\n二", "<p>一</p><hr><p>二</p>"),
        ("# 大\n\n## 中 [1]\n\n###### 小", f"<h3>大</h3><h4>中 {LINK}</h4><h6>小</h6>"),
        ("- 一 [1]\n- 二", f"<ul><li>一 {LINK}</li><li>二</li></ul>"),
        ("3. 三\n4. 四", '<ol start="3"><li>三</li><li>四</li></ol>'),
        ("- 一\n\n  続き\n- 二", "<ul><li><p>一</p><p>続き</p></li><li>二</li></ul>"),
        ("- > 引用\n- 二", "<ul><li><blockquote><p>引用</p></blockquote></li><li>二</li></ul>"),
        (
            "| 名 | 値 |\n|---|---|\n| 一 [1] | 二 |",
            f"<table><tr><th>名</th><th>値</th></tr><tr><td>一 {LINK}</td><td>二</td></tr></table>",
        ),
        ("硬い  \n改行", "<p>硬い<br>改行</p>"),
        ("**一 [1]**", f"<p><strong>一 {LINK}</strong></p>"),
        ("~~x~~ **y** *z* `c`", "<p><s>x</s> <strong>y</strong> <em>z</em> <code>c</code></p>"),
        ("```py\n<b>\n```", "<pre><code>&lt;b&gt;</code></pre>"),
        ("<b onclick=\"x\">太</b>", "<p>&lt;b onclick=&quot;x&quot;&gt;太&lt;/b&gt;</p>"),
    ],
)  # fmt: skip
def test_what_is_allowed_becomes_one_element_each(text: str, html: str) -> None:
    assert shown(text) == html


def test_one_line_is_its_words_without_addresses() -> None:
    assert (
        plain("決定  **三回** [資料](https://evil.example/1)\n https://evil.example/2 `終わり`")
        == "決定 三回 資料 終わり"
    )


def test_mail_addresses_go_and_leave_nothing_behind() -> None:
    assert without_mail_addresses("宛先 taro@example.co.jp まで") == "宛先  まで"
