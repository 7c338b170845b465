"""Why something has no text in the index, in words."""

from __future__ import annotations

from typing import get_args

from locator_search.locales.reasons import Reasons, counted, reason_text
from locator_search.model import ExtractionState


def test_a_code_becomes_words_and_the_rest_a_detail() -> None:
    assert reason_text("encrypted: the PDF asks for a password", "ja") == (
        "パスワードで保護されている",
        "the PDF asks for a password",
    )
    assert reason_text("image", "en") == ("picture", "")


def test_what_has_no_code_was_not_foreseen() -> None:
    assert reason_text("The model said: nothing", "ja") == ("処理の途中で問題が起きた", "The model said: nothing")


def test_reasons_are_counted_by_their_words() -> None:
    counts = {"corrupt: page 1": 2, "image": 4, "corrupt: page 2": 3, "ValueError: a": 1, "ValueError: b": 1}
    assert counted(counts, "ja") == [("壊れている", 5), ("画像", 4), ("処理の途中で問題が起きた", 2)]
    assert counted({"image": 1, "corrupt": 1}, "en") == counted({"corrupt": 1, "image": 1}, "en")


def test_there_are_words_for_every_state_of_an_extraction() -> None:
    assert set(get_args(ExtractionState)) - {"ok"} <= set(Reasons.of("ja").words)
