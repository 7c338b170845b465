"""Holders and users of something, told as where it is held or for what used: X is defined in Y is Y defines X. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from locator_search.text.statements.phrases.spelling import stem_of
from locator_search.text.statements.tokens import Token

_HELD = "support contain include provide specify define describe list mention carry cover introduce"
_HOLDING = {"in": frozenset(stem_of(word) for word in _HELD.split()), "for": frozenset({"use"})}
"""By the place of what holds it: supported in Release 19, used for GBR QoS Flows."""


def with_holders(tokens: Sequence[Token]) -> list[Token]:
    """English tokens where the in or for of a passive that tells what holds or uses something reads as its by."""
    done = {token.section for token in tokens if token.label == "by"}
    held = {token.section: (place, token.key) for place, token in enumerate(tokens) if token.passive}
    return [
        replace(token, label="by", role="agent")
        if token.section in held.keys() - done and _holds(place, token, *held[token.section])
        else token
        for place, token in enumerate(tokens)
    ]


def _holds(place: int, token: Token, verb: int, held: str) -> bool:
    return place > verb and held in _HOLDING.get(token.label, frozenset[str]())
