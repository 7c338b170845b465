"""Who does what to whom, from where to where, and what goes together. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from locator_search.text.statements.sameness import once_each, same
from locator_search.text.statements.tokens import Token

INSTEAD = "insteadof"
"""The place of what something else takes the place of."""
_ENDS_OF_VERBS = frozenset("うくぐすつぬぶむる")
_NAMES = frozenset({"word", "identifier"})
_INTO = frozenset({"to", "into"})
_BEING = frozenset(["存在", "含む", "記載", "規定", "必要", "生じる", "生ずる", "発生"])
"""What is said of something that is somewhere."""
_OPPOSITES = (
    ("agent", frozenset({"object", "to", "from"})),
    ("to", frozenset({"object", "from", "agent"})),
    ("from", frozenset({"to", "agent", "object"})),
)
"""Roles, and those that cannot be meant by the same word in the other language."""


def places_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether somebody who does something in the claim has it done to them in the sentence, and another one takes their
    place; the same of what goes from and to. Also whether the claim names one twice in the place of another."""
    pairs = _moved(claim, sentence)
    untold = _passive_without_agent(sentence)
    for role, opposite in _OPPOSITES:
        ours = {token.text for token, _ in pairs if token.role == role}
        theirs = {token.text for token, other in pairs if other.role == role}
        came = {
            token.section
            for token, other in pairs
            if token.text not in theirs
            and token.role == role
            and (other.role in opposite or (role == "agent" and other.label == "for"))
        }
        for token, other in pairs:
            went = other.role == role and token.role in opposite and token.text not in ours
            went = went and not _tells_where(token, claim)
            apart = role == "agent" and other.section in untold and token.section not in came
            if came and went and not apart and not (role == "agent" and _is_there(token, claim)):
                return True
    if any(
        token.label == "from" and other.label in ("to", "into") and "per" not in token.bounds
        for token, other in once_each(claim, sentence)
    ):
        return True
    if any(
        token.kind == "number" and token.label == "to" and other.label == "from"
        for token, other in once_each(claim, sentence)
    ):
        return True
    ways = frozenset({"from", "to"})
    if any({token.role, other.role} == ways for token, other in once_each(claim, sentence)):
        return True
    ours_named, theirs_named = (
        Counter(token.key for token in tokens if token.kind == "identifier") for tokens in (claim, sentence)
    )
    return bool(ours_named - theirs_named and theirs_named.keys() - ours_named.keys())


def _moved(claim: Sequence[Token], sentence: Sequence[Token]) -> list[tuple[Token, Token]]:
    """Words and names with their own in the sentence; of one that stands there several times, those in the role it has
    in the claim, where it has that somewhere."""
    found = list[tuple[Token, Token]]()
    for token in (one for one in claim if one.kind in _NAMES):
        alike = [other for other in sentence if same(token, other)]
        kept = [other for other in alike if other.role == token.role] if len(alike) > 1 else []
        found += [(token, other) for other in kept or alike]
    return found


def _tells_where(token: Token, claim: Sequence[Token]) -> bool:
    """Whether a Japanese で marks a word as a place or a case, and not a name as the means."""
    after = next((one for before, one in pairwise(claim) if before is token), None)
    describes = after is not None and (after.label, after.phrase) == (token.label, token.phrase)
    return token.label == "in" and token.japanese | describes


def _is_there(token: Token, claim: Sequence[Token]) -> bool:
    """Whether a Japanese に marks what something is in, has or needs, and not to whom it is done (文書には記載が
    ある)."""
    inside = [one for one in claim if one.section == token.section]
    after = next((one for one in inside if one.phrase > token.phrase), None)
    if token.label == "to" and after is not None and after.key == "含む":  # NSSAIに含まれるS-NSSAI
        return True
    named = max((place for place, one in enumerate(inside) if one.label == "agent"), default=None)
    if token.label != "to" or named is None:
        return False
    return all(one.kind == "modal" or one.key in _BEING for one in inside[named + 1 :])


def _passive_without_agent(tokens: Sequence[Token]) -> set[int]:
    """The English clauses whose subject does nothing: by whom it is done, they do not tell."""
    by = {token.section for token in tokens if token.label == "by"}
    return {token.section for token in tokens if token.passive} - by


def recipients_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether what goes to another one in a claim has that one go to it in the sentence (add A to B, turn A into B)."""
    ways = set[tuple[bool, bool]]()
    for token in (one for one in claim if one.role and one.kind in _NAMES and not one.passive):
        alike = [other for other in sentence if same(token, other)]
        if not alike or any(other.passive or other.role == "agent" for other in alike):
            continue
        there = {other.label in _INTO for other in alike}
        if len(there) == 1:
            ways.add((token.label in _INTO, there.pop()))
    return {(True, False), (False, True)} <= ways


def deeds_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause says of one what the sentence says of another one whom the claim names elsewhere."""
    names = [other for other in sentence if other.kind == "identifier"]
    for _, group in groupby(claim, key=lambda token: token.clause):
        tokens = list(group)
        said = [token for token in tokens if token.kind in ("word", "number")]
        clauses = Counter(other.clause for token in said for other in sentence if same(token, other))
        ours = {token.key for token in tokens if token.kind == "identifier" and token.role == "agent"}
        own = max((clauses[other.clause] for other in names if other.key in ours), default=None)
        elsewhere = {token.key for token in claim if token not in tokens}
        theirs = [clauses[other.clause] for other in names if other.role == "agent" and other.key in elsewhere - ours]
        if own is not None and max(theirs, default=0) > own:
            return True
    return False


def names_instead(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim takes what the sentence puts something else in the place of, or the other way round."""
    if any(
        (token.label == INSTEAD) != (other.label == INSTEAD)
        for token in claim
        for other in sentence
        if token.kind in ("identifier", "number") and same(token, other)
    ):
        return True
    return any(
        found and not any(other.label == INSTEAD for other in found)
        for ours, theirs in ((claim, sentence), (sentence, claim))
        if any(one.label == INSTEAD for one in theirs)
        for token in ours
        if token.label == INSTEAD and token.kind == "word"
        if (found := [other for other in theirs if same(token, other)])
    )


def bears_another_name(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a name bears in a claim what another name bears in the sentence (the initial UE, the default SMF)."""
    borne = [(word, name) for word, name in _attributes(sentence)]
    for word, name in _attributes(claim):
        alike = [other for other in sentence if same(word, other)]
        owners = [owner for one, owner in borne if any(one is other for other in alike)]
        known = any(same(name, other) for other in sentence)
        if known and alike and len(owners) == len(alike) and not any(same(name, owner) for owner in owners):
            return True
    return False


def _attributes(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """The names with a word right before them."""
    for word, name in pairwise(tokens):
        if word.kind == "word" and name.kind == "identifier" and word.phrase == name.phrase and not _is_verb(word):
            yield word, name


def _is_verb(word: Token) -> bool:
    """Whether a word in front of a name tells what it does: MTLFを含むNWDAF, containing MTLF."""
    return word.key[-1:] in _ENDS_OF_VERBS if word.japanese else word.text.endswith("ing")


def describes_another(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim says of one that another one did something to it (the SMF selected by the AMF), and its sentence
    the other way round."""
    done = {(by.key, to.key) for by, to in _described(claim)}
    return any((to.key, by.key) in done for by, to in _described(sentence))


def _described(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Names behind a by, with the name that a verb between them describes."""
    names = [token for token in tokens if token.kind == "identifier"]
    japanese = any(token.japanese for token in tokens)
    for one, two in pairwise(names):
        by, to = (one, two) if japanese else (two, one)
        if one.section == two.section and by.label == "by" != to.label:
            yield by, to
