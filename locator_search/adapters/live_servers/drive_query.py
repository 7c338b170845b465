"""Queries to Drive: in its own language, or plain words turned into it."""

from __future__ import annotations

import re

_TERM = re.compile(
    r"\b(?:fullText|name|mimeType|modifiedTime|createdTime|viewedByMeTime|sharedWithMe|starred|description)\s*"
    r"(?:contains|=|!=|<=?|>=?)|'\s+in\s+(?:parents|owners|writers|readers)\b"
)
_WORD = re.compile(r'"[^"]+"|\S+')
NOT_WANTED = "trashed = false and mimeType != 'application/vnd.google-apps.folder'"


def drive_query(query: str) -> str:
    """The `q` of a request. Drive reads `and` and `or` from left to right, hence the parentheses."""
    asked = query.strip() if _TERM.search(query) else _of_words(query)
    return f"({asked}) and {NOT_WANTED}" if asked else NOT_WANTED


def _of_words(query: str) -> str:
    alternatives = re.split(r"\s+(?:OR|\|)\s+", query)
    joined = [" and ".join(_contains(word) for word in _WORD.findall(each) if word != "AND") for each in alternatives]
    joined = [each for each in joined if each]
    return joined[0] if len(joined) == 1 else " or ".join(f"({each})" for each in joined)


def _contains(word: str) -> str:
    quoted = word.strip("()").replace("\\", "\\\\").replace("'", "\\'")
    return f"fullText contains '{quoted}'"
