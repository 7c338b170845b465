"""A number the way Word writes it: 4, iv, d, ④, 四, エ."""

from __future__ import annotations

from collections.abc import Callable, Mapping

_DIGITS = "〇一二三四五六七八九"
_PLACES = ("", "十", "百", "千")
_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_LARGEST = 32_767
_MOST_LETTERS = 30


def written(number: int, number_format: str) -> str:
    """`number` in a format of Word (`ST_NumberFormat`); decimal where the format is unknown or has no such number.

    "" for the formats that show no number (`bullet`, `none`).
    """
    if number_format in ("bullet", "none"):
        return ""
    if not 0 <= number <= _LARGEST:
        return str(number)
    write = _FORMATS.get(number_format)
    return (write(number) if write is not None else "") or str(number)


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def _letters(alphabet: str) -> Callable[[int], str]:
    """a ... z, then aa, bb, as Word counts."""

    def write(number: int) -> str:
        repeated, index = divmod(number - 1, len(alphabet))
        return alphabet[index] * (repeated + 1) if 0 <= repeated < _MOST_LETTERS else ""

    return write


def _from(*runs: tuple[int, int, int]) -> Callable[[int], str]:
    """Characters that stand one after another in Unicode: (first number, last number, code point of the first)."""

    def write(number: int) -> str:
        return next((chr(code + number - first) for first, last, code in runs if first <= number <= last), "")

    return write


def _counted(number: int) -> str:
    """二十三 as it is said; up to 9,999, which is more than any document counts to."""
    if number == 0 or number > 9_999:
        return _digits(number)
    text = ""
    for place, digit in enumerate(reversed(str(number))):
        if digit != "0":
            one = "" if digit == "1" and place in (1, 2, 3) else _DIGITS[int(digit)]
            text = one + _PLACES[place] + text
    return text


def _digits(number: int) -> str:
    return "".join(_DIGITS[int(digit)] for digit in str(number))


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"


def _full_width(number: int) -> str:
    return str(number).translate(_FULL_WIDTH)


_CIRCLED = _from((0, 0, 0x24EA), (1, 20, 0x2460), (21, 35, 0x3251), (36, 50, 0x32B1))

_FORMATS: Mapping[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02}",
    "decimalFullWidth": _full_width,
    "decimalFullWidth2": _full_width,
    "decimalEnclosedCircle": _CIRCLED,
    "decimalEnclosedCircleChinese": _CIRCLED,
    "decimalEnclosedParen": _from((1, 20, 0x2474)),
    "decimalEnclosedFullstop": _from((1, 20, 0x2488)),
    "ideographEnclosedCircle": _from((1, 10, 0x3280)),
    "numberInDash": lambda number: f"- {number} -",
    "ordinal": _ordinal,
    "upperRoman": _roman,
    "lowerRoman": lambda number: _roman(number).lower(),
    "upperLetter": _letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "lowerLetter": _letters("abcdefghijklmnopqrstuvwxyz"),
    "aiueo": _letters(_AIUEO),
    "aiueoFullWidth": _letters(_AIUEO),
    "iroha": _letters(_IROHA),
    "irohaFullWidth": _letters(_IROHA),
    "ideographTraditional": _letters(_STEMS),
    "ideographZodiac": _letters(_BRANCHES),
    "japaneseCounting": _counted,
    "japaneseDigitalTenThousand": _digits,
    "ideographDigital": _digits,
    "chineseCounting": _counted,
    "chineseCountingThousand": _counted,
    "taiwaneseCounting": _counted,
    "taiwaneseCountingThousand": _counted,
    "taiwaneseDigital": _digits,
    "koreanDigital2": _digits,
}
