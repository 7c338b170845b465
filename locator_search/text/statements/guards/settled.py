"""Facts that a sentence leaves open, proposes or deletes. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from locator_search.text.statements.guards.opposed import meanings_of
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Statement
from locator_search.text.statements.within import clauses_of

_OPEN = frozenset({"ffs", "whether", "tbd", "未定", "オープン"})
_CALLED_OPEN = _OPEN | {"検討", "継続", "open", "pend", "オープン"}
_DECIDED = frozenset({"合意", "承認", "決定", "採択", "確定"})
_TEXTS = frozenset(["text", "sentenc", "paragraph", "statement", "bullet", "文", "記述", "記載", "文言"])
_PROPOSED = "propos suggest ask invit recommend 提案 求める 要請 依頼 尋ねる 質問"
_PROPOSING = frozenset(_PROPOSED.split())
_ASKING = frozenset(["request", "want", "urg", "要求", "要望"])
_LABEL = regex.compile(r"\W*(?:proposal|提案)\s*\d*\s*[:：]", regex.IGNORECASE)
_SHORT = 4
"""Words of a clause that says no more than that a text is deleted."""
_DELETED = frozenset(["delet", "remov", "削除"])


def is_settled(read: Statement, sentences: Sequence[Statement]) -> bool:
    """Whether a claim calls decided or done what its sentences leave open, propose or announce."""
    standing = [token for one in sentences for token in one.tokens]
    told_open = read.asking or any(token.key in _CALLED_OPEN for token in read.tokens)
    if (any(one.key in _OPEN for one in standing) or any(one.asking for one in sentences)) and not told_open:
        return True
    if _is_gone(read, sentences):
        return True
    if any(token.key in _DECIDED and not any(same(token, one) for one in standing) for token in read.tokens):
        return True
    if (
        not read.ahead
        and not _only_proposes(read)
        and not _asks(read)
        and all(_only_proposes(one) for one in sentences)
    ):
        return True
    return read.done and not read.ahead and any(one.ahead and not one.done for one in sentences)


def _only_proposes(sentence: Statement) -> bool:
    """Whether somebody proposes what a sentence says: its telling clause is that, and no label of how it binds."""
    clauses = clauses_of(sentence.tokens)
    telling = clauses[-1:] if sentence.japanese else clauses[:1]
    if _LABEL.match(sentence.text) and any(token.kind == "modal" for token in sentence.tokens):
        return False
    return any(token.key in _PROPOSING for clause in telling for token in clause.words)


def _asks(read: Statement) -> bool:
    """Whether a claim says that somebody wants something done."""
    return any(token.key in _ASKING for token in read.tokens)


def _is_gone(read: Statement, sentences: Sequence[Statement]) -> bool:
    """Whether sentences say that a text is deleted, and the claim says what it said."""
    gone = any(
        len(clause.words) <= _SHORT
        and any(token.key in _TEXTS for token in clause.tokens)
        and any(token.key in _DELETED for token in clause.tokens)
        for one in sentences
        for clause in clauses_of(one.tokens)
    )
    told = any(token.key in _DELETED or any(means in _DELETED for means in meanings_of(token)) for token in read.tokens)
    return gone and not told
