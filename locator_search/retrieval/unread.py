"""Whether a question says the whole name of a file. Pure."""

from __future__ import annotations

import regex

from locator_search.retrieval.query_terms import quoted_phrases
from locator_search.retrieval.version_names import without_suffix
from locator_search.text.normalise import normalise

LONG_NAME = 6
"""Characters of a name without suffix from which it is a name within a sentence, too: 議事録 may be a kind of file."""

_SEPARATORS = regex.compile(r"[\s_・]+")
_BEFORE, _AFTER = r"(?<![^\W\p{Hiragana}])", r"(?![^\W\p{Hiragana}]|[.-]\w)"
"""No other letter, or only a particle, and no other suffix."""


def says_whole_name(question: str, file_name: str) -> bool:
    """Whether the question is this name, with or without the suffix and however its parts are separated, quotes it, or
    holds it among other words."""
    name, stem = normalise(file_name), normalise(without_suffix(file_name)[0])
    said = {_key(question), *map(_key, quoted_phrases(question))}
    if {_key(name), _key(stem)} & said:
        return True
    text = normalise(question)
    within = [one for one in (name, stem) if one in text and (len(one) >= LONG_NAME or one != stem)]
    return any(regex.search(f"{_BEFORE}{regex.escape(one)}{_AFTER}", text) for one in within)


def _key(text: str) -> str:
    return _SEPARATORS.sub(" ", normalise(text)).strip()
