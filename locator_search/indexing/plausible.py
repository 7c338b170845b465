"""Whether what a model wrote can be a summary of a text at all. Pure; in doubt it can."""

from __future__ import annotations

import unicodedata

USUAL_SCRIPTS = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"})
COMPARED = 20_000
"""Characters of the text whose script is looked at."""


def why_implausible(summary: str, text: str) -> str:
    """What is wrong with a summary, in words that follow "it"; "" where nothing is."""
    visible = [character for character in summary if not character.isspace()]
    letters = _letters(summary)
    if sum(character.isalnum() for character in visible) * 2 < len(visible):
        return "holds hardly any words"
    foreign = set(map(_script, letters)) - USUAL_SCRIPTS
    if foreign:
        foreign -= set(map(_script, _letters(text[:COMPARED])))
    if sum(_script(letter) in foreign for letter in letters) * 2 > len(letters):
        return "is in a script that neither the file nor its readers use"
    return ""


def _letters(text: str) -> list[str]:
    return [character for character in unicodedata.normalize("NFKC", text) if character.isalpha()]


def _script(letter: str) -> str:
    """The first word of a character's name, which is that of its script."""
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]
