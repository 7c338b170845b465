"""Joins results into one text within a budget of tokens. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial

from locator_search.core.errors import ConfigurationError
from locator_search.text.cutting import estimate_tokens, sentence_spans


def joined_context(texts: Sequence[str], separator: str, max_tokens: int | None) -> str:
    """The texts, best first, with a separator between them.

    With `max_tokens` (estimated on the safe side, separators included) the first text that does not fit is cut after
    its last whole sentence that does, and nothing follows: never half a sentence, never more than the budget.
    """
    if max_tokens is None:
        return separator.join(texts)
    if not isinstance(max_tokens, int) or isinstance(max_tokens, bool) or max_tokens < 1:
        raise ConfigurationError(f"max_tokens is a number above 0, not {max_tokens!r}.")
    context = ""
    for text in texts:
        before = context + separator if context else ""
        if estimate_tokens(before + text) <= max_tokens:
            context = before + text
            continue
        ends = [end for _, end in sentence_spans(text)]
        fitting = bisect_right(ends, max_tokens, key=partial(_tokens, before, text))
        return before + text[: ends[fitting - 1]] if fitting else context
    return context


def _tokens(before: str, text: str, end: int) -> int:
    return estimate_tokens(before + text[:end])
