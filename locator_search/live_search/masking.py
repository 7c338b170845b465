"""Blots out what identifies people and places, for the debug log. Pure.

Simple and on the safe side: mail addresses, tokens, ids of users and mentions, domains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MAIL, TOKEN, USER, DOMAIN = "<mail>", "<token>", "<user>", "<domain>"

_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_TOKEN = re.compile(
    r"\b(?:xox[a-z]-[\w-]+|gh[pousr]_\w+|github_pat_\w+|sk-[\w-]{8,}|ya29\.[\w.-]+|1//[\w-]{10,}|AIza[\w-]{20,}|AKIA\w{12,}"
    r"|eyJ[\w-]+\.[\w-]+\.[\w-]+|[A-Fa-f0-9]{32,}|[A-Za-z0-9_-]{40,})"
    r"|(?<=Bearer )\S+",
    re.IGNORECASE | re.ASCII,
)
_USER = re.compile(r"<@[A-Z0-9]+(?:\|[^>]*)?>|\b[UW][A-Z0-9]{7,}\b|(?<![\w/])@[\w.-]+", re.ASCII)
_HOST = re.compile(r"(?<=://)[^/\s:?#]+")
_FILE_ENDINGS = "md|txt|py|js|ts|go|rs|java|c|h|sh|yaml|yml|json|toml|csv|pdf|docx?|xlsx?|pptx?|html?|log|sql|zip|png"
_DOMAIN = re.compile(
    rf"\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?!(?:{_FILE_ENDINGS})\b)[a-z]{{2,24}}\b(?!\()", re.IGNORECASE | re.ASCII
)


def masked(text: str, secrets: Iterable[str] = ()) -> str:
    """The text with everything of these kinds, and every one of the `secrets`, replaced by the name of its kind."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, TOKEN)
    for pattern, name in ((_MAIL, MAIL), (_TOKEN, TOKEN), (_USER, USER), (_HOST, DOMAIN), (_DOMAIN, DOMAIN)):
        text = pattern.sub(name, text)
    return text
