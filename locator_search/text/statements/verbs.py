"""Which words are verbs, as far as their form and the words beside them tell. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from locator_search.text.statements.atom import DETERMINERS, FINITE, NEGATORS, Atom, is_grammar

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
PARTICIPLE = regex.compile(
    r"\w+ed|\w+en|sent|told|kept|held|set|made|built|found|lost|paid|shown|known|drawn|put|left|reset|cut|read|run|shut|split|spread|hit|bought|brought|caught|sought"
    r"|taught|thought|begun|spent|met|led|fed|bound|sold|won|withdrawn|broadcast|overridden|done|gone|seen"
)
"""What was done to something, in -ed or -en or without a rule."""
_THIRD_PERSON = regex.compile(r"\w{2,}[^su\W]s|\w+sses|\w+cuses")
_PAST = regex.compile(r"[a-z]{2,}ed|fell|rose|gave|took|became|won|chose|drew|wrote")
_OBJECTS = DETERMINERS | {"no", "this", "these", "that"}
_ENDING_VERBS = """
expires fails succeeds starts stops ends begins continues applies exists happens occurs changes increases decreases
moves leaves returns waits remains elapses completes follows differs grows drops rises falls terminates proceeds
"""
_ENDING = frozenset(_ENDING_VERBS.split())
"""Verbs in the third person that nothing need follow; another word in -s at the end of a clause is a noun of many."""
VERBS = FINITE | _ENDING
"""Words that are verbs wherever they stand."""


def is_third_person(atoms: Sequence[Atom], index: int, *, strictly: bool = True) -> bool:
    """Whether a word can be a verb in the third person: it ends in -s, and a phrase ends before and after it."""
    atom, before = atoms[index], atoms[index - 1] if index else None
    after = atoms[index + 1] if index + 1 < len(atoms) else None
    if before is None or not _THIRD_PERSON.fullmatch(atom.normal) or atom.text != atom.normal:
        return False
    if not before.is_latin or before.text.isdigit():
        return False
    if is_grammar(before) and before.normal not in ("it", "this", "that", "which"):
        return False
    if atom.normal not in _ENDING and _ends_here(atoms, index):
        return False
    return (
        not strictly
        or after is None
        or not after.is_latin
        or is_grammar(after)
        or after.text != after.normal
        or after.text[:1].isdigit()
    )


def is_past_verb(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a word in -ed is the verb of its clause and no participle: it stands behind a noun and before what it was
    done to (the antenna removed eleven losses)."""
    before, after = (atoms[at] if 0 <= at < len(atoms) else None for at in (index - 1, index + 1))
    if before is None or after is None or not _PAST.fullmatch(atoms[index].text):
        return False
    return before.is_latin and not is_grammar(before) and (after.normal in _OBJECTS or after.text[:1].isdigit())


def _ends_here(atoms: Sequence[Atom], index: int) -> bool:
    """Whether nothing follows a word that it could do something to, nor another word in -s (amplifies and forwards)."""
    after = atoms[index + 1 : index + 3]
    if not after or after[0].kind == "mark":
        return True
    joined = after[0].normal in ("and", "or")
    return joined and not (len(after) > 1 and _THIRD_PERSON.fullmatch(after[1].normal))


def is_passive(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a word is done to its subject."""
    before = (atom.normal for atom in reversed(atoms[max(0, index - 3) : index]) if not atom.normal.endswith("ly"))
    helper = next((word for word in before if word not in NEGATORS), "")
    return helper in _BE and PARTICIPLE.fullmatch(atoms[index].normal) is not None
