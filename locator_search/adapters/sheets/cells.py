"""Cells of tables that programs like Excel open: none is ever a formula."""

from __future__ import annotations

import re

LONGEST_CELL = 32_000
"""Characters; Excel takes 32,767."""

_LIKE_A_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def defused(text: str) -> str:
    """The text of a cell; one that begins like a formula has an apostrophe in front, also once it is saved as CSV."""
    clean = _NOT_XML.sub("", text)[:LONGEST_CELL]
    return f"'{clean}" if _LIKE_A_FORMULA.match(clean) else clean
