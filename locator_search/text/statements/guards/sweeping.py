"""Words for in any case, and for inside or outside of something, which no comparison of words finds. Pure."""

from __future__ import annotations

from functools import cache

import regex

from locator_search.text.statements.parts.reading import CONDITIONS
from locator_search.text.statements.tokens import Statement


@cache
def _pattern(pattern: str) -> regex.Pattern[str]:
    """Compiled when statements are first compared, which few commands do."""
    return regex.compile(pattern, regex.IGNORECASE)


_ALWAYS = (
    r"(?:いかなる|どんな|どのような|あらゆる|全ての|すべての)場合(?:で)?も|常に|無条件|(?<=[るた])(?:たび|度)に"
    r"|\b(?:always|unconditionally|in (?:any|all|every) cases?|at all times|regardless|irrespective|whenever)\b"
)
_EXCEPTED = (
    r"を除(?:き|い[てた])|以外(?:の|は|に|で)"
    r"|\b(?:except(?!ion)|excluding|excepting|other than|apart from|unless|without)\b"
)
_LEFT = r"除|以外|限|\b(?:only|not|no|all other|other|others)\b|ない|ず|他"
_OUT = r"\b(?:out of|outside)\b"
_IN = r"\b(?:in|within|inside|into)\b"
_HOLDING = r"(?:カバレッジ|範囲|圏|エリア|サービス|期間|区域|領域)"
_INSIDE, _BEYOND = rf"{_HOLDING}内", rf"{_HOLDING}外"


def is_sweeping(read: Statement, sentence: Statement) -> bool:
    """Whether a claim says that something holds always, and the sentence names a condition and does not say so."""
    if not _pattern(_ALWAYS).search(read.text) or _pattern(_ALWAYS).search(sentence.text):
        return False
    return any(token.relation in CONDITIONS or "only" in token.bounds for token in sentence.tokens)


def leaves_exception_out(read: Statement, sentence: Statement) -> bool:
    """Whether a sentence of the other language excepts something, and a claim says nothing that might tell it."""
    return bool(
        _pattern(_EXCEPTED).search(sentence.text)
        and not _pattern(_EXCEPTED).search(read.text)
        and not _pattern(_LEFT).search(read.text)
        and any("except" in token.bounds for token in sentence.tokens)
    )


def is_inside_out(read: Statement, sentence: Statement) -> bool:
    """Whether one says inside of something what the other says outside of it, across languages."""
    japanese, english = (read, sentence) if read.japanese else (sentence, read)
    inside, beyond = (bool(_pattern(one).search(japanese.text)) for one in (_INSIDE, _BEYOND))
    out = bool(_pattern(_OUT).search(english.text))
    within = bool(_pattern(_IN).search(_pattern(_OUT).sub(" ", english.text)))
    return (inside and not beyond and out and not within) or (beyond and not inside and not out and within)
