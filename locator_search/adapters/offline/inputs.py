"""The inputs of a task, by name, each as the kind of thing a rule works on; of another kind it is as if not given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LONGEST_INPUT = 100_000
"""Characters of one input that are looked at; the rules need time in proportion to it."""


def cards_of(inputs: Mapping[str, object], name: str) -> list[Mapping[str, Any]]:
    """Its items that have parts of their own."""
    return [card for card in items_of(inputs, name) if isinstance(card, Mapping)]


def text_of(inputs: Mapping[str, object], name: str) -> str:
    """Its beginning as text; nothing where it is not given."""
    value = inputs.get(name)
    return "" if value is None else str(value)[:_LONGEST_INPUT]


def items_of(inputs: Mapping[str, object], name: str) -> list[object]:
    """Its items; none where it is no list."""
    value = inputs.get(name)
    return list(value) if isinstance(value, (list, tuple)) else []


def numbers_of(inputs: Mapping[str, object], name: str) -> list[float]:
    """Its items that are numbers."""
    return [item for item in items_of(inputs, name) if isinstance(item, (int, float))]


def texts_of(inputs: Mapping[str, object], name: str) -> list[str]:
    """The beginning of each of its items as text."""
    return [str(item)[:_LONGEST_INPUT] for item in items_of(inputs, name)]
