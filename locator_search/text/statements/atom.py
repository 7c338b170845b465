"""One written unit of a sentence, and what its form alone tells: grammar or content, how binding, a time. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from locator_search.text.stopwords import ENGLISH_STOP_WORDS

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
JAPANESE_NEGATORS = frozenset(["ない", "無い", "ず", "ぬ", "まい", "なし", "無し", "不要", "禁止", "不可"])
_LINKS = """
if when unless until before after while only all any each every both more most less least above below over under up down
on off between because from same other first last
"""
LINKS = frozenset(_LINKS.split())
JAPANESE_LINKS = frozenset({"場合", "時", "前", "後", "間", "のみ", "だけ", "上", "下", "内", "中", "他"})
_EMPTY = """
is are was were be been being has have had does do did also thus hence e.g i.e etc via per within upon insteadof
もの こと よう ため 場合 時 とき これ それ その この 各 当該 以下 等 より 代わり
"""
EMPTY = frozenset(_EMPTY.split())
_GRADES = """
must: shall must required require requires mandatory mandated obliged obligated need needs needed 必須 義務 須らく
should: should recommended recommend recommends ought 可し べし 推奨 望ましい
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
DETERMINERS = frozenset({"the", "a", "an", "its", "their", "all", "each", "every", "another", "any", "some", "one"})
_FORMAL = frozenset(
    [
        "事",
        "こと",
        "物",
        "もの",
        "為",
        "場合",
        "時",
        "とき",
        "後",
        "前",
        "際",
        "間",
        "様",
        "よう",
        "限り",
        "必須",
        "任意",
        "可能",
        "必要",
    ]
)
"""Nouns that what is done as a whole stands before (登録された場合)."""
_MARKING_THINGS = frozenset({"は", "が", "を", "に", "も", "から", "なし", "、"})
_TIMES = frozenset(
    [
        "夜間",
        "日中",
        "平日",
        "休日",
        "祝日",
        "当日",
        "翌日",
        "前日",
        "年度",
        "次年度",
        "期間",
        "昨年",
        "今年",
        "来年",
        "本年",
        "月末",
        "年末",
        "当初",
    ]
)
_WAYS = frozenset({"方式", "手法", "法", "技術", "手順", "スキーム", "アルゴリズム"})
MARKS = frozenset(",;:.()、。，．；：（）")


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


def grade_of(atom: Atom) -> str:
    """How binding a word is: must, should or may; "" for any other word."""
    return _GRADE_OF.get(atom.normal, "")


def is_adjective(atoms: Sequence[Atom], index: int) -> bool:
    """Whether 可能 tells what something is like (利用可能なセル, 利用可能である) and allows nothing."""
    before, after = atoms[max(0, index - 2) : index], atoms[index + 1].text if index + 1 < len(atoms) else ""
    if atoms[index].normal == "オプション" and after[:1].isascii() and after[:1].isalnum():  # オプションA
        return True
    if atoms[index].normal != "可能" or not before:
        return False
    available = before[-1].normal in ("利用", "使用", "入手") and before[0].text != "を"
    return available or (after == "な" and before[-1].kind == "名詞")


def tells_time(atom: Atom) -> bool:
    """Whether a Japanese noun is a time, of which a は tells when something is (夜間は停止する)."""
    return atom.normal in _TIMES


def is_thing(atoms: Sequence[Atom], index: int) -> bool:
    """Whether an オプション is one of several things (どのオプションも), and leaves nobody free."""
    after = atoms[index + 1] if index + 1 < len(atoms) else None
    return atoms[index].normal == "オプション" and after is not None and after.text in _MARKING_THINGS


def is_proposed_thing(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a word only names what was proposed, and proposes nothing (the proposed scheme, 提案方式)."""
    before, after = (atoms[at] if 0 <= at < len(atoms) else None for at in (index - 1, index + 1))
    if after is None:
        return False
    if atoms[index].is_latin:
        named = before is not None and before.normal in DETERMINERS | {"our", "this", "these"}
        return atoms[index].normal == "proposed" and named and after.is_latin and not is_grammar(after)
    return atoms[index].normal == "提案" and after.normal in _WAYS


def is_grammar(atom: Atom) -> bool:
    """Whether a word joins or marks others and tells nothing itself."""
    if atom.is_latin:
        return atom.normal in ENGLISH_STOP_WORDS | FINITE | NEGATORS or atom.normal in ("insteadof", "per")
    return (
        (atom.kind == "助詞" and atom.text != "の")
        or atom.kind in ("助動詞", "mark", "補助記号", "接続詞")
        or (atom.normal in ("為る", "有る"))
    )


def is_attributive(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a Japanese verb or its ending describes the noun behind it (選択されたSMF) and ends no clause."""
    after = next((atom for atom in atoms[index + 1 :] if not goes_on(atom)), None)
    return after is not None and (after.is_latin or (after.kind in ("名詞", "接頭辞") and after.normal not in _FORMAL))


def goes_on(atom: Atom) -> bool:
    """Whether an atom belongs to the verb before it: 登録されていない."""
    return atom.kind == "助動詞" or atom.text == "て" or atom.normal in ("居る", "いる")


def begins_name(atom: Atom) -> bool:
    """Whether a word behind "to" begins a name, so that it is no verb."""
    return atom.normal in DETERMINERS or atom.text != atom.normal or atom.text[:1].isdigit()
