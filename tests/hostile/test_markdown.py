"""Whatever Markdown a model writes, nothing in it becomes active: not as HTML, not as Markdown for others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from locator_search.live_search.answer_text import checked_answer
from locator_search.text.markdown.as_html import as_html
from locator_search.text.markdown.inline import Sources
from locator_search.text.markdown.parsing import parsed, plain
from locator_search.text.markdown.writing import text_as_markdown
from tests.hostile.inert import active_in_html, active_in_markdown
from tests.hostile.markdown_grammar import EVERY_WAY, attacks

EVIDENCE = {1: "https://github.com/o/r/issues/1", 2: "https://drive.google.com/file/d/1234567890abc/view"}


def check(text: str) -> None:
    answer = checked_answer(text, EVIDENCE)
    assert active_in_markdown(answer.markdown) == [], answer.markdown
    for source in (text, answer.markdown):
        shown = as_html(parsed(source, Sources(EVIDENCE)), EVIDENCE)
        assert active_in_html(shown, frozenset(EVIDENCE.values())) == [], shown
    assert not set(answer.cited) - set(EVIDENCE)
    assert active_in_markdown(text_as_markdown(text)) == []


def test_every_way_to_write_an_address_is_inert() -> None:
    for text in EVERY_WAY:
        check(text)


@given(attacks)
def test_attacks_side_by_side_are_inert(text: str) -> None:
    check(text)


@given(attacks)
def test_what_was_checked_stays_as_it_is(text: str) -> None:
    once = checked_answer(text, EVIDENCE).markdown
    assert active_in_html(as_html(parsed(once, Sources(EVIDENCE)), {}), frozenset()) == []
    assert "evil.example/a.png?q=secret" not in plain(text).replace("\\", "")


@pytest.mark.large
@settings(max_examples=5_000, deadline=None)
@given(attacks)
def test_thousands_of_attacks_are_inert(text: str) -> None:
    check(text)
