"""Which of our two languages a text is to be read aloud in. Pure."""

from __future__ import annotations

import regex

_JAPANESE = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}]")
_LATIN = regex.compile(r"\p{Latin}")

_LATIN_LETTERS_PER_JAPANESE = 3
"""An English word of six letters says about as much as two kana or kanji."""


def language_of(text: str) -> str | None:
    """`ja`, `en`, or None where there are letters of neither."""
    japanese, latin = len(_JAPANESE.findall(text)), len(_LATIN.findall(text))
    if latin > japanese * _LATIN_LETTERS_PER_JAPANESE:
        return "en"
    return "ja" if japanese else None
