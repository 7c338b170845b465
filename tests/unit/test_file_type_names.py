"""Every kind of file that can be listed has a name in both languages, and none is told as its MIME type."""

from __future__ import annotations

from datetime import date

import pytest

from locator_search.adapters.extractors import formats, mime_types
from locator_search.drive_search.file_types import is_named, type_name
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.questions import read_question
from locator_search.model import SearchFilters
from locator_search.text.file_types import KINDS

READ = [mime_type for mime_type, known in formats.FORMATS.items() if known.module]
LISTED = sorted(
    {
        *formats.FORMATS,
        *(mime_types.mime_type_of(f"a{suffix}") for suffix in mime_types._BY_SUFFIX),
        *(mime_type for kind in KINDS.values() for mime_type in kind),
    }
)


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("mime_type", LISTED)
def test_a_kind_that_can_be_listed_has_a_name(mime_type: str, language: str) -> None:
    assert is_named(mime_type, language)
    assert "/" not in type_name(mime_type, language)
    assert type_name(mime_type.upper(), language) == type_name(mime_type, language)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_what_is_read_by_different_readers_is_told_apart(language: str) -> None:
    names = [type_name(mime_type, language) for mime_type in READ]
    assert len(set(names)) == len(names)


def test_a_kind_that_nobody_named_is_told_by_its_family() -> None:
    assert type_name("text/x-haskell", "ja") == "テキスト (haskell)"
    assert type_name("image/vnd.adobe.photoshop", "en") == "Image (adobe.photoshop)"
    assert type_name("application/vnd.x-lotus", "ja") == "その他の形式 (lotus)"


def test_a_family_in_a_question_is_told_once() -> None:
    say = Sentences.of("ja")
    for question, told in (("玄関の画像", "画像"), ("見積もりのワード", "Word")):
        read = read_question(question, SearchFilters(), date(2026, 9, 1), 4, say)
        assert [one.label for one in read.conditions] == [told]
