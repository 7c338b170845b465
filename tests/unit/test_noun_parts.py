"""Words as parts of noun phrases, and the phrases they make."""

from __future__ import annotations

import pytest

from locator_search.adapters.offline.keywords import document_keywords
from locator_search.adapters.offline.noun_phrases import noun_phrases, placed_parts
from locator_search.text.words import PIECE_LENGTH, tokenize


def test_every_occurrence_of_a_word_is_one_part_at_its_own_place() -> None:
    parts = list(placed_parts("予算と予算"))
    assert [start for start, _ in parts] == [0, 2, 3]
    assert parts[0][1] is parts[2][1]


def test_parts_keep_the_kanji_of_the_text_also_behind_the_first_piece() -> None:
    text = "あ。" * (PIECE_LENGTH // 2) + "髙橋部長"
    start, part = next((start, part) for start, part in placed_parts(text) if part.is_family_name)
    assert (start, part.surface) == (PIECE_LENGTH, "髙橋")


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("西村 拓也が来た。", [("西村 拓也", "person", 0)]),
        ("西村\u3000拓也が来た。", [("西村 拓也", "person", 0)]),
        ("西村部長が来た。", [("西村", "place", 0)]),
        ("瀬戸内の予算案", [("瀬戸内", "name", 0), ("予算案", "noun", 4)]),
        ("第3回の予算", [("予算", "noun", 4)]),
    ],
)
def test_names_and_compounds(text: str, phrases: list[tuple[str, str, int]]) -> None:
    assert noun_phrases(text) == phrases
    assert noun_phrases(text) == phrases  # remembered


def test_spellings_of_one_word_are_one_keyword_as_written_first() -> None:
    assert document_keywords("ｻｰﾊﾞｰの更改。サーバーの費用。サーバーの更改。") == ["ｻｰﾊﾞｰ", "更改", "費用"]


def test_half_a_character_is_cut_into_words_like_a_replacement_character() -> None:
    assert [unit.surface() for unit in tokenize("予算\ud83d")] == [unit.surface() for unit in tokenize("予算\ufffd")]
