"""Which of our two languages a text is to be read aloud in, and a question answered in. Pure."""

from __future__ import annotations

import regex

_JAPANESE = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}]")
_LATIN = regex.compile(r"\p{Latin}")

_LATIN_LETTERS_PER_JAPANESE = 3
"""An English word of six letters says about as much as two kana or kanji."""

_JOINING = regex.compile(
    r"\b(?:a|about|after|an|and|are|as|at|be|by|can|do|does|for|from|have|how|i|in|is|it|my|not|of|on|or|people|should"
    r"|than|that|the|their|there|they|this|to|was|we|were|what|when|where|which|who|why|will|with|you)\b",
    regex.IGNORECASE,
)
"""Words that join the others of an English sentence, and that no name consists of."""


def language_of(text: str) -> str | None:
    """`ja`, `en`, or None where there are letters of neither."""
    japanese, latin = len(_JAPANESE.findall(text)), len(_LATIN.findall(text))
    if latin > japanese * _LATIN_LETTERS_PER_JAPANESE:
        return "en"
    return "ja" if japanese else None


def answer_language(question: str, otherwise: str) -> str:
    """The language a question is answered in: its own, where it shows; else `otherwise`, that of whoever asks.

    Names alone in Latin letters are no English (OpenAI GPT-5), nor is anything else than Japanese known to be one of
    our two languages where the person reads a third."""
    own = language_of(question)
    if own == "en" and (otherwise not in ("ja", "en") or not _is_english(question)):
        return otherwise
    return own or otherwise


def _is_english(question: str) -> bool:
    return bool(_JOINING.search(question))
