"""Whether several sentences together state what one sentence of a claim says. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from locator_search.text.statements.doubts import Doubt
from locator_search.text.statements.guards.amounts import is_counted_otherwise
from locator_search.text.statements.guards.limits import limit_left_out
from locator_search.text.statements.guards.transposed import is_transposed, neighbours_change
from locator_search.text.statements.one_language.holders import with_holders
from locator_search.text.statements.one_language.rearranged import is_rearranged
from locator_search.text.statements.one_language.restating import is_restated
from locator_search.text.statements.proof import doubts_of, is_said_as_often
from locator_search.text.statements.tokens import Statement, Token

_REPORTED = """
contribut document cr tdoc paper chang propos propo request clause section claus specif specifi text sentenc state say
said describ note explain mention tell told author follow also
寄書 寄与 文書 条項 提案 記載 規定 説明 述べる 旨 章 節 項 仕様 書 本 記述 示す 書く 著者 筆者
"""
REPORTING = frozenset(_REPORTED.split())
"""Words about the document instead of its matter, as English stems and Japanese normalised forms."""


def doubts_about(claim: Sequence[Token], read: Statement, quoted: Sequence[Statement]) -> tuple[Doubt, ...]:
    """The doubts that the best of the quoted sentences leaves about one sentence of a claim; or none, where each of its
    clauses has a sentence of its own that says it, no word stands there oftener than it is quoted, and nothing is left
    out that limits it."""
    if doubts := _doubts_about(claim, read, quoted):
        alike = [replace(one, tokens=tuple(with_holders(one.tokens))) for one in quoted if not one.japanese]
        if read.japanese or not alike or _doubts_about(with_holders(claim), read, alike):
            return doubts
    limited = limit_left_out(claim, read, quoted)
    return (limited,) if limited else ()


def _doubts_about(claim: Sequence[Token], read: Statement, quoted: Sequence[Statement]) -> tuple[Doubt, ...]:
    alike = [one for one in quoted if one.japanese == read.japanese]
    if any(is_transposed(claim, one.tokens) or neighbours_change(claim, one.tokens) for one in alike):
        return ("roles",)
    if alike and all(is_counted_otherwise(claim, one.tokens) for one in alike):
        return ("roles",)
    if any(_only_denies(claim, read, one) for one in quoted):
        return ("negation",)
    best = min((doubts_of(claim, read, one) for one in quoted), key=len)
    denied = max((one.negations for one in quoted if one.japanese == read.japanese), default=0)
    if best and read.negations <= denied and any(is_restated(claim, read, some) for some in _alone_and_together(alike)):
        return ()
    if any(is_rearranged(claim, read, one) for one in alike):
        return ()
    if not best or not is_said_as_often(claim, quoted):
        return best
    clauses = list(_clauses(claim))
    proving = [
        next((place for place, one in enumerate(quoted) if not doubts_of(clause, read, one)), None)
        for clause in clauses
    ]
    return () if len(clauses) > 1 and None not in proving and len(set(proving)) == len(clauses) else best


def _alone_and_together(sentences: list[Statement]) -> list[list[Statement]]:
    return [*([one] for one in sentences), *([sentences] if len(sentences) > 1 else [])]


def _only_denies(claim: Sequence[Token], read: Statement, sentence: Statement) -> bool:
    """Whether a claim says a sentence word for word, but for a not."""
    keys = [token.key for token in claim]
    return read.negations != sentence.negations and keys == [token.key for token in sentence.tokens]


def _clauses(claim: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of a claim clause by clause; a clause of one word belongs to the next one."""
    waiting: list[Token] = []
    for place, token in enumerate(claim):
        waiting.append(token)
        ends = place + 1 == len(claim) or claim[place + 1].clause != token.clause
        if ends and (len(waiting) > 1 or place + 1 == len(claim)):
            yield waiting
            waiting = []
