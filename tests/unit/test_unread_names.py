"""Whether a question says the whole name of a file."""

from __future__ import annotations

import pytest

from locator_search.retrieval.unread import says_whole_name


@pytest.mark.parametrize(
    "question",
    [
        "ネットワーク構成図.png",
        "ネットワーク構成図",
        "ﾈｯﾄﾜｰｸ構成図．ＰＮＧ",
        "ネットワーク構成図はどこにありますか",
        "最新の「ネットワーク構成図」を見たい",
        "総務の ネットワーク構成図.png を開いて部署ごとのアドレスを教えて",
    ],
)
def test_with_or_without_its_suffix_and_among_other_words(question: str) -> None:
    assert says_whole_name(question, "ネットワーク構成図.png")


@pytest.mark.parametrize("question", ["移行計画書 2026年", "移行計画書_2026年", "移行計画書・2026年.docx"])
def test_however_its_parts_are_separated(question: str) -> None:
    assert says_whole_name(question, "移行計画書_2026年.docx")


@pytest.mark.parametrize(
    ("question", "file_name"),
    [
        ("ネットワーク構成図.pdf", "ネットワーク構成図.png"),
        ("旧ネットワーク構成図案", "ネットワーク構成図.png"),
        ("price list 2026-b", "Price List 2026.xlsx"),
        ("monthly report 20260", "Monthly Report 2026.pdf"),
        ("10月の議事録", "議事録.pdf"),
        ("構成図", "ネットワーク構成図.png"),
    ],
)
def test_another_suffix_a_longer_name_and_a_kind_of_file_are_not_it(question: str, file_name: str) -> None:
    assert not says_whole_name(question, file_name)
