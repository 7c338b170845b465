"""The source that a claim names in front of what it says. Pure."""

from __future__ import annotations

import regex

_PAPERS = "documents?|contributions?|papers?|p?CR|TDoc|change requests?|discussion papers?"
_TEXTS = f"{_PAPERS}|texts?|report|specification|passage|sources?|minutes|contract|policy|manual|notice"
"""Also what a message may be called, in which something stands (in the report, the UE includes the list)."""
_SAYS = "states?|says?|notes?|reports?|explains?|mentions?|describes?|observes?|stated|said|noted|reported|explained"
_ENGLISH = regex.compile(
    rf"^(?:(?:according to|as (?:stated|described|noted|reported|explained) in) (?:the|this|these) (?:{_TEXTS}), "
    rf"|in (?:the|this|these) (?:{_PAPERS}), |(?:the|this|these) (?:{_TEXTS}) (?:{_SAYS}) that )",
    regex.IGNORECASE,
)
_OURS = r"(?:本|この|その|同|当該|上記の?)?"
_SHEETS = (
    "資料|文書|書面|寄書|寄与文書|文献|CR|TDoc|変更要求|議事録|提案書|見積書|契約書|仕様書|手順書|規程|規則|マニュアル"
)
_JAPANESE = regex.compile(
    rf"^(?:{_OURS}(?:{_SHEETS}|報告書|通知|案内|記載|説明|書|稿|文)(?:の(?:記載|説明|記述|内容))?(?:によると|によれば)"
    rf"|{_OURS}(?:{_SHEETS})では)、?"
)
_IF_NOT_APPROVED = regex.compile(r"\bif not approved\s*[:：]|承認されない場合\w{0,4}[:：]", regex.IGNORECASE)
_NOT_APPROVED = regex.compile(
    rf"^(?:if (?:the|this) (?:{_PAPERS}|proposal|change) is not approved, "
    rf"|{_OURS}(?:{_SHEETS}|提案|変更)が承認されな(?:い場合(?:に)?は?|いと|ければ)、?)",
    regex.IGNORECASE,
)
"""What a claim may say in front of a field "Consequences if not approved"."""


def without_source(claim: str, quoted: str) -> str:
    """A claim without "according to the document" or 資料によると in front of it; as it is where the quoted text names
    that source itself, for then it may be another one.

    >>> without_source("The document states that the timer is 5 s.", "The timer is 5 s.")
    'the timer is 5 s.'
    >>> without_source("本規程では、役員を除く。", "本規程では、役員を除く。")
    '本規程では、役員を除く。'
    >>> without_source("本CRが承認されない場合、呼が切れる。", "Consequences if not approved: Calls are dropped.")
    '呼が切れる。'
    """
    found = _ENGLISH.match(claim) or _JAPANESE.match(claim)
    if _IF_NOT_APPROVED.search(quoted) and (condition := _NOT_APPROVED.match(claim)):
        return claim[condition.end() :]
    if found is None or found[0].strip("、, ").casefold() in quoted.casefold():
        return claim
    return claim[found.end() :]
