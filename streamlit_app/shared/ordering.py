"""The orders in which results can be looked at. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, get_args

from locator_search.model import Evidence
from locator_search.text.normalise import normalise

Order = Literal["relevance", "date", "name", "size"]
RELEVANCE: Order = "relevance"
ORDERS: tuple[Order, ...] = get_args(Order)

_DIGITS = re.compile(r"(\d+)")


def as_order(value: str | None) -> Order:
    """An order from outside (an address, a widget); relevance for one we do not know."""
    return next((order for order in ORDERS if order == value), RELEVANCE)


def in_order(evidence: Sequence[Evidence], order: Order) -> list[Evidence]:
    """The results newest first, by name (第9回 before 第10回), largest first, or as they are."""
    if order == "date":
        return sorted(evidence, key=lambda item: item.modified_at, reverse=True)
    if order == "name":
        return sorted(evidence, key=lambda item: _natural(item.file_name))
    if order == "size":
        return sorted(evidence, key=lambda item: item.size or 0, reverse=True)
    return list(evidence)


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = (part for part in _DIGITS.split(normalise(name)) if part)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]
