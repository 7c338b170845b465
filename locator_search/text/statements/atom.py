"""One written unit of a sentence, and what its form alone tells: grammar or content, verb, passive, end of a clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

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
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_PARTICIPLE = regex.compile(
    r"\w+ed|\w+en|sent|told|kept|held|set|made|built|found|lost|paid|shown|known|drawn|put|left|reset|cut|read|run|shut|split|spread|hit|bought|brought|caught|sought"
    r"|taught|thought|begun|spent|met|led|fed|bound|sold|won|withdrawn|broadcast|overridden|done|gone|seen"
)
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
_STARTS = """
but however if when unless because while which that who whose where so then until before after whereas although
since once whether
"""
_STARTS_CLAUSE = frozenset(_STARTS.split())
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
_AFTER_VERBS = frozenset({"と", "ば", "が", "か", "し", "から"})
_VERBAL = frozenset({"動詞", "助動詞", "形容詞"})
_ENDS_JAPANESE = frozenset({"限り", "場合", "時", "とき", "為", "ので", "けれど"})
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
    if atom.text == "て" and index + 1 < len(atoms) and _goes_on(atoms[index + 1]):
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
        or (_PARTICIPLE.fullmatch(atoms[at].normal) and at > begin and not is_grammar(atoms[at - 1]))
        for at in range(begin, index)
    )


def is_within_verb(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a then stands within a verb (may then insert), and begins nothing."""
    return atoms[index].normal == "then" and index > 0 and atoms[index - 1].normal in FINITE


def _has_verb_before(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a Japanese comma stands behind a verb, and not behind a subject or within a list."""
    before = [atom for atom in atoms[max(0, index - 2) : index] if atom.text not in _AFTER_VERBS]
    return bool(before) and before[-1].kind in _VERBAL


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
    after = next((atom for atom in atoms[index + 1 :] if not _goes_on(atom)), None)
    return after is not None and (after.is_latin or (after.kind in ("名詞", "接頭辞") and after.normal not in _FORMAL))


def _goes_on(atom: Atom) -> bool:
    """Whether an atom belongs to the verb before it: 登録されていない."""
    return atom.kind == "助動詞" or atom.text == "て" or atom.normal in ("居る", "いる")


def is_passive(atoms: Sequence[Atom], index: int) -> bool:
    """Whether a word is done to its subject."""
    before = (atom.normal for atom in reversed(atoms[max(0, index - 3) : index]) if not atom.normal.endswith("ly"))
    helper = next((word for word in before if word not in NEGATORS), "")
    return helper in _BE and _PARTICIPLE.fullmatch(atoms[index].normal) is not None


def begins_name(atom: Atom) -> bool:
    """Whether a word behind "to" begins a name, so that it is no verb."""
    return atom.normal in DETERMINERS or atom.text != atom.normal or atom.text[:1].isdigit()
