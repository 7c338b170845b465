"""Words that an "and" parts in a sentence, and a claim puts together. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token


def is_paired_otherwise(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim puts two names together that an "and" parts there, each with the partner of the other one (A to B
    and C to D, told as C to B)."""
    named = [token for token in claim if token.kind == "identifier"]
    joints = {token.key: [(other.section, other.joint) for other in sentence if same(token, other)] for token in named}
    placed = [(token, joints[token.key][0]) for token in named if len(joints[token.key]) == 1]
    return any(
        (one.section, one.joint) == (two.section, two.joint)
        and one.role != two.role
        and first[0] == second[0]
        and first != second
        and not _are_listed(sentence, first, second)
        and any(
            other.key not in (one.key, two.key) and (third, other.role) in ((second, one.role), (first, two.role))
            for other, third in placed
        )
        for (one, first), (two, second) in pairwise(placed)
    )


def _are_listed(sentence: Sequence[Token], first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether an "and" joins no more than the two names beside it, which have one place (using A and B)."""
    return any(
        before.kind == after.kind == "identifier"
        and before.label == after.label
        and {(one.section, one.joint) for one in (before, after)} == {first, second}
        for before, after in pairwise(sentence)
    )


def is_glued_together(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim puts words together that an "and" parts there, and leaves out what each of them belongs to."""
    left = [not any(same(token, other) for token in claim) for other in sentence]
    japanese = any(token.japanese for token in (*claim, *sentence))
    for one, two in pairwise(claim):
        places = [[place for place, other in enumerate(sentence) if same(token, other)] for token in (one, two)]
        if one.section != two.section or [len(found) for found in places] != [1, 1]:
            continue
        first, second = sorted(found[0] for found in places)
        joints = sentence[first].joint, sentence[second].joint
        if sentence[first].section != sentence[second].section or joints[0] == joints[1]:
            continue
        verb = not japanese or (one.label == "object" and not (two.label or two.role))
        begins = verb and sentence[second - 1].joint < sentence[second].joint
        joined = begins and sentence[first].role != "agent"
        reach = range(len(sentence)) if joined else range(first + 1, second)  # removes A and adds B, told as adds A
        section = sentence[first].section
        between = {sentence[place].joint for place in reach if left[place] and sentence[place].section == section}
        if between.issuperset(joints):
            return True
    return False
