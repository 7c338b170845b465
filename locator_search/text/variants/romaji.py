"""Japanese in Latin letters, both ways: 会議 (カイギ) is kaigi, トヨタ is toyota; Hepburn and Kunrei."""

from __future__ import annotations

from functools import cache

_ROWS = {
    "": "アイウエオ", "k": "カキクケコ", "s": "サシスセソ", "t": "タチツテト", "n": "ナニヌネノ", "h": "ハヒフヘホ",
    "m": "マミムメモ", "r": "ラリルレロ", "g": "ガギグゲゴ", "z": "ザジズゼゾ", "d": "ダヂヅデド", "b": "バビブベボ",
    "p": "パピプペポ",
}  # fmt: skip
_KUNREI = {
    **{kana: row + vowel for row, column in _ROWS.items() for kana, vowel in zip(column, "aiueo", strict=True)},
    "ヤ": "ya", "ユ": "yu", "ヨ": "yo", "ワ": "wa", "ヲ": "o", "ン": "n", "ヂ": "zi", "ヅ": "zu",
}  # fmt: skip
_HEPBURN = _KUNREI | {"シ": "shi", "チ": "chi", "ツ": "tsu", "フ": "fu", "ジ": "ji", "ヂ": "ji"}
_GLIDES = {"ャ": "a", "ュ": "u", "ョ": "o"}
_HEPBURN_STEMS = {"シ": "sh", "チ": "ch", "ジ": "j", "ヂ": "j"}
_LONGEST = 40


def romaji_of(reading: str) -> tuple[str, ...]:
    """A reading in katakana in the usual Latin spellings, long vowels written out first; none for other characters.

    >>> romaji_of("カイギ"), romaji_of("サトウ"), romaji_of("シンジュク")
    (('kaigi',), ('satou', 'sato', 'satoh'), ('shinjuku', 'sinzyuku'))
    """
    if not reading or len(reading) > _LONGEST:
        return ()
    spelled: list[str] = []
    for hepburn in (True, False):
        written = _spelled(reading, hepburn=hepburn)
        if written is None:
            return ()
        short = written.replace("ou", "o").replace("oo", "o").replace("uu", "u")
        spelled += [written, short, written.replace("oo", "oh")]
        if written.endswith(("ou", "oo")):
            spelled.append(f"{short}h")
        if hepburn:
            spelled.append(_with_m(short))
    return tuple(dict.fromkeys(spelled))


def katakana_of(romaji: str) -> str | None:
    """A word in Latin letters as katakana, when all of it can be read as Japanese: toyota is トヨタ, print is none.

    Without long vowels: Tōkyō and Tokyo are トキョ, which only helps with names that have none.
    """
    kana, position = "", 0
    while position < len(romaji):
        rest = romaji[position:]
        if len(rest) > 1 and rest[0] == rest[1] and rest[0] not in "aiueon":
            kana, position = kana + "ッ", position + 1
            continue
        part = next((rest[:size] for size in (3, 2, 1) if rest[:size] in _readable()), None)
        if part is None:
            return None
        kana, position = kana + _readable()[part], position + len(part)
    return kana or None


def _spelled(reading: str, *, hepburn: bool) -> str | None:
    table = _HEPBURN if hepburn else _KUNREI
    written, doubled = "", False
    for kana in reading:
        if kana == "ッ":
            doubled = True
            continue
        if kana == "ー":
            continue
        if kana in _GLIDES and written:
            last = next((key for key in _HEPBURN_STEMS if hepburn and written.endswith(table[key])), None)
            stem = written[: -len(table[last])] + _HEPBURN_STEMS[last] if last else written[:-1] + "y"
            written = stem + _GLIDES[kana]
        elif kana in table:
            part = table[kana]
            written += (("t" if part.startswith("ch") else part[0]) if doubled else "") + part
            doubled = False
        else:
            return None
    return written


def _with_m(written: str) -> str:
    for letter in "bmp":
        written = written.replace(f"n{letter}", f"m{letter}")
    return written


@cache
def _readable() -> dict[str, str]:
    """Every Latin syllable of both systems -> katakana."""
    table = {latin: kana for system in (_KUNREI, _HEPBURN) for kana, latin in system.items() if kana not in "ヂヅヲ"}
    for glide, vowel in _GLIDES.items():
        for kana, latin in _KUNREI.items():
            if latin.endswith("i") and len(latin) == 2 and kana != "ヂ":
                table[f"{latin[0]}y{vowel}"] = kana + glide
        table |= {f"{stem}{vowel}": kana + glide for kana, stem in _HEPBURN_STEMS.items() if kana != "ヂ"}
    return table
