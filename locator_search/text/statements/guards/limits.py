"""Limits of a statement, which is another one where they are left out: of which things it holds, under which condition,
and how sure it is. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

import regex

from locator_search.text.statements.doubts import Doubt
from locator_search.text.statements.parts.reading import CONDITIONS
from locator_search.text.statements.tokens import Statement, Token
from locator_search.text.statements.within import Clause, clauses_of, conditions_of
from locator_search.text.statements.wording import LIGHT, means, says_opposite

_TELLING = frozenset({"word", "identifier", "number"})
_WHERE = frozenset(["during", "in", "for", "at", "on", "under"])
"""Places of words that tell where or for how long."""
_DISCOURSE = frozenset(
    [
        "case",
        "addit",
        "contrast",
        "general",
        "particular",
        "exampl",
        "instanc",
        "summari",
        "compar",
        "current",
        "specif",
    ]
)
"""Words in front of a sentence that only tie it to the one before."""
_DESCRIBING = regex.compile(
    r"(?:\b(?:containing|carrying|having|lacking|without|exceeding|supporting|requiring|belonging to|registered for)"
    r"|^subject to|^except(?: in| for)?)\b((?:\s[\w.-]+){1,2})",
    regex.IGNORECASE,
)
"""The beginnings of what tells which one is meant, or when, with the words behind them."""
_GUESSED = r"\b(?:expect|anticipat|predict|likely|intend|(?:plan|aim)(?:s|ned|ed) to)"
_THOUGHT = r"\b(?:claim|believ|assum|suppos|argu|alleg)"
_INFORMING = " like to (?:inform|thank|ask|note|point out|emphasi[sz]e|clarify|remind)"
"""What a liaison would like to tell is told."""
_UNSURE = [
    (regex.compile(told, regex.IGNORECASE), regex.compile(repeated, regex.IGNORECASE))
    for told, repeated in (
        (_GUESSED, rf"{_GUESSED}|\b(?:will|should|may)\b"),
        (rf"\b(?:would(?!{_INFORMING})|could|might)\b", r"\b(?:would|could|might|may|can|if)\b"),
        (_THOUGHT, _THOUGHT),
        (r"\b(?:recommend|suggest)", r"\b(?:recommend|suggest|propos|should|ought)"),
    )
]
_EXCEPTED = regex.compile(r"\b(?:except(?!ion)|excluding|excepting|with the exception of)\b", regex.IGNORECASE)
_ABLE = regex.compile(r"\b(?:should|shall|must) be able\b", regex.IGNORECASE)
_BOTH, _ALL = regex.compile(r"\bboth\b", regex.IGNORECASE), regex.compile(r"\b(?:all|every|each)\b", regex.IGNORECASE)


def limit_left_out(claim: Sequence[Token], read: Statement, quoted: Sequence[Statement]) -> Doubt | None:
    """The doubt about a claim that leaves out what limits the sentence it repeats; None where nothing is left out.

    Only English claims about English sentences are looked at. Of several sentences that counts which shares most words.
    """
    alike = [one for one in quoted if not one.japanese]
    if read.japanese or not alike:
        return None
    shared = [sum(_is_told(token, one.tokens) for token in claim) for one in alike]
    doubts = [_left_out(claim, read, one) for one, count in zip(alike, shared, strict=True) if count == max(shared)]
    return None if None in doubts else doubts[0]


def _left_out(claim: Sequence[Token], read: Statement, sentence: Statement) -> Doubt | None:
    if any(told.search(sentence.text) and not ours.search(read.text) for told, ours in _UNSURE):
        return "obligation"
    if _ABLE.search(sentence.text) and not any(token.key in ("must", "should") for token in claim):
        return "obligation"
    if _BOTH.search(sentence.text) and _ALL.search(read.text) and not _ALL.search(sentence.text):
        return "scope"
    if any(not _is_told(token, claim) for limit in _limits(claim, sentence) for token in limit):
        return "conditions"
    if _EXCEPTED.search(sentence.text) and not _EXCEPTED.search(read.text) and read.negations <= sentence.negations:
        return "conditions"
    for found in _DESCRIBING.finditer(sentence.text):
        words = [token for token in sentence.telling if token.text in found[1].split()]
        before = sentence.text[: found.start()].split()[-1:]
        agents = [token for token in sentence.telling if token.role == "agent" and token.text in before]
        if agents and not any(_is_told(token, claim) for token in agents):  # a passive leaves out who does it
            continue
        if words and not any(_is_told(token, claim) for token in words):
            return "scope"
    return None


def _limits(claim: Sequence[Token], sentence: Statement) -> Iterator[list[Token]]:
    """The limits of each clause that a claim repeats: what stands in front of its subject or tells which one is meant,
    its conditions, and the clauses behind its words that tell which are meant."""
    clauses = clauses_of(sentence.tokens)
    for at in _repeated(claim, clauses):
        clause = clauses[at]
        denied = any(token.negated for token in clause.tokens)  # then every place and time that is left out says more
        lead = {id(token) for token in takewhile(lambda token: token.label and token.lead, clause.tokens)}
        yield [
            token
            for token in _telling(clause)
            if token.key not in _DISCOURSE and (id(token) in lead or (denied and token.label in _WHERE))
        ]
        limits = [clauses[place] for place in conditions_of(at, clauses, CONDITIONS)]
        if at and clauses[0].relation == "relative":  # where it is so, this holds
            limits.append(clauses[0])
        yield from (_own(limit, clause) for limit in limits)
        for before, after in pairwise(clauses):
            if after.relation == "relative" and not after.tokens[0].aside and before in (clause, *limits):
                yield _own(after, clause)


def _repeated(claim: Sequence[Token], clauses: Sequence[Clause]) -> set[int]:
    """The main clauses of a sentence that share most words with one of the claim."""
    mains = [at for at, clause in enumerate(clauses) if clause.relation == "main"]
    found: set[int] = set()
    for ours in clauses_of(claim):
        if ours.relation == "main" and mains:
            found.add(max(mains, key=lambda at: sum(_is_told(token, clauses[at].tokens) for token in ours.words)))
    return found


def _telling(clause: Clause) -> list[Token]:
    return [token for token in clause.words if token.kind in _TELLING]


def _own(clause: Clause, other: Clause) -> list[Token]:
    """The words of a clause that the other one does not have."""
    words = _telling(clause)
    named = {id(word) for word, name in pairwise(words) if name.kind == "identifier" and word.phrase == name.phrase}
    words = [token for token in words if token.kind != "word" or id(token) not in named]  # the timer T3510 is T3510
    return [token for token in words if not any(means(token, one) for one in other.tokens)] or words


def _is_told(token: Token, tokens: Sequence[Token]) -> bool:
    return token.key in LIGHT or any(means(one, token) or says_opposite(one, token) for one in tokens)
