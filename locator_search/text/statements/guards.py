"""Bounds and conditions across languages: at most or at least, only or all, and what is said to hold when. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from locator_search.text.statements.bilingual import KATAKANA, can_mean, meanings, opposites
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Statement, Token
from locator_search.text.statements.within import Clause, clauses_of, conditions_over

_NUMERIC = frozenset({"most", "least", "more", "less"})
_NEVER_DROPPED = ("only", "some", "except", "most of")
_EXTREMES = {"most": frozenset({"最大", "maximum", "max"}), "least": frozenset({"最小", "最低", "minimum", "min"})}
_JOINED = ("when", "unless", "before", "while")
KINDS = {"if": "when", "after": "when", "until": "before"}
"""Kinds of clauses that may stand for each other."""
_AS_TOLD = {**KINDS, "relative": "main"}
_ASIDE = frozenset({"for", "in", "at", "with", "under", "during", "on"})
_OPEN = frozenset({"ffs", "whether", "tbd", "未定", "未解決"})
_CALLED_OPEN = _OPEN | {"検討", "継続", "open", "pend"}
_DECIDED = frozenset({"合意", "承認", "決定", "採択", "確定"})
_TELLING = frozenset({"word", "identifier", "number"})
_TEXTS = frozenset(["text", "sentenc", "paragraph", "statement", "bullet", "文", "記述", "記載", "文言"])
_PROPOSING = frozenset(["propos", "suggest", "提案"])
_SHORT = 4
"""Words of a clause that says no more than that a text is deleted."""
_DELETED = frozenset(["delet", "remov", "削除"])
INSTEAD = "insteadof"
"""The place of what something else takes the place of."""


def bounds_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a number is bounded otherwise (at most, more than), or all, some or only one are others."""
    return any(_number_changes(token, sentence) for token in claim if token.kind == "number") or any(
        _scope_changes(scope, claim, sentence) for scope in ("all", "or", *_NEVER_DROPPED)
    )


def _number_changes(token: Token, sentence: Sequence[Token]) -> bool:
    bounds = [other.bounds & _NUMERIC for other in sentence if same(token, other)]
    ours = token.bounds & _NUMERIC
    extremes = {one.key for one in sentence} | {one.text.casefold() for one in sentence}
    return bool(bounds) and not any(
        ours == theirs or all(_EXTREMES.get(bound, frozenset[str]()) & extremes for bound in ours ^ theirs)
        for theirs in bounds
    )


def _scope_changes(scope: str, claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    ours = [token for token in claim if scope in token.bounds]
    bounded = {token.group for token in sentence if scope in token.bounds}
    theirs = [token for token in sentence if scope in token.bounds]
    if not ours:
        return scope in _NEVER_DROPPED and any(same(token, other) for token in claim for other in theirs)
    if not theirs:
        return True
    known = [token for token in ours if any(same(token, other) for other in sentence)]
    phrases = (list(group) for _, group in groupby(known, key=lambda token: token.phrase))
    whole = [token for token in sentence if token.group in bounded]  # with what an of joins to it
    return any(not any(same(token, other) for token in phrase for other in whole) for phrase in phrases)


def conditions_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim tells another condition, time or order of things than its sentence, or keeps one back."""
    told = {kind_of(token) for token in claim if token.kind != "number"}
    if {KINDS.get(relation, relation) for relation in conditions_over(claim, sentence)} - told:
        return True
    joined = {kind_of(token) for token in sentence}
    for relation in told.intersection(_JOINED) - joined:
        if not _stands_aside([token for token in claim if kind_of(token) == relation], sentence):
            return True
    return any(
        _leave(clause.tokens, [other for other in sentence if kind_of(other) == kind_of(clause.tokens[0])], sentence)
        for clause in clauses_of(claim)
        if kind_of(clause.tokens[0]) in joined
    )


def kind_of(token: Token) -> str:
    """The relation of its clause, what is when something is and after it being one, as are a clause and its which."""
    return _AS_TOLD.get(token.relation, token.relation)


def _stands_aside(condition: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a sentence tells a condition by a preposition (for cause #22)."""
    found = [[other for other in sentence if same(token, other)] for token in condition if token.kind in _TELLING]
    known = [others for others in found if others]
    return bool(known) and all(any(other.label in _ASIDE for other in others) for others in known)


def _leave(ours: Sequence[Token], theirs: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether more of what a clause says stands elsewhere in the sentence than where it should."""
    inside = sum(any(same(token, other) for other in theirs) for token in ours)
    elsewhere = [
        token
        for token in ours
        if not any(same(token, other) for other in theirs) and any(same(token, other) for other in sentence)
    ]
    main = any(token.relation == "main" for token in ours)
    return len(elsewhere) > inside or (not main and any(token.kind == "identifier" for token in elsewhere))


def grades_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause of a claim binds otherwise than the clauses of the sentence that say most of it."""
    pairs = list(side_by_side(claim, sentence))
    for clause in (ours for ours, _ in pairs if ours.relation == "main"):
        theirs = {grade for ours, one in pairs if ours is clause for grade, _ in one.grades}
        if any(grade not in theirs for grade, _ in clause.grades):
            return True
    return False


def denied_elsewhere(claim: Sequence[Token], sentence: Sequence[Token]) -> int:
    """How many clauses of a sentence deny something that a claim does not tell."""
    used = {one for _, one in side_by_side(claim, sentence)}
    needed = conditions_over(claim, sentence)
    elsewhere, denied = False, 0
    for clause in clauses_of(sentence):
        told = sum(any(same(token, other) for token in claim) for other in clause.words)
        if clause.relation != "relative":  # which belongs to the clause before
            elsewhere = clause not in used and clause.relation not in needed
        denied += elsewhere and 2 * told < len(clause.words) and any(token.negated for token in clause.tokens)
    return denied


def is_settled(read: Statement, sentences: Sequence[Statement]) -> bool:
    """Whether a claim calls decided or done what its sentences leave open, propose or announce."""
    standing = [token for one in sentences for token in one.tokens]
    told_open = read.asking or any(token.key in _CALLED_OPEN for token in read.tokens)
    if any(one.key in _OPEN for one in standing) and not told_open:
        return True
    if _is_gone(read, sentences):
        return True
    if any(token.key in _DECIDED and not any(same(token, one) for one in standing) for token in read.tokens):
        return True
    if not read.ahead and all(_only_proposes(one) for one in sentences):
        return True
    return read.done and not read.ahead and any(one.ahead and not one.done for one in sentences)


def _only_proposes(sentence: Statement) -> bool:
    """Whether somebody proposes what a sentence says: its first clause is that."""
    first = clauses_of(sentence.tokens)[:1]
    return any(token.key in _PROPOSING for clause in first for token in clause.words)


def _is_gone(read: Statement, sentences: Sequence[Statement]) -> bool:
    """Whether sentences say that a text is deleted, and the claim says what it said."""
    gone = any(
        len(clause.words) <= _SHORT
        and any(token.key in _TEXTS for token in clause.tokens)
        and any(token.key in _DELETED for token in clause.tokens)
        for one in sentences
        for clause in clauses_of(one.tokens)
    )
    told = any(token.key in _DELETED or any(means in _DELETED for means in _meanings(token)) for token in read.tokens)
    return gone and not told


def names_instead(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim takes what the sentence puts something else in the place of, or the other way round."""
    return any(
        (token.label == INSTEAD) != (other.label == INSTEAD)
        for token in claim
        for other in sentence
        if token.kind in ("identifier", "number") and same(token, other)
    )


def is_turned_round(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim has the opposite of a word in the clause of the sentence that says most of it, or of one that
    nothing of the claim stands for."""
    kinds = {kind_of(other) for other in sentence}
    clauses = (
        (ours.words, theirs.words)
        for ours, theirs in side_by_side(claim, sentence)
        if kind_of(ours.tokens[0]) == kind_of(theirs.tokens[0]) or kind_of(ours.tokens[0]) not in kinds
    )
    return any(_turned(ours, theirs) for ours, theirs in ((claim, sentence), *clauses))


def _turned(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    left = {meaning for other in _unmatched(sentence, claim) for meaning in _meanings(other)}
    ours = {meaning for token in _unmatched(claim, sentence) for meaning in _meanings(token)}
    return any(opposites().get(meaning, frozenset[str]()) & left for meaning in ours)


def _unmatched(tokens: Sequence[Token], others: Sequence[Token]) -> list[Token]:
    """The words that have none of the others to stand for; each of those stands for one."""
    left, found = list(others), list[Token]()
    for token in tokens:
        place = next((place for place, other in enumerate(left) if same(token, other)), None)
        if place is not None:
            del left[place]
        elif token.kind == "word":
            found.append(token)
    return found


def _meanings(token: Token) -> frozenset[str]:
    if not token.japanese:
        return frozenset({token.key})
    return meanings(token.key) or (_sounding(token.key) if KATAKANA.fullmatch(token.key) else frozenset())


@lru_cache(maxsize=1024)
def _sounding(katakana: str) -> frozenset[str]:
    """The words that have opposites and sound like a word in katakana."""
    return frozenset(word for word in opposites() if can_mean(katakana, word))


def side_by_side(claim: Sequence[Token], sentence: Sequence[Token]) -> Iterator[tuple[Clause, Clause]]:
    """Each clause of a claim with those of the sentence that share most words with it."""
    theirs = clauses_of(sentence)
    for clause in clauses_of(claim):
        shared = [sum(any(same(token, other) for other in one.tokens) for token in clause.words) for one in theirs]
        yield from ((clause, one) for one, count in zip(theirs, shared, strict=True) if count == max(shared))


def is_paired_otherwise(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim puts two names together that an "and" parts there, each with the partner of the other one (A to B
    and C to D, told as C to B)."""
    named = [token for token in claim if token.kind == "identifier"]
    joints = {token.key: [(other.section, other.joint) for other in sentence if same(token, other)] for token in named}
    placed = [(token, joints[token.key][0]) for token in named if len(joints[token.key]) == 1]
    return any(
        one.section == two.section
        and one.role != two.role
        and first[0] == second[0]
        and first != second
        and any(
            other.key not in (one.key, two.key) and (third, other.role) in ((second, one.role), (first, two.role))
            for other, third in placed
        )
        for (one, first), (two, second) in pairwise(placed)
    )


def is_glued_together(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim puts words together that an "and" parts there, and leaves out what each of them belongs to."""
    left = [not any(same(token, other) for token in claim) for other in sentence]
    for one, two in pairwise(claim):
        places = [[place for place, other in enumerate(sentence) if same(token, other)] for token in (one, two)]
        if one.section != two.section or [len(found) for found in places] != [1, 1]:
            continue
        first, second = sorted(found[0] for found in places)
        joints = sentence[first].joint, sentence[second].joint
        if sentence[first].section != sentence[second].section or joints[0] == joints[1]:
            continue
        between = {sentence[place].joint for place in range(first + 1, second) if left[place]}
        if between.issuperset(joints):
            return True
    return False
