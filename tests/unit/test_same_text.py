"""Texts of one document have one key, whatever their format; any other text has another."""

from __future__ import annotations

import pytest

from locator_search.text.normalise import text_key

TEXT = "経費の精算は毎月末までに申請し、領収書を添えて経理部に提出する。\n承認は所属長が行い、1,200 円までは要らない。"


@pytest.mark.parametrize(
    "same",
    [
        TEXT.replace("\n", ""),
        TEXT.replace("し、", "し、\n"),
        TEXT.replace("1,200", "１，２００"),
        TEXT.replace("。\n", "。\n1\f") + "\n- 2 -",
        TEXT.replace("。\n", "。\nPage 1 of 2\f") + "\nPage 2 of 2",
        TEXT.replace("承認", "・ 承認"),
        f"社内限\n{TEXT[:20]}\f社内限\n{TEXT[20:30]}\f社内限\n{TEXT[30:]}",
    ],
)
def test_layout_page_numbers_and_running_titles_make_no_other_text(same: str) -> None:
    assert text_key(same) == text_key(TEXT) is not None


@pytest.mark.parametrize("other", [TEXT.replace("1,200", "1,300"), TEXT + "\n120", TEXT.replace("所属長", "部長")])
def test_another_number_or_word_is_another_text(other: str) -> None:
    assert text_key(other) != text_key(TEXT)


@pytest.mark.parametrize("little", ["", "別紙", "Scanned by CamScanner\f" * 40, "1\n2\n3"])
def test_too_little_text_tells_nothing(little: str) -> None:
    assert text_key(little) is None
