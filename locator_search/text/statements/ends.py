"""Where the clauses of a sentence end. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.text.statements.atom import FINITE, MARKS, Atom, goes_on, is_grammar
from locator_search.text.statements.verbs import PARTICIPLE, is_third_person

_STARTS = """
but however if when unless because while which that who whose where so then until before after whereas although
since once whether
"""
_STARTS_CLAUSE = frozenset(_STARTS.split())
_AFTER_VERBS = frozenset({"と", "ば", "が", "か", "し", "から"})
_VERBAL = frozenset({"動詞", "助動詞", "形容詞"})
_ENDS_JAPANESE = frozenset({"限り", "場合", "時", "とき", "為", "ので", "けれど"})


def ends_clause(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a clause ends with an atom, or one begins."""
    atom = atoms[index]
    if atom.text == "、" and index:
        return _has_verb_before(atoms, index)
    if atom.kind == "mark":
        return atom.text in MARKS
    if atom.is_latin:
        if atom.normal in ("and", "or"):
            following = atoms[index + 1 : index + 8]
            if following and following[0].normal in ("this", "it", "they"):
                return True
            ahead = next((one for one in following if one.text in MARKS or one.normal in FINITE), None)
            finite = ahead is not None and ahead.normal in FINITE
            return finite and not joins_words(atoms, _begin_of(atoms, index), index)
        return atom.normal in _STARTS_CLAUSE and not is_within_verb(atoms, index)
    before = atoms[index - 1] if index else None
    if atom.kind == "助詞" and atom.text in ("が", "から"):  # after a verb they part clauses, after a noun they do not
        return before is not None and before.kind in ("動詞", "助動詞", "形容詞")
    if atom.normal in ("前", "後"):
        return before is not None and before.kind in ("動詞", "助動詞")
    if atom.text == "て" and index + 1 < len(atoms) and goes_on(atoms[index + 1]):
        return False
    return atom.normal in _ENDS_JAPANESE or (atom.kind == "助詞" and atom.text in ("て", "ので"))


def _begin_of(atoms: Sequence[Atom], end: int) -> int:
    """Where the English clause begins that goes on before an atom."""
    marked = (at for at in range(end - 1, -1, -1) if atoms[at].text in MARKS or atoms[at].normal in _STARTS_CLAUSE)
    return next(marked, -1) + 1


def joins_words(atoms: Sequence[Atom], begin: int, index: int) -> bool:
    """Whether an "and" joins two subjects, for no verb stands before it in its clause, or a number to another one."""
    if index + 1 < len(atoms) and atoms[index + 1].text.isdigit():
        return True
    return not any(
        atoms[at].normal in FINITE
        or is_third_person(atoms, at, strictly=False)
        or (PARTICIPLE.fullmatch(atoms[at].normal) and at > begin and not is_grammar(atoms[at - 1]))
        for at in range(begin, index)
    )


def is_within_verb(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a then stands within a verb (may then insert), and begins nothing."""
    return atoms[index].normal == "then" and index > 0 and atoms[index - 1].normal in FINITE


def _has_verb_before(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a Japanese comma stands behind a verb, and not behind a subject or within a list."""
    before = [atom for atom in atoms[max(0, index - 2) : index] if atom.text not in _AFTER_VERBS]
    return bool(before) and before[-1].kind in _VERBAL
