"""The parts of a sentence: its clauses, the places of words within them, and what bounds the words."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.text.statements.atom import MARKS, Atom
from locator_search.text.statements.parts.english import PREPOSITIONS, STARTS, EnglishReader
from locator_search.text.statements.parts.japanese import ENDS, part_japanese
from locator_search.text.statements.parts.part import OR, Part
from locator_search.text.statements.plain import BOUNDS

CONDITIONS = frozenset({"if", "unless", "after", "until", "while"})
"""Kinds of clauses without which the rest of a sentence says more than it did."""
_SCOPES = {
    **dict.fromkeys(("only", "solely", "exclusively", "のみ", "だけ", "しか", "限る"), "only"),
    **dict.fromkeys(("all", "every", "each", "entire", "whole", "both"), "all"),
    "any": "any",
    **dict.fromkeys(("全て", "全部", "全", "各", "あらゆる", "全員"), "all"),
    **dict.fromkeys(("some", "partially", "partly", "一部", "幾つ", "部分的"), "some"),
    **dict.fromkeys(("except", "excluding", "以外", "除く"), "except"),
    **dict.fromkeys(("per", "毎", "当たり", "あたり", "単位"), "per"),
    **{"以上": "least", "以下": "most", "未満": "less"},
    **dict.fromkeys(("almost", "most", "mostly", "殆ど", "大半", "大部分", "略", "ほぼ"), "most of"),
}
SCOPES = frozenset(_SCOPES)
JOINING = frozenset(STARTS) | frozenset(ENDS) | {"限り"}
"""Words that say what a clause is to its sentence."""
_BEFORE_ITS_WORD = frozenset({"全", "各", "あらゆる"})
_EMPTY = frozenset({"こと", "もの", "the", "a", "an", "of", "its", "their", "する", "し", "if", "when"})
_OF = frozenset({"of", "the", "a", "an", "its", "their"})
_NO_WORDS = frozenset({"助詞", "助動詞", "mark", "補助記号"})


def parts_of(atoms: Sequence[Atom], phrases: Sequence[int], *, japanese: bool) -> list[Part]:
    """One part per atom; `phrases` are the numbers of the phrases they belong to."""
    if japanese:
        parts = [Part() for _ in atoms]
        part_japanese(atoms, parts)
    else:
        english = EnglishReader(atoms)
        parts = [english.read(index) for index in range(len(atoms))]
    _bound(atoms, parts, phrases)
    _group(atoms, parts, phrases)
    return parts


def _group(atoms: Sequence[Atom], parts: Sequence[Part], phrases: Sequence[int]) -> None:
    """Number the phrases, those that an of joins as one."""
    group, last, joined = 0, 0, False
    for atom, part, phrase in zip(atoms, parts, phrases, strict=True):
        if atom.normal in _OF:
            joined = joined or atom.normal == "of"
        elif phrase != last:
            group, last, joined = group + (not joined), phrase, False
        part.group = group


def _bound(atoms: Sequence[Atom], parts: Sequence[Part], phrases: Sequence[int]) -> None:
    for index, atom in enumerate(atoms):
        if bound := BOUNDS.get(atom.normal):
            behind = range(index + 1, len(atoms))
            number = next((at for at in behind if atoms[at].normal not in BOUNDS and not _is_empty(atoms[at])), None)
            if number is not None:
                parts[number].bounds.add(bound)
        elif atom.text in OR:
            for steps in (range(index - 1, -1, -1), range(index + 1, len(atoms))):
                for at in _phrase(atoms, phrases, steps):
                    parts[at].bounds.add("or")
        elif scope := _SCOPES.get(atom.normal):
            for at in _scope_of(atoms, phrases, index):
                parts[at].bounds.add(scope)
                if scope == "only" and parts[at].relation in CONDITIONS:
                    for one in parts:
                        if one.section == parts[at].section:
                            one.bounds.add("only")


def _scope_of(atoms: Sequence[Atom], phrases: Sequence[int], index: int) -> list[int]:
    """The words that a word of scope bounds: the phrase behind it in English, before it in Japanese."""
    after = atoms[index + 1].text if index + 1 < len(atoms) else ""
    if atoms[index].is_latin and (not after or after in MARKS):  # in this mode only
        return _phrase(atoms, phrases, range(index - 1, -1, -1))
    behind = after == "の" and _SCOPES[atoms[index].normal] not in ("per", "except")
    if atoms[index].is_latin or behind or atoms[index].normal in _BEFORE_ITS_WORD:
        return _phrase(atoms, phrases, range(index + 1, len(atoms)))
    return _phrase(atoms, phrases, range(index - 1, -1, -1))


def _phrase(atoms: Sequence[Atom], phrases: Sequence[int], steps: range) -> list[int]:
    """The first phrase on the way."""
    told = (at for at in steps if atoms[at].kind not in _NO_WORDS and not _is_empty(atoms[at]))
    head = next(told, None)
    return [] if head is None else [at for at in steps if phrases[at] == phrases[head]]


def _is_empty(atom: Atom) -> bool:
    return atom.text in _EMPTY or atom.normal in PREPOSITIONS or atom.normal == "within"
