"""What is spelled in several ways is one thing to whoever compares statements."""

from __future__ import annotations

import pytest

from locator_search.text.statements.phrases.spelling import stem_of, uniform


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("organised", "organized"),
        ("behaviour", "behavior"),
        ("signalling", "signaling"),
        ("metres", "meters"),
        ("licence", "license"),
        ("judgement", "judgment"),
        ("fulfil", "fulfill"),
        ("catalogues", "catalogs"),
    ],
)
def test_both_spellings_have_one_stem(british: str, american: str) -> None:
    assert stem_of(british) == stem_of(american)


@pytest.mark.parametrize(
    ("one", "other"), [("filled", "filed"), ("planning", "planing"), ("metal", "mettle"), ("advise", "advance")]
)
def test_other_words_keep_theirs(one: str, other: str) -> None:
    assert stem_of(one) != stem_of(other)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("It won’t stop, can't it?", "It will not stop, can not it?"),
        ("a, b, and c.", "a, b and c."),
        ("使い，読む．", "使い、読む。"),
        ("VA's data is theirs.", "VA's data is theirs."),
    ],
)
def test_contractions_and_punctuation_are_one(written: str, plain: str) -> None:
    assert uniform(written) == plain
