"""Texts of files are read aloud in their own language, whatever that of the page is."""

from __future__ import annotations

import pytest

from locator_search.text.languages import answer_language, language_of
from streamlit_app.shared.templates import spoken


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("備品購入申請書", "ja"),
        ("PDF の OCR について", "ja"),
        ("Minutes of the meeting with 田中", "en"),
        ("Gebühren für 2025", "en"),
        ("2025-04-01 (12)", None),
        ("", None),
    ],
)
def test_the_letters_tell_the_language(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_an_element_bears_the_language_of_its_text() -> None:
    assert spoken("週報") == ' lang="ja"'
    assert spoken("Weekly report") == ' lang="en"'
    assert spoken("2025") == ""


@pytest.mark.parametrize(
    ("question", "page", "language"),
    [
        ("What do people say about the new model?", "ja", "en"),
        ("Reactions to Pixel 11", "ja", "en"),
        ("新しいモデルの評判", "en", "ja"),
        ("claude code", "ja", "ja"),
        ("OpenAI GPT-5", "en", "en"),
        ("2026", "ja", "ja"),
        ("Was sagen die Leute in Berlin?", "de", "de"),
        ("新しいモデルの評判", "de", "ja"),
    ],
)
def test_a_question_is_answered_in_its_own_language_where_it_shows(question: str, page: str, language: str) -> None:
    assert answer_language(question, page) == language
