"""How many model tokens a text is, about, without a tokenizer (which would need the network)."""

from __future__ import annotations

from math import ceil

import regex

_NOT_ASCII = regex.compile(r"[^\x00-\x7f]")

TOKENS_PER_WIDE_CHARACTER = 1.2
TOKENS_PER_ASCII_CHARACTER = 0.3


def estimate_tokens(text: str) -> int:
    """An estimate on the safe side: 1.2 tokens for each character beyond ASCII, 0.3 for each ASCII one.

    A quarter of the characters, the usual rule for English, is three times too low for Japanese.
    """
    wide = 0 if text.isascii() else len(_NOT_ASCII.findall(text))
    return ceil(wide * TOKENS_PER_WIDE_CHARACTER + (len(text) - wide) * TOKENS_PER_ASCII_CHARACTER)
