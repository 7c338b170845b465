"""The grammar of the words of a sentence: its clauses and phrases, and what is denied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from locator_search.text.statements.atom import FINITE, JAPANESE_NEGATORS, MARKS, NEGATORS, Atom, is_grammar
from locator_search.text.statements.ends import ends_clause
from locator_search.text.statements.roles import Place, give_roles
from locator_search.text.statements.verbs import is_passive
from locator_search.text.stopwords import GRAMMATICAL_WORDS

_HIDDEN = regex.compile(
    r"un(?!der|i[fqtv]|til)\w{4,}|non\w+|mis(?!s)\w{4,}|asynchron\w+"
    r"|dis(?:abl|allow|card|connect|continu)\w*|im(?:poss|prop)\w*"
    r"|in(?:accura|activ|capab|compatib|complet|consisten|correct|definit|secur|sufficien|valid)\w*"
    r"|forbids?|prohibits?|(?:absen|avoid|den[iy]|exclu|fail|lack|miss|omit|prevent|refus|reject)\w*|except|only"
)
_HIDDEN_JAPANESE = regex.compile(r"不.*|未(?!満).*|無.*|非.*|失敗|欠.*|拒否|拒絶|防.*|避.*|除.*|省.*|以外")
"""Words that say without a not that something is not so."""
_PREFIXES = frozenset("不未非無")
"""They deny the word behind them: 不一致, 未登録."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One place per atom, and the number of words that deny."""

    places: list[Place]
    negations: int


def read(atoms: Sequence[Atom]) -> Reading:
    """The grammar of one sentence."""
    places = [Place() for _ in atoms]
    _part(atoms, places)
    negations = 0
    for index, atom in enumerate(atoms):
        if _denies(atoms, index):
            negations += 1
            for place in _denied(atoms, places, index):
                place.negated = not place.negated
        else:
            hidden = _HIDDEN if atom.is_latin else _HIDDEN_JAPANESE
            places[index].hidden = hidden.fullmatch(atom.normal) is not None
        places[index].passive = is_passive(atoms, index)
    give_roles(atoms, places)
    return Reading(places, negations)


def _part(atoms: Sequence[Atom], places: list[Place]) -> None:
    """Number the clauses, and the phrases: content words that no word of grammar parts."""
    phrase = clause = 0
    for index, atom in enumerate(atoms):
        if ends_clause(atoms, index):
            clause += 1
        if is_grammar(atom):
            phrase += 1
        places[index].phrase, places[index].clause = phrase, clause


def _denies(atoms: Sequence[Atom], index: int) -> bool:
    atom, after = atoms[index], atoms[index + 1].normal if index + 1 < len(atoms) else ""
    if atom.kind == "接頭辞":
        return atom.text in _PREFIXES and after != ""
    if atom.normal == "nor" and any(one.normal == "neither" for one in atoms[:index]):
        return False
    if atom.is_latin:
        return atom.normal in NEGATORS and after != "only"
    return atom.normal in JAPANESE_NEGATORS and not _is_guess(atoms, index) and not _bounds_only(atoms, index)


def _is_guess(atoms: Sequence[Atom], index: int) -> bool:
    """The ない of かもしれない denies nothing."""
    return index > 0 and atoms[index - 1].normal == "知れる"


def _bounds_only(atoms: Sequence[Atom], index: int) -> bool:
    """The ない of しかできない says that only this can be."""
    before = [atom.text for atom in atoms[max(0, index - 8) : index]]
    return "しか" in before and not MARKS.intersection(before[before.index("しか") :])


def _denied(atoms: Sequence[Atom], places: list[Place], index: int) -> Iterator[Place]:
    """English denies what follows in its clause, Japanese the word before it, or the one behind its prefix: of
    監視を行わない and 未監視, the 監視."""
    if atoms[index].kind == "接頭辞":
        yield places[index + 1]
        return
    if not atoms[index].is_latin:
        content = (at for at in range(index - 1, -1, -1) if not is_grammar(atoms[at]) and atoms[at].kind != "接尾辞")
        before = next((at for at in content if atoms[at].normal not in GRAMMATICAL_WORDS), None)
        if before is not None:
            yield places[before]
        return
    if atoms[index].normal in ("prohibited", "forbidden"):
        yield from (places[at] for at in range(index) if places[at].clause == places[index].clause)
        return
    whole = atoms[index].normal in ("no", "neither", "none", "nobody", "nothing")  # no key is stored: it is not
    if whole and index and not is_grammar(atoms[index - 1]) and atoms[index - 1].is_latin:  # it matches no filter
        yield places[index - 1]
    seen = False
    phrase = atoms[index].normal == "without"
    for at in range(index + 1, len(atoms)):
        if places[at].clause != places[index].clause or (seen and not whole and atoms[at].normal in FINITE):
            return
        if phrase and seen and is_grammar(atoms[at]) and atoms[at].normal not in ("a", "an", "the", "of"):
            return
        seen = seen or not is_grammar(atoms[at])
        yield places[at]
