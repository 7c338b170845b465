"""Prices and announced shutdown dates (November 2026). A model that is not listed costs an unknown sum."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    cached_input: float
    output: float


PRICES: dict[str, Price] = {
    "gpt-6-luna": Price(0.10, 0.01, 0.50),
    "gpt-5.6-luna": Price(0.20, 0.02, 1.20),
    "gpt-4o-mini": Price(0.15, 0.075, 0.60),
    "text-embedding-3-small": Price(0.02, 0.02, 0.0),
}

SHUTDOWNS: dict[str, date] = {
    "gpt-4.1-nano": date(2026, 10, 23),
    "gpt-4-turbo": date(2026, 10, 23),
    "gpt-4": date(2026, 10, 23),
    "gpt-3.5-turbo": date(2026, 10, 23),
    "o1": date(2026, 10, 23),
    "o3-mini": date(2026, 10, 23),
    "o4-mini": date(2026, 10, 23),
    "gpt-5": date(2026, 12, 11),
    "gpt-5-mini": date(2026, 12, 11),
    "gpt-5-nano": date(2026, 12, 11),
    "o3": date(2026, 12, 11),
    "gpt-4o-mini": date(2027, 1, 14),
    "gpt-4o": date(2027, 1, 14),
    "gpt-4.1": date(2027, 1, 14),
    "gpt-4.1-mini": date(2027, 1, 14),
    "gpt-5.4-nano": date(2027, 4, 1),
    "gpt-5.1": date(2027, 4, 1),
}

_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def cost_usd(model: str, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float | None:
    """The cost of a call, or None where the price of the model is not known."""
    price = price_of(model)
    if price is None:
        return None
    fresh = input_tokens - cached_tokens
    return (fresh * price.input + cached_tokens * price.cached_input + output_tokens * price.output) / 1_000_000


def price_of(model: str) -> Price | None:
    """The listed price of a model or of the model a dated snapshot belongs to."""
    return PRICES.get(_SNAPSHOT.sub("", model))


def announced_shutdown(model: str) -> date | None:
    """When a model (a dated snapshot of it, a model tuned on it) leaves the API, as known when this was written."""
    base = model.removeprefix("ft:").partition(":")[0] if model.startswith("ft:") else model
    return SHUTDOWNS.get(_SNAPSHOT.sub("", base))
