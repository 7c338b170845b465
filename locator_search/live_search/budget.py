"""The tokens of one question: about 10,000 for both calls to the model together, answers included. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from locator_search.ports import Prompt
from locator_search.text.cutting import TOKENS_PER_WIDE_CHARACTER, estimate_tokens, truncate
from locator_search.text.snippets import make_snippet

TOTAL_TOKENS = 10_000
SYNTAX_TOKENS = 1_500
"""The tokens of the syntax help of all services together."""
LEAST_EVIDENCE_TOKENS = 1_000
"""For the bodies, whatever the rest takes."""


def tokens_of(prompt: Prompt[Any]) -> int:
    """The most tokens one call takes: instructions, inputs, schema and the longest answer."""
    schema = json.dumps(prompt.output_model.model_json_schema())
    inputs = json.dumps(dict(prompt.inputs), ensure_ascii=False)
    return estimate_tokens(prompt.instructions) + estimate_tokens(inputs) + estimate_tokens(schema) + prompt.max_tokens


def shares(wanted: Sequence[int], total: int) -> list[int]:
    """`total` dealt out so that nobody gets more than wanted, and what the small leave goes to the large."""
    dealt = [0] * len(wanted)
    left = max(0, total)
    for place, number in enumerate(sorted(range(len(wanted)), key=lambda one: wanted[one])):
        dealt[number] = min(wanted[number], left // (len(wanted) - place))
        left -= dealt[number]
    return dealt


def excerpts(texts: Sequence[str], question: str, total: int) -> list[str]:
    """Each text, or where that is too much the part of it that answers the question best: `total` tokens together."""
    dealt = shares([estimate_tokens(text) for text in texts], total)
    return [_excerpt(text, question, share) for text, share in zip(texts, dealt, strict=True)]


def beginnings(texts: Sequence[str], total: int) -> list[str]:
    """Each text, or its beginning: `total` tokens together."""
    dealt = shares([estimate_tokens(text) for text in texts], total)
    return [_fitting(text, share) for text, share in zip(texts, dealt, strict=True)]


def _excerpt(text: str, question: str, tokens: int) -> str:
    if estimate_tokens(text) <= tokens:
        return text
    length = round(len(text) * tokens / estimate_tokens(text))
    return _fitting(make_snippet(text, question, max_length=max(1, length)).text, tokens)


def _fitting(text: str, tokens: int) -> str:
    length = len(text)
    while length > 0 and estimate_tokens(text := truncate(text, length)) > tokens:
        over = estimate_tokens(text) - tokens
        length = len(text) - max(1, int(over / TOKENS_PER_WIDE_CHARACTER))
    return text if length > 0 else ""
