"""Phrases of several words that bind, bound or order, as one word each, so that they can be compared."""

from __future__ import annotations

import regex

BOUNDS = {
    "atmost": "most",
    "withinmost": "most",
    "atleast": "least",
    "morethan": "more",
    "lessthan": "less",
    "atevery": "every",
}
"""The words that phrases of bounds become, and the bound each gives to the number behind it."""

_NUMBER = r"(?=\s*(?:\d|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred)\b))"
_MORE = "more|greater|higher|longer|larger|later|bigger"
_LESS = "less|fewer|lower|shorter|smaller|earlier"
_COUNTED = r"(\d[\d,.]*\s*(?:(?!最|以|未|超|ま|ご|毎|を|よ|後|前|の|は|が|に|で|と|へ)[^\s\d、。]){0,4})"
_ENGLISH = (
    (rf"\b(?:no|not|never) (?:{_MORE}) than\b|\b(?:at (?:the )?most|a maximum of|not exceeding)\b", " atmost "),
    (rf"\b(?:no|not|never) (?:{_LESS}) than\b|\b(?:at (?:the )?least|a minimum of)\b", " atleast "),
    (rf"\bup to\b{_NUMBER}", " atmost "),
    (rf"\bwithin\b{_NUMBER}", " withinmost "),
    (rf"\b(?:(?:{_MORE}) than|over|above|exceed(?:s|ing))\b{_NUMBER}", " morethan "),
    (rf"\b(?:(?:{_LESS}) than|below|under)\b{_NUMBER}", " lessthan "),
    (r"\b(?:every|each)\b(?=\s*\d)", " atevery "),
    (r"\b(\d[\d,.]*) or more\b", r" atleast \1"),
    (r"\b(\d[\d,.]*) or (?:less|fewer)\b", r" atmost \1"),
    (r"\b(?:in (?:the )?(?:case|event)(?: of| that)?|provided that|on condition that|as soon as|as long as)\b", " if "),
    (r"\b(?:due to|because of|owing to)\b", " because "),
    (r"\bprior to\b", " before "),
    (r"\b(?:took|takes?|taking|taken) place\b", " happens "),
)
_JAPANESE = (
    (rf"{_COUNTED}(?:以下|以内|まで)", r"atmost \1"),
    (rf"{_COUNTED}以上", r"atleast \1"),
    (rf"{_COUNTED}(?:を?超(?:え(?:る|て|た)?)?|より(?:多|大き|長|高)い?)", r"morethan \1"),
    (rf"{_COUNTED}(?:未満|より(?:少な|小さ|短|低)い?|を下回(?:る|って|った))", r"lessthan \1"),
    (rf"{_COUNTED}(?:ごと|毎)", r"atevery \1"),
    (r"(?:最大|最長|最高|最多|高々|多くとも)(?:で)?(?=\s*(?:at\w+ )?\d)", "atmost "),
    (r"(?:少なくとも|最低|最短|最小|最少)(?:でも|で)?(?=\s*(?:at\w+ )?\d)", "atleast "),
    (
        r"な(?:けれ|く(?:て)?)は?ば?(?:なら(?:ない|ず|ぬ)|いけない|なりません|いけません)|ねばならない|ないといけない"
        r"|必要が(?:ある|あり)|必要(?:で(?:ある|す)|と(?:なる|する|され))|(?:もの|こと)とする|ものとします",
        "必須",
    ),
    (r"[てで]は(?:ならない|なりません|いけない|いけません)", "ない必須"),
    (r"(?<=[てで])も(?:よい|良い|かまわない|構わない|差し支えない)", "任意"),
)
"""Among them the ends of a sentence that bind or allow: not every ない in them denies."""
_IN_ENGLISH, _IN_JAPANESE = (
    [(regex.compile(phrase, regex.IGNORECASE), word) for phrase, word in phrases] for phrases in (_ENGLISH, _JAPANESE)
)


def with_plain_phrases(text: str, *, japanese: bool) -> str:
    """A text with one word for each phrase that binds, bounds or orders."""
    for phrase, word in _IN_JAPANESE if japanese else _IN_ENGLISH:
        text = phrase.sub(word, text)
    return text
