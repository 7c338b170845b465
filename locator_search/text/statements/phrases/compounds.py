"""Japanese verbs of two parts as one noun with する, so that 取りやめる and 中止する can be compared. Pure."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import regex

_IN_DERU = frozenset({"届け出", "申し出"})
_DICTIONARY = "うくぐすつぬぶむる"
_NEGATED = "わかがさたなばまら"
_JOINED = "いきぎしちにびみり"
_POSSIBLE = "えけげせてねべめれ"


def with_simple_verbs(text: str) -> str:
    """A Japanese text with a noun and する for each verb of two parts.

    >>> with_simple_verbs("作業を取りやめる。契約を取り消した。申し込まなければならない。")
    '作業を中止する。契約を取り消しした。申し込みしなければならない。'
    """
    return _pattern().sub(
        lambda found: _nouns()[found["stem"]] + _ending(found["ending"], text[found.end() :][:1]), text
    )


@cache
def _nouns() -> dict[str, str]:
    lines = (files("locator_search.text.statements") / "compound_verbs.txt").read_text("utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


@cache
def _pattern() -> regex.Pattern[str]:
    """A stem with what follows it in a verb of either kind; not where it is a noun already (取り消し, 取り消しの)."""
    stems = "|".join(sorted(_nouns(), key=len, reverse=True))
    one_row = r"る|(?=[たてずなま])|られ|よう|れば|さ(?=せ)"
    five_rows = (
        rf"[{_DICTIONARY}]|[{_NEGATED}](?=な|ず|れ)|[{_JOINED}](?=ま[すせし]|[、，])|[{_POSSIBLE}](?=る|な|ば|ま|た)"
        r"|っ(?=た|て)|い(?=た|て|だ|で)|ん(?=だ|で)|し(?=た|て)"
    )
    ichidan = "|".join(
        stem for stem in _nouns() if stem[-1] in "えけげせてねべめれいきぎじちにびみり" or stem in _IN_DERU
    )
    return regex.compile(rf"(?P<stem>{ichidan})(?P<ending>{one_row})|(?P<stem>{stems})(?P<ending>{five_rows})")


def _ending(ending: str, after: str) -> str:
    """The same form of する; `after` is the character behind it."""
    if ending in ("る", *_DICTIONARY):
        return "する"
    if ending in ("れば", "よう"):
        return f"{'す' if ending == 'れば' else 'し'}{ending}"
    if ending == "られ" or (ending and ending in _NEGATED and after == "れ"):
        return "され"[: 1 + (ending == "られ")]
    if after == "ず":
        return "せ"
    return "でき" if ending and ending in _POSSIBLE else "し"
