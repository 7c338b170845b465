"""Numbers and dates that are written in several ways are one to whoever compares statements."""

from __future__ import annotations

import pytest

from locator_search.text.statements.phrases.numbers import in_one_notation
from locator_search.text.statements.proof import claims_in, doubts_of


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("two hundred and fifty UEs", "250 UEs"),
        ("three thousand five hundred", "3500"),
        ("a hundred thousand; twenty-four", "100000; 24"),
        ("between two and three", "between 2 and 3"),
        ("one of them in a two-step way", "one of them in a two-step way"),
        ("over a 1-year period", "over a 1 year period"),
        ("a 3-step way", "a 3-step way"),
        ("August 01, 2023", "2023 August 1 day"),
        ("the 3rd of Sept", "the September 3 day"),
        ("3rd of September 2023", "2023 September 3 day"),
        ("2023-08-01", "2023 August 1 day"),
        ("v2023.8.1.2", "v2023.8.1.2"),
        ("it may 10 times", "it may 10 times"),
    ],
)
def test_english_numbers_and_dates(written: str, plain: str) -> None:
    assert in_one_notation(written, japanese=False) == plain


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("令和5年8月1日", "2023年8月1日"),
        ("平成元年", "1989年"),
        ("2023/8/1まで", "2023年8月1日まで"),
        ("1/2023", "1/2023"),
    ],
)
def test_japanese_dates(written: str, plain: str) -> None:
    assert in_one_notation(written, japanese=True) == plain


@pytest.mark.parametrize(
    ("claim", "sentence", "is_proved"),
    [
        ("Ten or more UEs are served.", "10 or more UEs are served.", True),
        ("Twelve or more UEs are served.", "10 or more UEs are served.", False),
        ("回答を2023年8月1日に提出する。", "The response shall be submitted on August 01, 2023.", True),
        ("回答を2023年8月2日に提出する。", "The response shall be submitted on August 01, 2023.", False),
        ("契約は令和5年4月1日に始まる。", "契約は2023/4/1に始まる。", True),
        ("契約は令和6年4月1日に始まる。", "契約は2023/4/1に始まる。", False),
    ],
)
def test_claims_with_them(claim: str, sentence: str, is_proved: bool) -> None:
    (read,), (other,) = claims_in(claim), claims_in(sentence)
    assert (not doubts_of(read.tokens, read, other)) is is_proved
