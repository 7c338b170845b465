"""A sentence cut into atoms: words and punctuation of both languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from locator_search.text.statements.atom import Atom
from locator_search.text.statements.units import unit_of
from locator_search.text.words import words

_CJK = r"\p{Han}\p{Hiragana}\p{Katakana}ー々〆ヶ"
_RUN = regex.compile(
    rf"(?P<latin>(?<![\p{{Latin}}\d.])-?\d++(?:,\d{{3}})*+(?:\.\d+)?+(?![\p{{Latin}}\d.]\w|[-/#]\w|[\p{{Latin}}])"
    rf"|[^\W_{_CJK}]+(?:[-._/#&'][^\W_{_CJK}]+)*)|(?P<cjk>[{_CJK}]+)|(?P<mark>[^\s\w])"
)
_CJK_CHARACTER = regex.compile(rf"[{_CJK}]")
_NUMBER_AND_UNIT = regex.compile(r"(\d+(?:\.\d+)?)(\p{Latin}+)")
_SEVERAL_NUMBERS = regex.compile(r"\d+(?:\.\d+)?(?:[-/]\d+(?:\.\d+)?)+")
CAPITALS = regex.compile(r"\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}")
"""In names: IMS, gNB, bboxList."""
_LIKE_STOP_WORDS = frozenset({"AM", "AN", "AS", "IT", "ME", "SO", "US"})
"""Names in capitals that are words of grammar in small letters."""
_MADE_OF = regex.compile(
    r"(.+)-(based|specific|capable|initiated|triggered|assisted|related|only|aware|level|side|terminated|originated)"
)
"""A name and what something has of it: DFT-based."""
_IN_WORD = regex.compile(r"[-._/#&]")


def atoms_of(text: str, *, japanese: bool) -> Iterator[Atom]:
    """The atoms of a sentence, in order."""
    before = None
    for atom in _atoms_of(text, japanese=japanese):
        if atom.text == "より" and before is not None and before.is_latin:  # and not "more", as it is read alone
            atom = Atom(atom.text, atom.normal, "助詞")
        yield (before := atom)


def _atoms_of(text: str, *, japanese: bool) -> Iterator[Atom]:
    units = list(words(text)) if _CJK_CHARACTER.search(text) else []  # whole, because から depends on what precedes it
    for match in _RUN.finditer(text):
        if match["cjk"]:
            found: list[Atom] = []
            for unit in units:
                if unit.end > match.start() and unit.start < match.end():
                    inside = text[max(unit.start, match.start()) : min(unit.end, match.end())]  # of 7日, the 日
                    normal = unit.normal.lower() if inside == unit.surface else inside
                    found.append(Atom(inside, normal, unit.part_of_speech[0]))
            yield from _with_nouns_of_affixes(found)
        elif match["mark"]:
            yield Atom(match["mark"], match["mark"], "mark")
        else:
            yield from _latin(match["latin"], first=not japanese and not text[: match.start()].strip())


def _with_nouns_of_affixes(atoms: Sequence[Atom]) -> Iterator[Atom]:
    """Atoms with a prefix and the suffixes right behind it as one noun: 在, 圏, 網 is the serving network."""
    place = 0
    while place < len(atoms):
        end = place + 1
        while atoms[place].kind == "接頭辞" and end < len(atoms) and atoms[end].kind == "接尾辞":
            end += 1
        whole = "".join(atom.text for atom in atoms[place:end])
        yield Atom(whole, whole, "名詞") if end > place + 1 else atoms[place]
        place = end


def _latin(run: str, *, first: bool) -> Iterator[Atom]:
    is_letter = run == "A" and not first  # option A
    run = run.partition("'")[0]
    split = _NUMBER_AND_UNIT.fullmatch(run)
    if split and unit_of(split[2]):
        yield from (Atom(split[1], split[1], "latin"), Atom(split[2], split[2], "unit"))
        return
    if (made := _MADE_OF.fullmatch(run)) and CAPITALS.search(made[1]):
        yield from (Atom(made[1], made[1].casefold(), "latin"), Atom(made[2], made[2], "latin"))
        return
    is_name = CAPITALS.search(run) or any(map(str.isdigit, run)) or "_" in run
    parts = regex.split("[-/]", run) if _SEVERAL_NUMBERS.fullmatch(run) else [run] if is_name else _IN_WORD.split(run)
    yield from (
        Atom(part, part if part in _LIKE_STOP_WORDS or is_letter else part.casefold(), "latin")
        for part in parts
        if part
    )
