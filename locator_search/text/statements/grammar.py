"""The grammar of the words of a sentence: what is denied, how binding it is, who does something to whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import regex

from locator_search.text.stopwords import ENGLISH_STOP_WORDS, GRAMMATICAL_WORDS

NEGATORS = frozenset(
    {
        "not",
        "no",
        "never",
        "without",
        "neither",
        "nor",
        "none",
        "nobody",
        "nothing",
        "unless",
        "prohibited",
        "forbidden",
    }
)
_HIDDEN = regex.compile(
    r"un(?!der|i[fqtv]|til)\w{4,}|non\w+|dis(?:abl|allow|card|connect|continu)\w*|im(?:poss|prop)\w*"
    r"|in(?:accura|activ|capab|compatib|complet|consisten|correct|definit|secur|sufficien|valid)\w*"
    r"|(?:absen|avoid|den[iy]|exclu|fail|lack|miss|omit|prevent|refus|reject)\w*|except|only"
)
_HIDDEN_JAPANESE = regex.compile(r"不.*|未(?!満).*|無.*|非.*|失敗|欠.*|拒否|拒絶|防.*|避.*|除.*|省.*|以外")
"""Words that say without a not that something is not so."""
JAPANESE_NEGATORS = frozenset(["ない", "無い", "ず", "ぬ", "まい", "なし", "無し", "不要", "禁止", "不可"])
_LINKS = """
if when unless until before after while only all any each every both more most less least above below over under up down
on off between because from same other first last
"""
LINKS = frozenset(_LINKS.split())
JAPANESE_LINKS = frozenset({"場合", "時", "前", "後", "間", "のみ", "だけ", "上", "下", "内", "中", "他"})
_EMPTY = """
is are was were be been being has have had does do did also thus hence e.g i.e etc via per within upon
もの こと よう ため 場合 時 とき これ それ その この 各 当該 以下 等 より
"""
EMPTY = frozenset(_EMPTY.split())
_GRADES = """
must: shall must required mandatory need needs 必須 義務 須らく
should: should recommended ought 可し べし 推奨 望ましい
may: may might can could optional optionally possible able allowed permitted enable enables allow allows
may: 出来る 可能 任意 許可 許容 オプション 知れる 許す
"""
_GRADE_OF = {
    word: grade
    for grade, _, listed in (line.partition(": ") for line in _GRADES.strip().splitlines())
    for word in listed.split()
}
FINITE = frozenset(
    {
        "shall",
        "must",
        "should",
        "may",
        "might",
        "can",
        "could",
        "will",
        "would",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
    }
    | {"does", "do"}
)
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_PARTICIPLE = regex.compile(
    r"\w+ed|\w+en|sent|told|kept|held|set|made|built|found|lost|paid|shown|known|drawn|put|left"
)
_STARTS = """
but however if when unless because while which that who whose where so then until before after whereas although
since once
"""
_STARTS_CLAUSE = frozenset(_STARTS.split())
_ENDS_JAPANESE = frozenset({"場合", "時", "とき", "為", "ので", "けれど"})
MARKS = frozenset(",;:.()、。，．；：（）")
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
_ADVERBIAL = frozenset({"毎", "為", "場合", "前", "後", "時", "際", "間"})
_PREPOSITIONS = {"by": "agent", "to": "to", "from": "from"}

Role = Literal["", "agent", "object", "to", "from"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One written unit. `kind`: Sudachi's first part of speech of a Japanese word, else latin, unit or mark."""

    text: str
    normal: str
    kind: str

    @property
    def is_latin(self) -> bool:
        """Whether it is written in Latin letters or digits."""
        return self.kind in ("latin", "unit")


@dataclass(slots=True)
class Place:
    """The grammar of one atom; fields as of Token."""

    phrase: int = 0
    clause: int = 0
    negated: bool = False
    hidden: bool = False
    passive: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One place per atom, and the number of words that deny."""

    places: list[Place]
    negations: int


def grade_of(atom: Atom) -> str:
    """How binding a word is: must, should or may; "" for any other word."""
    return _GRADE_OF.get(atom.normal, "")


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
        places[index].passive = _is_passive(atoms, index)
    _give_roles(atoms, places)
    return Reading(places, negations)


def _part(atoms: Sequence[Atom], places: list[Place]) -> None:
    """Number the clauses, and the phrases: content words that no word of grammar parts."""
    phrase = clause = 0
    for index, atom in enumerate(atoms):
        if _ends_clause(atoms, index):
            clause += 1
        if _is_grammar(atom):
            phrase += 1
        places[index].phrase, places[index].clause = phrase, clause


def _ends_clause(atoms: Sequence[Atom], index: int) -> bool:
    atom = atoms[index]
    if atom.kind == "mark":
        return atom.text in MARKS
    if atom.is_latin:
        if atom.normal in ("and", "or"):
            following = atoms[index + 1 : index + 8]
            ahead = next((one for one in following if one.text in MARKS or one.normal in FINITE), None)
            return ahead is not None and ahead.normal in FINITE
        return atom.normal in _STARTS_CLAUSE
    before = atoms[index - 1] if index else None
    if atom.kind == "助詞" and atom.text in ("が", "から"):  # after a verb they part clauses, after a noun they do not
        return before is not None and before.kind in ("動詞", "助動詞", "形容詞")
    if atom.normal in ("前", "後"):
        return before is not None and before.kind in ("動詞", "助動詞")
    return atom.normal in _ENDS_JAPANESE or (atom.kind == "助詞" and atom.text in ("て", "ので"))


def _is_grammar(atom: Atom) -> bool:
    if atom.is_latin:
        return atom.normal in ENGLISH_STOP_WORDS or atom.normal in FINITE or atom.normal in NEGATORS
    return (
        (atom.kind == "助詞" and atom.text != "の")
        or atom.kind in ("助動詞", "mark", "補助記号", "接続詞")
        or (atom.normal in ("為る", "有る"))
    )


def _denies(atoms: Sequence[Atom], index: int) -> bool:
    atom, after = atoms[index], atoms[index + 1].normal if index + 1 < len(atoms) else ""
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


def _is_passive(atoms: Sequence[Atom], index: int) -> bool:
    before = (atom.normal for atom in reversed(atoms[max(0, index - 3) : index]) if not atom.normal.endswith("ly"))
    helper = next((word for word in before if word not in NEGATORS), "")
    return helper in _BE and _PARTICIPLE.fullmatch(atoms[index].normal) is not None


def _denied(atoms: Sequence[Atom], places: list[Place], index: int) -> Iterator[Place]:
    """English denies what follows in its clause, Japanese the word before it: of 監視を行わない, the 監視."""
    if not atoms[index].is_latin:
        content = (at for at in range(index - 1, -1, -1) if not _is_grammar(atoms[at]) and atoms[at].kind != "接尾辞")
        before = next((at for at in content if atoms[at].normal not in GRAMMATICAL_WORDS), None)
        if before is not None:
            yield places[before]
        return
    if atoms[index].normal in ("prohibited", "forbidden"):
        yield from (places[at] for at in range(index) if places[at].clause == places[index].clause)
        return
    seen = False
    for at in range(index + 1, len(atoms)):
        if places[at].clause != places[index].clause or (seen and atoms[at].normal in FINITE):
            return
        seen = seen or not _is_grammar(atoms[at])
        yield places[at]


def _give_roles(atoms: Sequence[Atom], places: list[Place]) -> None:
    for number in {place.clause for place in places}:
        inside = [index for index, place in enumerate(places) if place.clause == number]
        if any(not atoms[index].is_latin and atoms[index].kind != "mark" for index in inside):
            _japanese_roles(atoms, places, inside)
        else:
            _english_roles(atoms, places, inside)


def _japanese_roles(atoms: Sequence[Atom], places: list[Place], inside: Sequence[int]) -> None:
    passive = any(atoms[index].normal in ("れる", "られる") for index in inside)
    by_agent = False
    for index in inside:
        role = _PARTICLES.get(atoms[index].text, "") if atoms[index].kind == "助詞" else ""
        if not role or _ends_clause(atoms, index):
            continue
        after = atoms[index + 1].normal if index + 1 < len(atoms) else ""
        if atoms[index].text == "に" and after in ("因る", "よる"):
            tells_agent = passive or atoms[index + 1].text == "よる"  # else the means
            role, by_agent = ("agent", True) if tells_agent else ("", by_agent)
        elif atoms[index].text == "に" and after in ("対する", "於く", "関する"):
            role = "to" if after == "対する" else ""
        elif (atoms[index].text == "に" and index and atoms[index - 1].normal in _ADVERBIAL) or (
            passive and atoms[index].text in ("に", "から")
        ):
            role = ""
        elif passive and role == "agent":
            role = "passive"
        before = index - 1
        while before >= 0 and atoms[before].kind == "助詞":
            before -= 1
        phrase = places[before].phrase if before >= 0 else -1
        for at in inside:
            if at < index and places[at].phrase == phrase:
                places[at].role = role
    for index in inside:
        if places[index].role == "passive":
            places[index].role = "object" if by_agent else "agent"


def _english_roles(atoms: Sequence[Atom], places: list[Place], inside: Sequence[int]) -> None:
    content = [index for index in inside if not _is_grammar(atoms[index]) and atoms[index].kind != "mark"]
    if not content:
        return
    finite = next((index for index in inside if atoms[index].normal in FINITE), None)
    has_by = any(atoms[index].normal == "by" for index in inside) and any(places[index].passive for index in inside)
    subject = [index for index in content if finite is not None and index < finite] or content[:1]
    for index in subject:
        places[index].role = "object" if has_by else "agent"
    for index in content:
        if (finite is not None and index > finite) or (finite is None and index not in subject):
            places[index].role = "object"
    for index in inside:
        role = _PREPOSITIONS.get(atoms[index].normal, "")
        if role:
            following = next((at for at in content if at > index), None)
            if following is not None and following - index <= 2:
                phrase = places[following].phrase
                for at in content:
                    if places[at].phrase == phrase:
                        places[at].role = role
