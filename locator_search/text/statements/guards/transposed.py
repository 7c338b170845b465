"""Words that have changed places in a claim that says otherwise word for word what its sentence says. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from locator_search.text.statements.tokens import Token


def is_transposed(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim is a part of its sentence in which two runs of words stand in each other's place (external to
    internal, told as internal to external). Runs side by side may be the members of a list, and runs that keep their
    roles may have moved with them; they count for none."""
    windows = (sentence[start : start + len(claim)] for start in range(len(sentence) - len(claim) + 1))
    return any(_is_swapped(claim, window) for window in windows)


def neighbours_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether two numbers have each other's neighbours: #64 (illegal UE) and #25 (congestion) for #25 (illegal
    UE) and #64 (congestion)."""
    return any(_neighbours_change(list(claim)[::way], list(sentence)[::way]) for way in (1, -1))


def _neighbours_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    ours, theirs = _followers(claim), _followers(sentence)
    return any(
        ours[one] == theirs[two] != theirs[one] == ours[two] and {ours[one], ours[two]}.isdisjoint((one, two))
        for one, two in combinations(ours.keys() & theirs.keys(), 2)
    )


def _followers(tokens: Sequence[Token]) -> dict[str, str]:
    """Behind each number that stands once, the word that follows it."""
    once = Counter(token.key for token in tokens)
    return {
        token.key: after.key for token, after in pairwise(tokens) if token.kind == "number" and once[token.key] == 1
    }


def _is_swapped(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    places = [place for place, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one.key != other.key]
    half = len(places) // 2
    first, second = places[:half], places[half:]
    if not half or len(first) != len(second) or second[0] == first[-1] + 1:
        return False
    pairs = [*zip(first, second, strict=True), *zip(second, first, strict=True)]
    if any(ours[place].key != theirs[other].key for place, other in pairs):
        return False
    moved = all(ours[place].role == theirs[other].role != theirs[place].role for place, other in pairs)
    return not moved and all(one.passive == other.passive for one, other in zip(ours, theirs, strict=True))
