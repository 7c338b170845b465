"""Whether a Japanese and an English word can mean the same: by a list of words of standards, or by their sound."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

import regex

from locator_search.text.statements.phrases.spelling import stem_of

KATAKANA = regex.compile(r"[\p{Katakana}ー]{2,}")
_CONSONANTS = {
    **dict.fromkeys("カキクケコ", "k"), **dict.fromkeys("ガギグゲゴジヂ", "g"),
    **dict.fromkeys("サシスセソザズゼゾ", "s"),
    **dict.fromkeys("タチツテト", "t"), **dict.fromkeys("ダヅデド", "d"), **dict.fromkeys("ナニヌネノン", "n"),
    **dict.fromkeys("ハヒフヘホ", "h"), **dict.fromkeys("バビブベボヴ", "b"), **dict.fromkeys("パピプペポ", "p"),
    **dict.fromkeys("マミムメモ", "m"), **dict.fromkeys("ラリルレロ", "r"), **dict.fromkeys("アイウエオヤユヨワ", "*"),
}  # fmt: skip
_ENGLISH_SOUNDS = [
    (regex.compile(pattern), sound)
    for pattern, sound in (
        ("^k(?=n)|^w(?=r)|(?<=[iu])gh(?=t|$)|(?<=m)b(?=$)|g(?=n$)", ""), ("d(?=g)", ""),
        ("ph", "h"), ("sch", "sk"), ("(?<=[aeiou])si(?=on)|du(?=l)", "g"),
        ("[ct]i(?=[ao])|sh|th", "s"), ("t?ch|tu(?=re)", "t"), ("ck", "k"),
        ("c(?=[eiy])|z", "s"), ("j", "g"), ("[cq]", "k"), ("x", "ks"), ("v", "b"), ("f", "h"),
        ("(?<=[aeiou])r(?![aeiouy])", ""), ("l", "r"),
        ("^[aeiouyw]+", "*"), ("[^*bdghkmnprst]", ""),
    )
]  # fmt: skip
_SHORTEST_SOUND = 2
_SHORTEST_NAME = 4


def can_mean(japanese: str, english: str) -> bool:
    """Whether a Japanese word (normalised form) and an English stem can mean the same."""
    return english in meanings(japanese) or _sounds_like(japanese, english)


def is_comparable(word: str, *, japanese: bool) -> bool:
    """Whether anything is known of a word: only then is it telling that a text of the other language lacks it."""
    if not japanese:
        return word in _english()
    return bool(meanings(word)) or (KATAKANA.fullmatch(word) is not None and len(_japanese_sound(word)) > 1)


def meanings(japanese: str) -> frozenset[str]:
    """The English stems a Japanese word is known to mean."""
    return _dictionary().get(japanese, frozenset())


def rarer_meanings(japanese: str) -> frozenset[str]:
    """English stems by which a Japanese word is translated now and then: too few to prove a claim by them, enough not
    to call the word made up."""
    return _listed("rarer_words.txt").get(japanese, frozenset())


def _dictionary() -> dict[str, frozenset[str]]:
    return _listed("standards_words.txt")


@cache
def _listed(name: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in (files(__package__) / name).read_text("utf-8").splitlines():
        japanese, parted, english = line.partition(" = ")
        if parted and not line.startswith("#"):
            stems = frozenset(stem_of(word) for word in english.split())
            for word in japanese.split():
                found[word] = found.get(word, frozenset()) | stems
    return found


@cache
def _english() -> frozenset[str]:
    return frozenset[str]().union(*_dictionary().values())


@cache
def opposites() -> dict[str, frozenset[str]]:
    """English stems, each with those it is never the same as."""
    found: dict[str, frozenset[str]] = {}
    for line in (files(__package__) / "opposites.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            one, two = (frozenset(map(stem_of, side.split())) for side in line.split(" / "))
            for ours, theirs in ((one, two), (two, one)):
                for word in ours:
                    found[word] = found.get(word, frozenset()) | theirs
    return found


def _sounds_like(japanese: str, english: str) -> bool:
    if not KATAKANA.fullmatch(japanese):
        return False
    sound = _japanese_sound(japanese)
    stems = {sound, sound.removesuffix("ng")}
    others = {_english_sound(english), _english_sound(english.replace("di", "gi"))}  # クレジット
    if meanings(japanese):  # セル is a cell, and does not sound like a share; neither does ソリューション
        return len(sound) > _SHORTEST_SOUND and bool(others & stems)
    return len(sound) >= _SHORTEST_SOUND and any(
        other in stems or (len(other) >= 3 and sound.startswith(other)) for other in others
    )


def sounds_nearly(japanese: str, name: str) -> bool:
    """Whether a name of at least four consonants in katakana sounds like one in Latin letters but for one of them:
    names keep spellings that no rule of English reads (ロッテルダム, Rotterdam)."""
    if not KATAKANA.fullmatch(japanese):
        return False
    ours, theirs = _japanese_sound(japanese), _english_sound(name)
    return min(len(ours), len(theirs)) >= _SHORTEST_NAME and _differ_by_one(*sorted((ours, theirs), key=len))


def _differ_by_one(short: str, long: str) -> bool:
    if len(long) == len(short):
        return sum(one != other for one, other in zip(short, long, strict=True)) < 2
    return len(long) - len(short) == 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _japanese_sound(word: str) -> str:
    """The consonants, and `*` for a vowel at the beginning."""
    first, rest = _CONSONANTS.get(word[0], ""), "".join(_CONSONANTS.get(kana, "") for kana in word[1:])
    return _once(first + rest.replace("*", ""))


@lru_cache(maxsize=8192)
def _english_sound(word: str) -> str:
    for pattern, sound in _ENGLISH_SOUNDS:
        word = pattern.sub(sound, word)
    return _once(word)


def _once(sound: str) -> str:
    return regex.sub(r"(.)\1+", r"\1", regex.sub("m(?=[pb])", "n", sound))
