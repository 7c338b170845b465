"""Whether a claim puts the words of a clause in another order, so that another one does it, or to another one. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from locator_search.text.statements.bilingual import is_comparable
from locator_search.text.statements.one_language.places import Place
from locator_search.text.statements.parts.reading import CONDITIONS
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.units import CLOCK
from locator_search.text.statements.within import Clause
from locator_search.text.statements.wording import aligned_with

_TOWARDS = frozenset({"to", "from", "towards", "toward", "against", "between", "into"})
_EACH = frozenset({"every", "per"})
"""Bounds of a span that something happens in each of: it has no order with the spans in it."""
_NAMED = frozenset({"identifier", "number"})


def is_promoted(clause: Clause, place: Place, pairs: Sequence[tuple[Token, Token]]) -> bool:
    """Whether what does something in a claim is told aside in the sentence, and what does it there is another."""
    if clause.japanese or any(token.passive for token in clause.tokens):
        return False
    told = {id(other) for _, other in pairs}
    untold = any(other.role == "agent" and id(other) not in told and not other.label for other in place.tokens)
    return any(
        token.role == "agent"
        and not token.label
        and other.label
        and (untold or other.label in _TOWARDS)
        and not other.passive
        for token, other in pairs
    )


def is_turned(clause: Clause, place: Place) -> bool:
    """Whether another one does it than in the sentence, or names and numbers stand in another order there."""
    if clause.japanese:
        return _names_turn(clause, place)
    whole = replace(place.clause, tokens=place.tokens)
    aligned = aligned_with(clause.tokens, place.tokens)
    pairs = [(token, aligned[id(token)]) for token in clause.words if id(token) in aligned]
    acting, acting_there = clause.acting(), whole.acting()
    core = [(token, other) for token, other in pairs if not token.label and not other.label]
    alike = [(token, other) for token, other in pairs if _is_written_alike(token, other)]
    came, went = (
        [token for token, other in alike if (id(token) in acting) is ours and (id(other) in acting_there) is not ours]
        for ours in (True, False)
    )
    if values_change(clause.tokens, place.tokens):
        return True
    voice = any(token.passive != other.passive for token, other in pairs)
    if (came and went) or (voice and (came or went)):
        return True
    theirs = {id(token): at for at, token in enumerate(whole.at(""))}
    return all(_differ(core, _order(clause, ours), theirs) for ours in clause.readings())


def _names_turn(clause: Clause, place: Place) -> bool:
    """Whether names or numbers with one particle stand in another order."""
    aligned = aligned_with(clause.tokens, place.tokens)
    order = {id(token): at for at, token in enumerate(place.tokens)}
    named = [(token, aligned[id(token)]) for token in clause.tokens if token.kind in _NAMED and id(token) in aligned]
    return any(
        first.label == second.label and one.label == two.label and order[id(one)] > order[id(two)]
        for (first, one), (second, two) in combinations(named, 2)
    )


def _is_written_alike(token: Token, other: Token) -> bool:
    """Whether a word is no verb here that is a noun there."""
    return token.text.casefold().removesuffix("s") == other.text.casefold().removesuffix("s")


def _order(clause: Clause, read: Clause) -> dict[int, int]:
    """The places of the words of a clause, as it reads in the active voice."""
    own = {id(token): id(one) for token, one in zip(read.tokens, clause.tokens, strict=True)}
    return {own[id(token)]: at for at, token in enumerate(read.at(""))}


def _differ(pairs: Sequence[tuple[Token, Token]], ours: Mapping[int, int], theirs: Mapping[int, int]) -> bool:
    for (first, one), (second, two) in combinations(pairs, 2):
        if not {id(first), id(second)} <= ours.keys() or not {id(one), id(two)} <= theirs.keys():
            continue
        if not (_NAMED.issuperset((first.kind, second.kind)) or one.joint != two.joint):
            continue
        before, before_there = ours[id(first)] < ours[id(second)], theirs[id(one)] < theirs[id(two)]
        if before != before_there and not (_is_of(first, second, one, two) or _is_of(one, two, first, second)):
            return True
    return False


def _is_of(first: Token, second: Token, one: Token, two: Token) -> bool:
    """Whether two words are joined by an of, and stand together in the other text."""
    return first.phrase != second.phrase and first.group == second.group and one.group == two.group


def values_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether values of one unit are told in another order and the names they belong to are not, or the names alone."""
    told = {token.section for token in claim if token.kind == "number"}
    names = [token for token in claim if token.kind == "identifier" and token.section in told]
    heads = {(token.section, token.group): token for token in reversed(names)}  # FR1のUE is a UE in FR1
    names_turn = _turn([token for token in names if token in heads.values()], sentence)
    valued = [token for token in claim if token.kind == "number" or CLOCK.fullmatch(token.key)]
    numbers = [token for token in valued if not _is_numbered(token, claim, sentence)]
    kept = all(
        _is_conditional(one) == _is_conditional(other) for one in numbers for other in sentence if same(one, other)
    )
    kinds = {id(token): (token.unit, kept and _is_conditional(token), bool(_EACH & token.bounds)) for token in numbers}
    each, each_there = _in_each(numbers), _in_each(sentence)
    if each and each_there and not any(same(one, other) for one in each for other in each_there):
        return True
    alike = ([token for token in numbers if kinds[id(token)] == kind] for kind in set(kinds.values()))
    return any(len(values) > 1 and _turn(values, sentence) != names_turn for values in alike)


def _in_each(tokens: Sequence[Token]) -> list[Token]:
    """The spans in each of which something happens (every 320 ms)."""
    return [token for token in tokens if token.kind == "number" and _EACH & token.bounds]


def _is_conditional(token: Token) -> bool:
    """Whether a number belongs to a condition, which may come before or behind what it holds for."""
    return token.relation in CONDITIONS


def _is_numbered(number: Token, claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a number counts nothing but numbers the word in front of it, in both (step 4)."""
    before = _before(number, claim)
    return before is not None and any(
        same(number, other) and (one := _before(other, sentence)) is not None and same(before, one)
        for other in sentence
    )


def _before(number: Token, tokens: Sequence[Token]) -> Token | None:
    at = next(place for place, token in enumerate(tokens) if token is number)
    before = tokens[at - 1] if at else None
    return before if not number.unit and before is not None and before.phrase == number.phrase else None


def _turn(tokens: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a sentence has some of the tokens in another order."""
    found = [[place for place, other in enumerate(sentence) if same(token, other)] for token in tokens]
    places = [each[0] for each in found if len(each) == 1]
    return places != sorted(places)


def _is_label(token: Token) -> bool:
    """Whether an English word in front of a number is a name for it (Proposal 3)."""
    return token.kind == "word" and token.text.istitle()


def is_numbered_otherwise(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a number stands behind another word than in the sentence (proposal 3, observation 3)."""
    for number in (token for token in claim if token.kind == "number"):
        before = _before(number, claim)
        there = [one for other in sentence if same(number, other) and (one := _before(other, sentence)) is not None]
        if before is None or not is_comparable(before.key, japanese=before.japanese):
            continue
        if any(_is_label(one) for one in (before, *there)) and not any(same(before, one) for one in there or [before]):
            return True
    return False
