"""Words of another language in a text."""

from __future__ import annotations

import regex

_QUOTED = regex.compile(
    r"`[^`]*`|[（(][^（）()]*[)）]|「[^」]*」|“[^”]*”|https?://\S+"
    r"|[\w~$<>*'\[\]=:@#-]*[0-9_/.@=#\[\]~-][\w~$<>*'\[\]=:/@.#-]*|\b[A-Z][A-Z0-9]+\b"
)
"""Code, quotations, what stands in brackets behind a sentence, addresses, paths, options and settings."""
_WORDS = regex.compile(r"[A-Za-z][A-Za-z']+(?:[ ,]+[A-Za-z][A-Za-z']+)*")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}][\p{Hiragana}\p{Katakana}\p{Han}ー、。]*")


def english_in(text: str, *, most: int = 3) -> list[str]:
    """Runs of more than so many Latin words outside code, quotations and names of settings."""
    return [run for run in _WORDS.findall(_QUOTED.sub("\n", text)) if len(run.split()) > most]


def japanese_in(text: str) -> list[str]:
    """Words with kana outside quotations."""
    return _KANA.findall(_QUOTED.sub("\n", text))
