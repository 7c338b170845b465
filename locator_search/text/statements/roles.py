"""Who does something to whom, as far as the grammar of a clause tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import regex

from locator_search.text.statements.atom import (
    DETERMINERS,
    FINITE,
    Atom,
    begins_name,
    is_attributive,
    is_grammar,
    tells_time,
)
from locator_search.text.statements.ends import ends_clause
from locator_search.text.statements.units import NUMBER_WORDS, unit_of
from locator_search.text.statements.verbs import is_third_person

_PARTICLES = {
    "は": "agent",
    "が": "agent",
    "を": "object",
    "に": "to",
    "へ": "to",
    "から": "from",
    "より": "from",
    "で": "object",
}
_IN_PASSIVE = {"は": "passive", "が": "passive", "に": "indirect", "から": ""}
_ADVERBIAL = frozenset({"毎", "為", "場合", "前", "後", "時", "際", "間", "代わり"})
_DEEDS = frozenset({"こと", "か"})
"""What is done as a whole, or asked, does nothing itself (通知することが, 通知するかが)."""
_PREPOSITIONS = {"by": "agent", "to": "to", "from": "from"}

Role = Literal["", "agent", "object", "to", "from"]


@dataclass(slots=True)
class Place:
    """The grammar of one atom; fields as of Token."""

    phrase: int = 0
    clause: int = 0
    negated: bool = False
    hidden: bool = False
    passive: bool = False
    role: str = ""


def give_roles(atoms: Sequence[Atom], places: list[Place]) -> None:
    """Fill in the roles."""
    by_agent = False
    for number in sorted({place.clause for place in places}):
        inside = [index for index, place in enumerate(places) if place.clause == number]
        if any(not atoms[index].is_latin and atoms[index].kind != "mark" for index in inside):
            by_agent = _japanese_roles(atoms, places, inside, by_agent=by_agent)
        else:
            _english_roles(atoms, places, inside)


def _japanese_roles(atoms: Sequence[Atom], places: list[Place], inside: Sequence[int], *, by_agent: bool) -> bool:
    """Fill in the roles of one clause; whether it tells by whom something is done, or one before it does."""
    passive = any(
        atoms[at].normal in ("れる", "られる") and not is_attributive(atoms, at) and not _is_told_of(atoms, at, inside)
        for at in inside
    )
    for index in inside:
        role = _PARTICLES.get(atoms[index].text, "") if atoms[index].kind == "助詞" else ""
        if not role or ends_clause(atoms, index) or (role == "agent" and index and _is_marked(atoms[index - 1])):
            continue
        if index and atoms[index].text == "が" and atoms[index - 1].text in _DEEDS:
            continue
        after = atoms[index + 1].normal if index + 1 < len(atoms) else ""
        if atoms[index].text == "に" and after in ("因る", "よる"):
            tells_agent = passive or atoms[index + 1].text == "よる"  # else the means
            role, by_agent = ("agent", True) if tells_agent else ("", by_agent)
        elif atoms[index].text == "に" and after in ("対する", "於く", "関する", "起因"):
            role = "to" if after == "対する" else ""
        elif index and _tells_when(atoms[index - 1], atoms[index].text):
            role = ""
        elif passive:
            role = _IN_PASSIVE.get(atoms[index].text, role)
        before = index - 1
        while before >= 0 and (atoms[before].kind == "助詞" or atoms[before].text == "%"):
            before -= 1
        phrase = places[before].phrase if before >= 0 else -1
        for at in inside:
            if at < index and places[at].phrase == phrase:
                places[at].role = role
    for index in inside:
        if places[index].role == "passive":
            places[index].role = "object" if by_agent else "agent"
        elif places[index].role == "indirect":  # by whom or to whom, unless that is told
            places[index].role = "to" if by_agent else ""
    return by_agent


def _is_told_of(atoms: Sequence[Atom], at: int, inside: Sequence[int]) -> bool:
    """Whether another verb of its clause tells of a passive (変更されたことを通知する)."""
    after = [atoms[one] for one in inside if one > at]
    rest = [atom for atom in after if atom.kind != "助動詞"]
    return bool(rest) and rest[0].text == "こと" and any(atom.kind in ("動詞", "名詞") for atom in rest[2:])


def _tells_when(atom: Atom, particle: str) -> bool:
    """Whether a word with a に or は tells when or how often, and names nobody: 前に, 7分ごとに, 夜間は."""
    if particle == "に":
        return atom.normal in _ADVERBIAL or bool(unit_of(atom.text)) or tells_time(atom)
    return particle == "は" and tells_time(atom)


def _is_marked(atom: Atom) -> bool:
    """Whether a particle tells already what the は behind it makes the topic: では, には."""
    return atom.kind == "助詞" and atom.text in ("で", "に", "へ", "から", "と", "まで")


def _english_roles(atoms: Sequence[Atom], places: list[Place], inside: Sequence[int]) -> None:
    content = [index for index in inside if not is_grammar(atoms[index]) and atoms[index].kind != "mark"]
    if not content:
        return
    finite = next((index for index in inside if atoms[index].normal in FINITE), None)
    if finite is None:
        finite = next((index - 1 for index in inside if index > content[0] and is_third_person(atoms, index)), None)
    has_by = any(atoms[index].normal == "by" and _names_whom(atoms, index) for index in inside)
    has_by = has_by and any(places[index].passive for index in inside)
    subject = [index for index in content if finite is not None and index <= finite]
    subject = subject or ([] if finite is not None or _goes_on(atoms, content[0]) else _of_many(atoms, places, content))
    for index in subject:
        places[index].role = "object" if has_by else "agent"
    if _is_done(atoms, subject):
        for index in subject[1:]:
            places[index].role = "object"
    for index in content:
        if (finite is not None and index > finite) or (finite is None and index not in subject):
            places[index].role = "object"
    for index in inside:
        role = _PREPOSITIONS.get(atoms[index].normal, "")
        if role and atoms[index].text.islower() and _names_whom(atoms, index):
            following = next((at for at in content if at > index), None)
            if following is not None and following - index <= 2:
                phrase = places[following].phrase
                for at in content:
                    if places[at].phrase == phrase:
                        places[at].role = role


def _is_done(atoms: Sequence[Atom], subject: Sequence[int]) -> bool:
    """Whether a subject begins with a verb in -ing and what it is done to (lowering the threshold)."""
    if len(subject) < 2:
        return False
    first, after = atoms[subject[0]], atoms[subject[0] + 1]
    doing = first.normal.endswith("ing") or first.normal in ("activated", "deactivated")  # switching off
    return doing and (after.normal in DETERMINERS or after.text[:1].isdigit())


def _of_many(atoms: Sequence[Atom], places: Sequence[Place], content: list[int]) -> list[int]:
    """The subject of a verb that nothing marks: the first words up to one in -s (the lower layers indicate)."""
    first = [at for at in content[:3] if places[at].phrase == places[content[0]].phrase]
    last = next((place for place, at in enumerate(first) if regex.search("[^s]s$", atoms[at].text)), 0)
    return first[: last + 1]


def _goes_on(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a verb has a subject that was named before: and stores it."""
    before = atoms[index - 1].normal if index else ""
    return before == "and" and atoms[index].normal.endswith("s")


def _names_whom(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a to is none of a verb (to send), and a by none of a measure or of means (by 3 dB, by sending)."""
    after = atoms[index + 1] if index + 1 < len(atoms) else None
    if after is None:
        return False
    if atoms[index].normal == "by":
        return not (after.text[:1].isdigit() or after.normal in NUMBER_WORDS or after.normal.endswith("ing"))
    return atoms[index].normal != "to" or begins_name(after) or (after.text.endswith("s") and after.text[-2:] != "ss")
