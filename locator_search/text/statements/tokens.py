"""The telling words of one sentence, in order, with what grammar says of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import regex

from locator_search.text.meanings.numerals import value_of
from locator_search.text.statements import grammar
from locator_search.text.statements.atom import (
    EMPTY,
    JAPANESE_LINKS,
    JAPANESE_NEGATORS,
    LINKS,
    NEGATORS,
    Atom,
    grade_of,
    is_adjective,
    is_proposed_thing,
    is_thing,
)
from locator_search.text.statements.atoms import CAPITALS, atoms_of
from locator_search.text.statements.parts.part import Part
from locator_search.text.statements.parts.reading import JOINING, SCOPES, parts_of
from locator_search.text.statements.phrases.spelling import stem_of, uniform
from locator_search.text.statements.plain import BOUNDS, with_plain_phrases
from locator_search.text.statements.roles import Place
from locator_search.text.statements.units import MONTHS, NUMBER_WORDS, unit_of
from locator_search.text.stopwords import ENGLISH_STOP_WORDS, GRAMMATICAL_WORDS

Kind = Literal["word", "identifier", "number", "link", "modal"]
"""`identifier`: a name with a digit or in capitals (T3510, UE); `link`: a word that orders or bounds (after, only);
`modal`: how binding it is, its key `must`, `should` or `may`."""

_NUMBER = regex.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_IRREGULAR = """
send sent;tell told;keep kept;hold held;make made;build built;find found;lose lost;pay paid;show shown;
know knew known;draw drew drawn;give gave given;take took taken;choose chose chosen;write wrote written;
begin began begun;leave left;run ran;seek sought;bring brought;become became;get got gotten;lead led;
mean meant;spend spent;understand understood;withdraw withdrew withdrawn;meet met;break broke broken;
drive drove driven;fall fell fallen;see saw seen;sell sold;buy bought;stand stood;teach taught;
think thought;win won;wear wore worn;rise rose risen;grow grew grown
"""
_BASES = {form: base for base, *forms in map(str.split, _IRREGULAR.split(";")) for form in forms}
_DONE = frozenset({"been", "was", "were", "has", "have", "already", "居る", "いる", "済み", "既に"})
_AHEAD = regex.compile(r"will|propos|suggest|recommend|plan(?!e)|intend|提案|予定|推奨")
_ASKING = regex.compile(r"どうか|か否か|(?<=[るたす])か(?:を|が|は|について)|(?<=[のるたすいう])か\W*$|[?？]\W*$")
_NAMING = regex.compile(r"[A-Z][a-z]+ed")
"""Part of a name, and not how binding something is: Allowed NSSAI, HANDOVER Required."""
_PLURAL = regex.compile(r"(?<=[A-Z])s$|(?<=[A-Z]Cell)s$")
"""The ending of several things with one name: UEs, gNBs."""
_ASIDE = frozenset({"in", "with", "on", "at", "for", "within", "under", "over", "during", "between"})
_DESCRIBING = frozenset("低高大小新旧前後上下主副単両片逆正短長")
"""Prefixes that tell one thing from another: 低軌道, 旧基準."""
_JAPANESE = regex.compile(r"[\p{Hiragana}\p{Katakana}]")


@dataclass(frozen=True, slots=True)
class Token:
    """One telling word. `key` is what is compared; `phrase` counts words that hang together; `clause` counts clauses.

    `passive`: an English verb that is done to its subject. `hidden`: it may stand for a not (missing, 未登録). `role`:
    agent, object, to, from, or "" where grammar tells none. `section` to `goes_on` are of Part. `exact`: a
    comparison found it in the sentence itself.
    """

    kind: Kind
    text: str
    key: str
    japanese: bool
    phrase: int = 0
    clause: int = 0
    unit: str = ""
    negated: bool = False
    hidden: bool = False
    passive: bool = False
    role: str = ""
    section: int = 0
    relation: str = "main"
    label: str = ""
    joint: int = 0
    group: int = 0
    bounds: frozenset[str] = frozenset()
    aside: bool = False
    lead: bool = False
    goes_on: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, read. `negations` counts what says not; `done`: it tells what has happened; `ahead`: what is
    proposed, planned or will be; `asking`: whether something is so."""

    tokens: tuple[Token, ...]
    negations: int
    japanese: bool
    done: bool = False
    ahead: bool = False
    asking: bool = False
    text: str = ""

    @property
    def telling(self) -> tuple[Token, ...]:
        """Words, identifiers and numbers."""
        return tuple(token for token in self.tokens if token.kind in ("word", "identifier", "number"))


def read_statement(text: str) -> Statement:
    """One sentence of any language."""
    plain = uniform(text)
    japanese = bool(_JAPANESE.search(plain))
    atoms = list(atoms_of(with_plain_phrases(plain, japanese=japanese), japanese=japanese))
    reading = grammar.read(atoms)
    parts = parts_of(atoms, [place.phrase for place in reading.places], japanese=japanese)
    tokens = [
        replace(
            token, **_told(place) | {"role": _role(atom, place, part)}, **_told(part) | {"bounds": _bounds(place, part)}
        )
        for at, (atom, place, part) in enumerate(zip(atoms, reading.places, parts, strict=True))
        if not is_adjective(atoms, at) and (token := _token(atom, thing=is_thing(atoms, at))) is not None
    ]
    written = {atom.normal for atom in atoms} | {atom.text for atom in atoms}
    telling = (atom for at, atom in enumerate(atoms) if not is_proposed_thing(atoms, at))
    done, ahead = (
        not written.isdisjoint(_DONE) or _has_happened(atoms),
        any(_AHEAD.match(atom.normal) or _AHEAD.match(atom.text) for atom in telling),
    )
    asking = "whether" in written or bool(_ASKING.search(plain))
    if japanese:
        tokens = _with_shared_grades(tokens)
    return Statement(tuple(_as_names(_with_units(tokens))), reading.negations, japanese, done, ahead, asking, plain)


def _has_happened(atoms: Sequence[Atom]) -> bool:
    """Whether a Japanese verb is in the past, and not only describes a noun behind it (合意された範囲)."""
    return any(
        two.kind == "助動詞"
        and (two.text == "た" or (two.text == "だ" and one.kind == "動詞"))
        and (after is None or after.kind not in ("名詞", "接頭辞", "latin"))
        for one, two, after in zip(atoms, atoms[1:], [*atoms[2:], None], strict=False)
    )


def _role(atom: Atom, place: Place, part: Part) -> str:
    """The role of a word; what a preposition adds to a subject does nothing (the factor broadcast in SIB1)."""
    return "" if atom.is_latin and place.role == "agent" and part.label in _ASIDE else place.role


def _bounds(place: Place, part: Part) -> frozenset[str]:
    """The bounds of a word; an any where it is denied says no more than the not."""
    return frozenset(part.bounds - {"any"} if place.negated else part.bounds)


def _told(place: Place | Part) -> dict[str, Any]:
    return {name: getattr(place, name) for name in place.__slots__}


def _token(atom: Atom, *, thing: bool = False) -> Token | None:
    written, key = atom.text, atom.normal
    if key in JOINING or key in SCOPES or key in BOUNDS:
        return None
    if atom.kind == "mark":
        return Token("number", written, "%", japanese=False, unit="%") if written == "%" else None
    if atom.kind == "unit":
        return Token("word", written, written, japanese=False)
    if not thing and (grade := grade_of(atom)) and not _NAMING.fullmatch(written):
        return Token("modal", written, grade, japanese=False)
    if atom.kind != "latin":
        return _japanese(atom)
    if _NUMBER.fullmatch(key):
        return Token("number", written, key.replace(",", ""), japanese=False)
    if key in MONTHS and written[:1].isupper() and key != "may":
        return Token("number", written, MONTHS[key], japanese=False, unit="month")
    if key in NUMBER_WORDS:
        return Token("number", written, NUMBER_WORDS[key], japanese=False)
    if key in LINKS:
        return Token("link", written, key, japanese=False)
    if key in ENGLISH_STOP_WORDS or key in NEGATORS or key in EMPTY:
        return None
    if (
        any(map(str.isdigit, key))
        or "_" in key
        or CAPITALS.search(written)
        or (len(written) == 1 and written.isupper())
    ):
        return Token("identifier", written, key[:-1] if _PLURAL.search(written) else key, False)
    return Token("word", written, stem_of(_BASES.get(key, key)), japanese=False)


def _japanese(atom: Atom) -> Token | None:
    number = value_of(atom.normal) if atom.kind == "名詞" and atom.normal.isdecimal() else None
    if number is not None:
        return Token("number", atom.text, str(number), japanese=True)
    if atom.kind == "接頭辞" and atom.text in _DESCRIBING:
        return Token("word", atom.text, atom.normal, japanese=True)
    if atom.kind not in ("名詞", "動詞", "形容詞", "形状詞", "副詞", "連体詞", "代名詞") and not unit_of(atom.text):
        return None
    if atom.normal in GRAMMATICAL_WORDS and atom.normal not in JAPANESE_LINKS:
        return None
    if atom.normal in JAPANESE_NEGATORS or atom.text in EMPTY:
        return None
    return Token("word", atom.text, atom.normal, japanese=True)


def _with_shared_grades(tokens: Sequence[Token]) -> list[Token]:
    """Japanese tokens with how binding the last verb is also behind those that leave it to that: the first shall of
    確認し、通知しなければならない. A clause with a subject of its own binds for itself."""
    found = list(tokens)
    for section in sorted({token.section for token in tokens if token.goes_on}, reverse=True):
        ours = [token for token in found if token.section == section]
        theirs = [token for token in found if token.section == section + 1]
        graded = pairwise(theirs)
        grade = next((one for verb, one in graded if one.kind == "modal" and not verb.label and one.key != "may"), None)
        alone = any(token.kind == "modal" for token in ours) or any(token.role == "agent" for token in theirs)
        if grade is None or grade.negated or alone or {one.relation for one in theirs} != {"main"}:
            continue
        last = ours[-1]
        place = next(at for at, token in enumerate(found) if token is last)
        shared = {name: getattr(last, name) for name in ("phrase", "clause", "section", "relation", "goes_on")}
        found.insert(place + 1, replace(grade, **shared))
    return found


def _with_units(tokens: Sequence[Token]) -> Iterator[Token]:
    """Numbers with the unit that follows them in one word or two (ミリ秒), which is no word of its own."""
    place = 0
    while place < len(tokens):
        token, after = tokens[place], tokens[place + 1 : place + 3]
        place += 1
        if token.key == "%":
            continue
        if token.kind == "number":
            for length in (2, 1):
                unit = unit_of("".join(one.text for one in after[:length])) if len(after) >= length else ""
                if unit:
                    token = replace(token, unit=unit)
                    place += length
                    break
        yield token


def _as_names(tokens: Iterator[Token]) -> Iterator[Token]:
    """Numbers with a dot and without a unit name something: a clause, a specification, a version."""
    for token in tokens:
        yield (
            replace(token, kind="identifier")
            if token.kind == "number" and "." in token.key and not token.unit
            else token
        )
