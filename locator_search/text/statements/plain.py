"""Phrases of several words that bind, bound or order, as one word each, so that they can be compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import regex

from locator_search.text.statements.units import unit_of

BOUNDS = {
    "atmost": "most",
    "withinmost": "most",
    "atleast": "least",
    "morethan": "more",
    "lessthan": "less",
    "atevery": "every",
}
"""The words that phrases of bounds become, and the bound each gives to the number behind it."""

_PARTING = {"-": "to", "–": "to"}
_NUMBER = r"(?=\s*(?:\d|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred)\b))"
_MORE = "more|greater|higher|longer|larger|later|bigger"
_LESS = "less|fewer|lower|shorter|smaller|earlier"
_COUNTED = (
    r"((?:(?<![A-Za-z0-9.])-)?\d[\d,.]*\s*"
    r"(?:(?!最|以|未|超|ま|ご|毎|を|よ|後|前|の|は|が|に|で|と|へ)[^\s\d、。]){0,4})"
)
_ENGLISH = (
    (rf"\b(?:do|does) not (\w+) (?=(?:{_MORE}|{_LESS}) than\b)", r"\1s not "),
    (
        r"(?<![\w.-])(-?\d[\d,.]*)\s*(-|–|to|and|or)\s*(-?\d[\d,.]*)\s?([a-zµ%]{1,4}(?:/[a-z]+)?)(?![\w-])",
        lambda found: (
            f"{found[1]} {found[4]} {_PARTING.get(found[2], found[2])} {found[3]} {found[4]}"
            if unit_of(found[4])
            else found[0]
        ),
    ),
    (r"^(?:up)?on (?=[^,]*\b\w+(?:tion|ing|ry|al|ipt|ure|ment|ence)\b[^,]*,)", " if "),
    (r"\b(?:greater than or equal to|equal to or (?:above|greater than|more than)|at or above)\b", " atleast "),
    (r"\b(?:less than or equal to|equal to or (?:below|less than)|at or below|up to and including)\b", " atmost "),
    (rf"\b(?:no|not|never) (?:be )?(?:{_MORE}) than\b|\b(?:at (?:the )?most|a maximum of|not exceeding)\b", " atmost "),
    (rf"\b(?:no|not|never) (?:be )?(?:{_LESS}) than\b|\b(?:at (?:the )?least|a minimum of)\b", " atleast "),
    (rf"\bup to\b{_NUMBER}", " atmost "),
    (rf"\bwithin\b{_NUMBER}", " withinmost "),
    (rf"\b(?:(?:{_MORE}) than|over|above|exceed(?:s|ed|ing)?)\b{_NUMBER}", " morethan "),
    (rf"\b(?:(?:{_LESS}) than|below|under)\b{_NUMBER}", " lessthan "),
    (rf"\b(?:every|each)\b{_NUMBER}", " atevery "),
    (rf"\b(\d[\d,.]*(?: ?[\w%/]+)?) or (?:{_MORE})\b", r" atleast \1"),
    (rf"\b(\d[\d,.]*(?: ?[\w%/]+)?) or (?:{_LESS})\b", r" atmost \1"),
    (r"\b(?:in (?:the )?(?:case|event)(?: of| that)?|provided that|on condition that|as soon as|as long as)\b", " if "),
    (r"\b(?:due to|because of|owing to)\b", " because "),
    (r"\bprior to\b", " before "),
    (r"\bimmediately after\b", " if "),
    (r"\bin the range (?:of|from)\b", " from "),
    (r"\bthere (?:is|are)\b", " "),
    (r"\btwice (?=the|as)\b", " 2 fold "),
    (r"\b(the \w+) one\b", r"\1"),
    (r"\b(?:took|takes?|taking|taken) place\b", " happens "),
    (r"\bcarr(y|ies|ied|ying) out\b", lambda found: {"y": "perform", "ies": "performs"}.get(found[1], "performed")),
    (r"\bf[ae]lls? back to\b", " uses "),
    (r"\blook(?:s|ed|ing)? for\b", " search "),
    (r"\b(?:tells?|told) apart\b", " distinguish "),
    (r"\b(?:is |are )?(?:left )?for further study\b", " is FFS "),
    (r"\b(?:is|are|be) unable to\b", " cannot "),
    (r"\b(?:remains?|is|are) able to\b", " can "),
    (r"\bha(?:s|ve) to\b", " must "),
    (r"\bis to\b(?= [a-z])", " must "),
    (r"\b(?:instead of|rather than)\b", " insteadof "),
    (r"\bset(?:s|ting)? up\b", " establish "),
    (r"\bonly (\w+ed|sent|set|kept|made) (?=(?:for|by|in|on|to|during|with|when|if|after|at|from)\b)", r"\1 only "),
    (
        r"\b(?:is|are|was|were)( not)? (?:(start|end)|(stop)p|(continu|resum|terminat|complet|chang|increas|decreas))"
        r"ed\b(?! by\b)",
        lambda found: f"does not {_base(found)}" if found[1] else f"{_base(found)}s",
    ),
    (r"\b(?:is|are|was|were)( not)? applied\b(?! by\b)", lambda found: " does not apply" if found[1] else " applies"),
    (r"^whether (.+) is (?:still )?(?:FFS|for further study)", r"It is FFS whether \1"),
    (r"\b((?:indicat|check|determin|verif|ask|decid)\w*[^.;,]{0,30}?) if\b", r"\1 whether"),
    (r"^(?:in )?step (\d+)\s*[:,]\s*", r"In step \1 , "),
    (r"\bi\.e\.|\be\.g\.|\bnamely\b|\baccording to\b|\bso far\b", " , "),
    (r"\b(?:a|the) lack of\b|\bthe absence of\b", " no "),
    (r"\b(?:out of|outside)(?: of)? (?:the )?scope\b", " not within scope "),
    (r"\b(the|an?|of|for|in|as) forbidden\b", r"\1 barred"),
    (r"\black(?:s|ed)?\b(?! of)", " does not have "),
    (r"\b(?:switch|turn|power)(?:e?d|e?s|ing)? on\b", " activated "),
    (r"\b(?:switch|turn|power)(?:e?d|e?s|ing)? off\b", " deactivated "),
)
_JAPANESE = (
    (r"(?:で|と)?はなく(?:て)?、?", "の代わりに"),
    (r"(に対して|に|で|から|へ)(のみ|だけ)", r"\2\1"),
    (r"(場合|とき|時|後|前)に(?:限り|限って)", r"\1のみに"),
    (r"に(?:よれば|よると)、?", "では、"),
    (r"不合格", "失敗"),
    (r"非アクティブ化", "停止"),
    (r"繰り返(?=[さしせ])", "反復"),
    (r"割り当て(?=られ|[たて])", "割当し"),
    (r"にわた(?:って|り)|を介し(?:て)?", "で"),
    (r"10進", "デシマル"),
    (r"(対象|範囲|適用|規定)外と(?=する|し|なる|なっ|され)", r"\1とならず"),
    (r"(対象|範囲|適用|規定)外(?=である|です|だ|の)", r"\1でない"),
    (r"より(?:も)?(?:先|前)に", "の前に"),
    (r"受け入れ(?=[たてなず])", "受諾し"),
    (r"受け入れ(?=る)", "受諾す"),
    (r"認められ(?:る|ます|ている)", "許容される"),
    (r"に限らず", "以外も"),
    (rf"{_COUNTED}から{_COUNTED}まで(?!に|は)", r"\1から\2"),
    (rf"{_COUNTED}以上{_COUNTED}以下", r"\1から\2"),
    (rf"{_COUNTED}(?:以下|以内|まで)", r"atmost \1"),
    (rf"{_COUNTED}以上", r"atleast \1"),
    (rf"{_COUNTED}(?:を?超(?:え(?:る|て|た)?)?|より(?:多|大き|長|高)い?)", r"morethan \1"),
    (rf"{_COUNTED}(?:未満|より(?:少な|小さ|短|低)い?|を下回(?:る|って|った))", r"lessthan \1"),
    (rf"{_COUNTED}(?:ごと|毎)", r"atevery \1"),
    (r"(?:最大|最長|最高|最多|高々|多くとも)(?:で)?(?=\s*(?:at\w+ )?\d)", "atmost "),
    (r"(?:少なくとも|最低|最短|最小|最少)(?:でも|で)?(?=\s*(?:at\w+ )?\d)", "atleast "),
    (
        r"な(?:けれ|く(?:て)?)は?ば?(?:なら(?:ない|ず|ぬ)|いけない|なりません|いけません)|ねばならない|ないといけない"
        r"|必要が(?:ある|あり)|必要(?:だ|で(?:ある|す)|と(?:なる|する|され))|(?:もの|こと)とする|ものとします",
        "必須",
    ),
    (r"[てで]は(?:ならない|なりません|いけない|いけません)", "ない必須"),
    (r"(?<=[てで])も?(?:よい|良い|かまわない|構わない|差し支えない)", "任意"),
)
"""Among them the ends of a sentence that bind or allow: not every ない in them denies."""


def _base(found: regex.Match[str]) -> str:
    """The verb of a thing that is started, stopped or changed: it starts, stops, changes."""
    return found[2] or found[3] or f"{found[4]}e"


def with_plain_phrases(text: str, *, japanese: bool) -> str:
    """A text with one word for each phrase that binds, bounds or orders."""
    for phrase, word in _phrases(japanese=japanese):
        text = phrase.sub(word, text)
    return text


@cache
def _phrases(*, japanese: bool) -> list[tuple[regex.Pattern[str], str | Callable[[regex.Match[str]], str]]]:
    """Compiled when statements are first compared, which few commands do."""
    return [(regex.compile(phrase, regex.IGNORECASE), word) for phrase, word in (_JAPANESE if japanese else _ENGLISH)]
