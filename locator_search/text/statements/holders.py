"""What holds something, told as what it is held in: X is defined in Y is Y defines X. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from locator_search.text.statements.phrases.spelling import stem_of
from locator_search.text.statements.tokens import Token

_HELD = "support contain include provide specify define describe list mention carry cover introduce"
_HOLDING = frozenset(stem_of(word) for word in _HELD.split())


def with_holders(tokens: Sequence[Token]) -> list[Token]:
    """English tokens where the in of a passive that tells what something is held in reads as its by."""
    done = {token.section for token in tokens if token.label == "by"}
    held = {token.section: place for place, token in enumerate(tokens) if token.passive and token.key in _HOLDING}
    return [
        replace(token, label="by", role="agent")
        if token.label == "in" and token.section in held.keys() - done and place > held[token.section]
        else token
        for place, token in enumerate(tokens)
    ]
