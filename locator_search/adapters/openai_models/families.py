"""Which parameters a model family takes. One pair (temperature 0, max_tokens 400) no longer fits all of them.

Sources: the parameter notes of the installed SDK and the vendor's model pages (November 2026).
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """The request parameters of one family: the name of the output cap, and what else it accepts."""

    name: str
    cap: str = "max_completion_tokens"
    temperature: float | None = None
    reasoning_effort: str | None = None
    reserve: int = 0
    """Tokens added to the cap because reasoning is counted in it."""


CLASSIC = Family("classic", temperature=0.0)
REASONING_OFF = Family("reasoning-off", temperature=0.0, reasoning_effort="none")
REASONING_ALWAYS = Family("reasoning-always", reasoning_effort="low", reserve=2000)
COMPATIBLE = Family("compatible", cap="max_tokens", temperature=0.0)
UNKNOWN = Family("unknown")

_FAMILIES: tuple[tuple[str, Family], ...] = (
    (r"gpt-4o|gpt-4\.1|gpt-4-|gpt-4$|gpt-3\.5", CLASSIC),
    (r"gpt-5\.[4-9]|gpt-6", REASONING_OFF),
    (r"gpt-5|o[134](-|$)", REASONING_ALWAYS),
)


def family_of(model: str, *, own_server: bool) -> Family:
    """The family of a model name. `own_server`: another base URL than OpenAI's serves it."""
    for pattern, family in _FAMILIES:
        if re.match(pattern, model):
            return family
    return COMPATIBLE if own_server else UNKNOWN


def parameters(family: Family, max_tokens: int) -> dict[str, object]:
    """The request parameters for an answer of at most `max_tokens` visible tokens."""
    chosen: dict[str, object] = {family.cap: max_tokens + family.reserve}
    if family.temperature is not None:
        chosen["temperature"] = family.temperature
    if family.reasoning_effort is not None:
        chosen["reasoning_effort"] = family.reasoning_effort
    return chosen
